// What is wrong with the payload of one span, as `spanlight verify` says it.
import { headOf, valueAt } from "../../../../ingest/span-columns.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { damagedLargeValues, type StoredPieces, valueAtLargePath } from "../../../../model/attributes/large-values.ts";
import { headOfBytes } from "../../../../model/attributes/text.ts";
import { LARGE_VALUE_HEAD_BYTES } from "../../../../model/span.ts";

export interface StoredPayload {
  /** JSON text. */
  readonly attributes: string;
  readonly events: string;
  readonly inputHead: string | null;
  readonly outputHead: string | null;
  /** As column `has_large`. */
  readonly recorded: number;
  readonly values: readonly (StoredPieces & {
    /** The beginning of the first piece, some bytes more than the head; null when that piece is missing. */
    readonly beginning: Uint8Array | null;
  })[];
}

/** Parts of sentences, each about the span. */
export function payloadFaults({ attributes: text, events, ...payload }: StoredPayload): string[] {
  let attributes: Json;
  try {
    attributes = parseJson(text);
    parseJson(events);
  } catch {
    return ["its attributes or events are no JSON"];
  }
  if (!isJsonObject(attributes)) return ["its attributes are no JSON object"];
  return [
    ...largeFaults(attributes, payload),
    ...headFaults(attributes, "input", payload.inputHead, payload),
    ...headFaults(attributes, "output", payload.outputHead, payload),
  ];
}

type LargePayload = Pick<StoredPayload, "recorded" | "values">;

function largeFaults(attributes: JsonObject, { recorded, values }: LargePayload): string[] {
  const damaged = recorded === 0 ? [] : damagedLargeValues(attributes, recorded, values);
  const bytes = values.reduce((sum, value) => sum + value.bytes, 0);
  const faults = damaged.map((path) => `its large value ${path} has lost pieces or parts of them`);
  if (damaged.length === 0 && recorded > 1 && bytes !== recorded)
    faults.push(`its large values take ${bytes} bytes, ${recorded} were stored`);
  for (const { path, beginning } of values) {
    if (damaged.includes(path) || beginning === null) continue;
    const head = valueAtLargePath(attributes, path);
    if (head === undefined) faults.push(`its attributes have no place for the large value ${path}`);
    else if (head !== beginningOf(beginning)) faults.push(`the head of its large value ${path} is not its beginning`);
  }
  return faults;
}

function beginningOf(bytes: Uint8Array): string {
  // It may end inside a character, which is left out.
  return headOfBytes(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }),
    LARGE_VALUE_HEAD_BYTES,
  );
}

/** Columns are compared with texts only: a database may write other values otherwise than they were sent. The attribute of a
 *  large value is a head, which begins as the whole did. */
function headFaults(
  attributes: JsonObject,
  side: "input" | "output",
  stored: string | null,
  { values }: LargePayload,
): string[] {
  const value = valueAt(attributes, side, "value");
  if (value !== undefined && value !== null && typeof value !== "string") return [];
  // A stale head of a large value is reported as such.
  const isLarge = values.some(({ path }) => path === JSON.stringify([side, "value"]));
  if (isLarge && typeof value !== "string") return [];
  const should = headOf(value);
  return should === stored ? [] : [`its ${side}_head is not the beginning of ${side}.value`];
}
