// JSON inside a text, and JSON that is short enough for one line.
import { isRawNumber, type Json, parseJson } from "../../kernel/json.ts";

/** Longer texts are not tried: reading them as JSON would hold up the page. */
const MOST_HELD = 5_000_000;

/** Texts of JSON in texts of JSON that are opened. */
const MOST_OPENED = 3;
const ends: Readonly<Record<string, RegExp>> = { "{": /\}\s*$/, "[": /\]\s*$/, '"': /"\s*$/ };

/** The object or list that a text holds as JSON, also where that is a text of JSON once more; undefined for any other text. */
export function heldJson(text: string): Json | undefined {
  let held = text;
  for (let opened = 0; opened < MOST_OPENED && held.length <= MOST_HELD; opened++) {
    const first = /^\s*([[{"])/.exec(held)?.[1];
    if (first === undefined || !ends[first]!.test(held)) return undefined;
    try {
      const value = parseJson(held);
      if (typeof value !== "string") return value;
      held = value;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Whether the JSON of a value takes at most `length` characters, checked without writing longer ones. */
export function isShort(value: unknown, length: number): boolean {
  return charactersLeft(value, length) >= 0;
}

function charactersLeft(value: unknown, left: number): number {
  if (left < 0) return left;
  if (typeof value === "string") return left - value.length - 2;
  if (typeof value !== "object" || value === null) return left - String(value).length;
  if (isRawNumber(value)) return left - value.rawJSON.length;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (const each of value) {
      rest = charactersLeft(each, rest) - 2;
      if (rest < 0) return rest;
    }
    return rest;
  }
  for (const [key, member] of Object.entries(value)) {
    rest = charactersLeft(member, rest - key.length - 6);
    if (rest < 0) return rest;
  }
  return rest;
}
