// What spans are counted by, and how a value of each is spelled in the counts of blocks.
import { isJsonObject, type Json } from "../../../kernel/json.ts";

/** The position is the code in column `span_block_counts.facet`: append, never reorder. The last two are not values but sums of
 *  tokens, under an empty value. */
export const facets = [
  "kind",
  "status",
  "model",
  "name",
  "user",
  "errorType",
  "latency",
  "promptTokens",
  "completionTokens",
] as const;
export type Facet = (typeof facets)[number];

export function facetCode(facet: Facet): number {
  return facets.indexOf(facet);
}

/** Values are counted by their first characters: PostgreSQL cannot index longer ones. */
export const VALUE_CHARACTERS = 200;

export function shortened(text: string): string {
  // A character beyond 16 bits is one to the databases.
  return text.length <= VALUE_CHARACTERS ? text : [...text].slice(0, VALUE_CHARACTERS).join("");
}

/** Lower bounds of the bands of latency, in microseconds; the last one has no end. */
export const latencyBands: readonly number[] = [
  0,
  ...[3, 4, 5, 6, 7, 8, 9].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((step) => step * 10 ** power)),
];

/** Those of them that are shown: few enough for a list. */
export const facetBands: readonly number[] = [0, 10, 50, 100, 500, 1000, 2000, 5000, 10_000, 30_000, 100_000].map(
  (milliseconds) => milliseconds * 1000,
);

/** Hours are counted in, microseconds. */
export const HOUR_US = 3_600_000_000;

/** The type of the first exception among stored events, null without one. */
export function exceptionTypeOf(events: Json): string | null {
  if (!Array.isArray(events)) return null;
  for (const event of events) {
    if (!isJsonObject(event) || event.name !== "exception" || !isJsonObject(event.attributes)) continue;
    const type = event.attributes["exception.type"];
    if (typeof type === "string" && type !== "") return type;
  }
  return null;
}
