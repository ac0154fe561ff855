// Keeps long texts out of the attributes: the attribute keeps a head, the whole text is stored apart in pieces.
import { isRawNumber, type Json, type JsonObject } from "../../../kernel/json.ts";
import { LARGE_VALUE_BYTES, LARGE_VALUE_HEAD_BYTES, type LargeValue } from "../span.schema.ts";
import { exceedsBytes, headOfBytes } from "./text.rules.ts";

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

/** Puts large texts back where they were cut out of the attributes, in place. A path that leads nowhere is left out. */
export function restoreLargeValues(attributes: JsonObject, values: readonly LargeValue[]): void {
  for (const { path, text } of values) {
    const steps = JSON.parse(path) as (string | number)[];
    const last = steps.pop();
    let container: Json | undefined = attributes;
    for (const step of steps) container = memberOf(container, step);
    if (last === undefined || memberOf(container, last) === undefined) continue;
    (container as Record<string | number, Json>)[last] = text;
  }
}

function memberOf(container: Json | undefined, step: string | number): Json | undefined {
  if (typeof container !== "object" || container === null || isRawNumber(container)) return undefined;
  return Object.hasOwn(container, step) ? (container as Record<string | number, Json>)[step] : undefined;
}
