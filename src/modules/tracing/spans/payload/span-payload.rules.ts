// What a page is shown of a span at once: its attributes and events with long texts and lists cut, so that a span of a hundred
// megabytes opens like any other. What was cut is named, and can be read whole.
import { isRawNumber, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { headOfBytes } from "../../../../model/attributes/text.ts";
import { LARGE_VALUE_BYTES } from "../../../../model/span.ts";

/** What is shown of a text that is too long to be shown whole, in bytes. */
export const SHOWN_HEAD_BYTES = 20_000;
/** Texts and values of one answer, roughly in characters of its JSON. */
export const MOST_SHOWN = 2_000_000;

/** Where a value is: keys and positions from `attributes` or `events` on. */
export type ValuePath = readonly (string | number)[];

/** A value that is shown in part. */
export interface CutValue {
  readonly path: ValuePath;
  /** Of the whole text, in UTF-8; null for a list. */
  readonly bytes: number | null;
  /** Of the whole list; null for a text. */
  readonly items: number | null;
}

/** A payload whose texts above LARGE_VALUE_BYTES are heads already. */
export interface PayloadHeads {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
  /** Paths inside the attributes, as stored. */
  readonly large: readonly { readonly path: string; readonly bytes: number }[];
}

export interface ShownPayload {
  readonly attributes: JsonObject;
  readonly events: readonly Json[];
  readonly cut: readonly CutValue[];
}

interface Level {
  /** Longer texts are cut, in UTF-16 units, and how many bytes stay. */
  readonly text: number;
  readonly head: number;
  /** Longer lists are cut to this length. */
  readonly items: number;
}

/** Tried in turn until the whole is small enough; the last one is taken as it comes. */
const levels: readonly Level[] = [
  { text: LARGE_VALUE_BYTES, head: SHOWN_HEAD_BYTES, items: Number.POSITIVE_INFINITY },
  { text: SHOWN_HEAD_BYTES, head: SHOWN_HEAD_BYTES, items: 100_000 },
  { text: 4000, head: 4000, items: 10_000 },
  { text: 1000, head: 1000, items: 1000 },
  { text: 200, head: 200, items: 200 },
  { text: 100, head: 100, items: 20 },
];

/** Cuts copies; the payload stays as it is. */
export function shownPayload({ attributes, events, large }: PayloadHeads): ShownPayload {
  const whole: JsonObject = { attributes, events: events as Json[] };
  const level = levels.find((each) => measure(whole, each) <= MOST_SHOWN) ?? levels.at(-1)!;
  const wholeBytes = new Map(
    large.map(({ path, bytes }) => [JSON.stringify(["attributes", ...(JSON.parse(path) as ValuePath)]), bytes]),
  );
  const cut: CutValue[] = [];
  const shown = cutValue(whole, level, [], wholeBytes, cut) as JsonObject;
  return { attributes: shown.attributes as JsonObject, events: shown.events as Json[], cut };
}

/** Roughly the characters of JSON that are left at a level. Values are never deeper than the decoders allow. */
function measure(value: Json, level: Level): number {
  if (typeof value === "string") return Math.min(value.length, level.text) + 3;
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 8;
  let sum = 2;
  if (Array.isArray(value)) {
    const end = Math.min(value.length, level.items);
    for (let i = 0; i < end && sum <= MOST_SHOWN; i++) sum += measure(value[i]!, level);
    return sum;
  }
  for (const key in value) {
    sum += key.length + 4 + measure(value[key]!, level);
    if (sum > MOST_SHOWN) break;
  }
  return sum;
}

function cutValue(
  value: Json,
  level: Level,
  path: (string | number)[],
  wholeBytes: ReadonlyMap<string, number>,
  cut: CutValue[],
): Json {
  if (typeof value === "string") return cutText(value, level, path, wholeBytes, cut);
  if (typeof value !== "object" || value === null || isRawNumber(value)) return value;
  const below = (step: string | number, member: Json) => {
    path.push(step);
    const shown = cutValue(member, level, path, wholeBytes, cut);
    path.pop();
    return shown;
  };
  if (Array.isArray(value)) {
    if (value.length > level.items) cut.push({ path: [...path], bytes: null, items: value.length });
    return value.slice(0, level.items).map((member, position) => below(position, member));
  }
  const shown: JsonObject = Object.create(null);
  for (const key of Object.keys(value)) shown[key] = below(key, value[key]!);
  return shown;
}

function cutText(
  text: string,
  level: Level,
  path: ValuePath,
  wholeBytes: ReadonlyMap<string, number>,
  cut: CutValue[],
): string {
  const stored = wholeBytes.size === 0 ? undefined : wholeBytes.get(JSON.stringify(path));
  if (stored === undefined && text.length <= level.text) return text;
  cut.push({ path: [...path], bytes: stored ?? Buffer.byteLength(text, "utf8"), items: null });
  return headOfBytes(text, level.head);
}

/** Reads the JSON list of keys and positions; null for anything else. */
export function readValuePath(text: string): ValuePath | null {
  let path: unknown;
  try {
    path = JSON.parse(text);
  } catch {
    return null;
  }
  const isStep = (step: unknown) => typeof step === "string" || (Number.isSafeInteger(step) && (step as number) >= 0);
  return Array.isArray(path) && path.length > 1 && path.every(isStep) ? (path as ValuePath) : null;
}
