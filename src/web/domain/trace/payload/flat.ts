// Attributes as a flat list of dotted keys, as senders write them, with search.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { Place } from "./payload.ts";
import { plainText } from "./values.ts";

interface FlatValue {
  /** Dotted. */
  readonly key: string;
  readonly value: Json;
  readonly place: Place;
}

/** Deeper values stand as one: keys of hundreds of parts are not readable. */
const DEEPEST = 100;

/** Every value that is no object, and lists without objects whole; in the order of the attributes, at most `most`. */
export function flatValues(attributes: JsonObject, most = 20_000): FlatValue[] {
  const found: FlatValue[] = [];
  const waiting: { readonly value: Json; readonly place: Place }[] = [{ value: attributes, place: ["attributes"] }];
  while (waiting.length > 0 && found.length < most) {
    const { value, place } = waiting.pop()!;
    const below = place.length > DEEPEST ? null : membersOf(value);
    if (below === null) {
      found.push({ key: place.slice(1).join("."), value, place });
      continue;
    }
    for (let i = below.length - 1; i >= 0; i--) {
      const [step, member] = below[i]!;
      waiting.push({ value: member, place: [...place, step] });
    }
  }
  return found;
}

/** What is walked into; null for what stands as one value. */
function membersOf(value: Json): [string | number, Json][] | null {
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return entries.length === 0 ? null : entries;
  }
  if (!Array.isArray(value) || !value.some((element) => typeof element === "object" && element !== null)) return null;
  return value.map((element, position) => [position, element]);
}

/** Those whose key or value holds the words, in any letter case. */
export function searchFlat(values: readonly FlatValue[], words: string): readonly FlatValue[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return values;
  return values.filter(
    ({ key, value }) => key.toLowerCase().includes(wanted) || plainText(value).toLowerCase().includes(wanted),
  );
}
