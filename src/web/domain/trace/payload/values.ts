// Reading values that may be anything: nothing here throws, whatever was sent.
import { isJsonObject, isRawNumber, type Json, numberOf } from "../../../../kernel/json.ts";
import { heldJson } from "../../../lib/held-json.ts";

type Loose = Json | undefined;

/** The member at a path of keys, or undefined. */
export function at(value: Loose, ...steps: readonly (string | number)[]): Loose {
  let found: Loose = value;
  for (const step of steps) {
    if (typeof found !== "object" || found === null || isRawNumber(found) || !Object.hasOwn(found, step))
      return undefined;
    found = (found as Readonly<Record<string | number, Json>>)[step];
  }
  return found;
}

/** A text that says something, else null. */
export function textAt(value: Loose, ...steps: readonly (string | number)[]): string | null {
  const found = at(value, ...steps);
  return typeof found === "string" && found !== "" ? found : null;
}

/** A text, or a number or truth value as text; else null. */
export function wordAt(value: Loose, ...steps: readonly (string | number)[]): string | null {
  const found = at(value, ...steps);
  if (typeof found === "string") return found === "" ? null : found;
  if (typeof found === "boolean") return String(found);
  const number = numberOf(found);
  return number === null ? null : isRawNumber(found) ? found.rawJSON : String(number);
}

export function numberAt(value: Loose, ...steps: readonly (string | number)[]): number | null {
  const found = numberOf(at(value, ...steps));
  return found === null || !Number.isFinite(found) ? null : found;
}

/** The elements of a list with their steps; of an object whose keys are all positions, too. */
export function elementsAt(
  value: Loose,
  ...steps: readonly (string | number)[]
): { readonly step: string | number; readonly value: Json }[] {
  const found = at(value, ...steps);
  if (Array.isArray(found)) return found.map((element, step) => ({ step, value: element }));
  if (!isJsonObject(found)) return [];
  const keys = Object.keys(found);
  if (keys.length === 0 || !keys.every((key) => /^\d{1,9}$/.test(key))) return [];
  return keys.sort((one, other) => Number(one) - Number(other)).map((step) => ({ step, value: found[step]! }));
}

/** The value, or what it holds as JSON where it is a text. */
export function unfolded(value: Json): Json {
  return typeof value === "string" ? (heldJson(value) ?? value) : value;
}

/** Deeper values are written on one line: their indentation alone would take gigabytes. */
const MOST_INDENTED = 100;

/** JSON text on many lines; on one line where the value is too deep for that, and a sign where it is too deep for any. */
export function jsonText(value: Loose): string {
  if (value === undefined) return "";
  try {
    return JSON.stringify(value, null, isDeeper(value, MOST_INDENTED) ? 0 : 2);
  } catch {
    // Nested too deep for the stack.
    return Array.isArray(value) ? "[…]" : "{…}";
  }
}

function isDeeper(value: Json, levels: number): boolean {
  const waiting: [Json, number][] = [[value, 0]];
  while (waiting.length > 0) {
    const [each, level] = waiting.pop()!;
    if (typeof each !== "object" || each === null || isRawNumber(each)) continue;
    if (level >= levels) return true;
    for (const member of Object.values(each)) waiting.push([member, level + 1]);
  }
  return false;
}

/** A text as it is, anything else as JSON. */
export function plainText(value: Loose): string {
  return typeof value === "string" ? value : jsonText(value);
}
