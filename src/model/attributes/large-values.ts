// Keeps long texts out of the attributes: the attribute keeps a head, the whole text is stored apart in pieces.
import { isRawNumber, type Json, type JsonObject } from "../../kernel/json.ts";
import { LARGE_VALUE_BYTES, LARGE_VALUE_HEAD_BYTES, LARGE_VALUE_PIECE_BYTES, type LargeValue } from "../span.ts";
import { exceedsBytes, headOfBytes } from "./text.ts";

/** Whether a text of this many UTF-16 units could be a large value. */
export function mayBeLarge(length: number): boolean {
  return length * 3 > LARGE_VALUE_BYTES;
}

/** Cuts every large text of the tree in place and returns what was cut. */
export function separateLargeValues(attributes: JsonObject): LargeValue[] {
  const found: LargeValue[] = [];
  separate(attributes, [], found);
  return found;
}

function separate(container: JsonObject | Json[], path: (string | number)[], found: LargeValue[]): void {
  if (Array.isArray(container)) {
    for (let i = 0; i < container.length; i += 1) container[i] = cut(container[i]!, path, i, found);
    return;
  }
  for (const key of Object.keys(container)) {
    const value = container[key]!;
    const kept = cut(value, path, key, found);
    if (kept !== value) container[key] = kept;
  }
}

function cut(value: Json, path: (string | number)[], step: string | number, found: LargeValue[]): Json {
  if (typeof value === "string") {
    if (!exceedsBytes(value, LARGE_VALUE_BYTES)) return value;
    found.push({ path: JSON.stringify([...path, step]), text: value });
    return headOfBytes(value, LARGE_VALUE_HEAD_BYTES);
  }
  if (typeof value === "object" && value !== null && !isRawNumber(value)) {
    path.push(step);
    separate(value, path, found);
    path.pop();
  }
  return value;
}

/** What is stored of a large value, known without its text. */
export interface StoredPieces {
  /** As in LargeValue. */
  readonly path: string;
  readonly pieces: number;
  /** The highest number of a piece; they are numbered from 0. */
  readonly last: number;
  readonly bytes: number;
}

/** What `has_large` says in rows of versions that did not count bytes. */
const UNCOUNTED = 1;

/** Pieces of theirs are missing or too short. */
function tornValues(values: readonly StoredPieces[]): readonly StoredPieces[] {
  return values.filter(
    ({ pieces, last, bytes }) =>
      last !== pieces - 1 ||
      bytes <= (pieces - 1) * LARGE_VALUE_PIECE_BYTES ||
      bytes > pieces * LARGE_VALUE_PIECE_BYTES,
  );
}

/** Whether there is less than `recorded` (the payload's `has_large`) says. */
function isShort(recorded: number, values: readonly StoredPieces[]): boolean {
  if (recorded === UNCOUNTED) return values.length === 0;
  return values.reduce((sum, value) => sum + value.bytes, 0) !== recorded;
}

/** Whether nothing of these large values, all of one payload, is damaged: known without the attributes. */
export function areWholeLargeValues(recorded: number, values: readonly StoredPieces[]): boolean {
  return tornValues(values).length === 0 && !isShort(recorded, values);
}

/** Paths of large values that cannot be given because pieces of theirs are missing or too short. `recorded` is the payload's
 *  `has_large`. Where bytes are missing and nothing tells of which value, none of them can be trusted. */
export function damagedLargeValues(
  attributes: JsonObject,
  recorded: number,
  values: readonly StoredPieces[],
): readonly string[] {
  if (areWholeLargeValues(recorded, values)) return [];
  const torn = tornValues(values);
  const known = new Set(values.map(({ path }) => path));
  const lost = isShort(recorded, values) ? headsIn(attributes, []).filter((path) => !known.has(path)) : [];
  const named = [...torn.map(({ path }) => path), ...lost];
  if (named.length > 0) return named;
  // A value that lost its last piece ends with a full one; other values rarely do.
  const full = values.filter((value) => value.bytes % LARGE_VALUE_PIECE_BYTES === 0);
  return (full.length > 0 ? full : values).map(({ path }) => path);
}

/** Paths of texts that are as long as the head of a large value. */
function headsIn(value: Json, path: readonly (string | number)[]): string[] {
  if (typeof value === "string") {
    const isHead = exceedsBytes(value, LARGE_VALUE_HEAD_BYTES - 4) && !exceedsBytes(value, LARGE_VALUE_HEAD_BYTES);
    return isHead ? [JSON.stringify(path)] : [];
  }
  if (typeof value !== "object" || value === null || isRawNumber(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item, position) => headsIn(item, [...path, position]));
  return Object.keys(value).flatMap((key) => headsIn(value[key]!, [...path, key]));
}

/** Puts other values in the places of large ones, in place. A path that leads nowhere is left out. */
export function replaceLargeValues(attributes: JsonObject, paths: readonly string[], replacement: Json): void {
  for (const path of paths) replaceAt(attributes, path, replacement);
}

/** Puts large texts back where they were cut out of the attributes, in place. A path that leads nowhere is left out. */
export function restoreLargeValues(attributes: JsonObject, values: readonly LargeValue[]): void {
  for (const { path, text } of values) replaceAt(attributes, path, text);
}

/** What stands at the path of a large value, or undefined. */
export function valueAtLargePath(attributes: JsonObject, path: string): Json | undefined {
  return (JSON.parse(path) as (string | number)[]).reduce<Json | undefined>(memberOf, attributes);
}

function replaceAt(attributes: JsonObject, path: string, value: Json): void {
  const steps = JSON.parse(path) as (string | number)[];
  const last = steps.pop();
  const container = steps.reduce<Json | undefined>(memberOf, attributes);
  if (last === undefined || memberOf(container, last) === undefined) return;
  (container as Record<string | number, Json>)[last] = value;
}

function memberOf(container: Json | undefined, step: string | number): Json | undefined {
  if (typeof container !== "object" || container === null || isRawNumber(container)) return undefined;
  return Object.hasOwn(container, step) ? (container as Record<string | number, Json>)[step] : undefined;
}
