// In how many places two JSON values differ.
import { fail } from "../../../../kernel/failure.ts";
import { isJsonObject, isRawNumber, type Json, parseJson } from "../../../../kernel/json.ts";

/** Different members, items and values; what is on one side only counts once, whatever is below. */
export function jsonDistance(expected: Json, actual: Json): number {
  let distance = 0;
  // A stack of its own: documents may be nested deeper than calls.
  const pairs: [Json, Json][] = [[expected, actual]];
  for (;;) {
    const pair = pairs.pop();
    if (pair === undefined) return distance;
    const [one, other] = pair;
    if (Array.isArray(one) && Array.isArray(other)) {
      distance += Math.abs(one.length - other.length);
      const shared = Math.min(one.length, other.length);
      for (let at = 0; at < shared; at++) pairs.push([one[at]!, other[at]!]);
    } else if (isJsonObject(one) && isJsonObject(other)) {
      for (const [key, value] of Object.entries(one)) {
        if (Object.hasOwn(other, key)) pairs.push([value, other[key]!]);
        else distance++;
      }
      for (const key of Object.keys(other)) if (!Object.hasOwn(one, key)) distance++;
    } else if (!isEqual(one, other)) distance++;
  }
}

/** Of values that are not both lists or both objects. 1 equals 1.0. */
function isEqual(one: Json, other: Json): boolean {
  if (one === other) return true;
  const [left, right] = [sourceOf(one), sourceOf(other)];
  if (left === null || right === null || Number(left) !== Number(right)) return false;
  // Beyond 2^53 different integers are the same double.
  return !(INTEGER.test(left) && INTEGER.test(right)) || BigInt(left) === BigInt(right);
}

const INTEGER = /^-?\d+$/;

function sourceOf(value: Json): string | null {
  if (typeof value === "number") return String(value);
  return isRawNumber(value) ? value.rawJSON : null;
}

/** Throws kind `invalid` that names the input. */
export function parseInput(name: string, text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw fail("evaluators.json", "invalid", `Invalid JSON in '${name}': ${(error as Error).message}`);
  }
}
