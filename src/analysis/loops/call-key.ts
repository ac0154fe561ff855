// What two calls are compared by: tool and arguments, as canonical JSON.
import { isJsonObject, isRawNumber, type Json, parseJson } from "../../kernel/json.ts";

/** Equal for calls that ask for the same: keys sorted, numbers by value. Null for a call without arguments. Arguments may be JSON text, as
 *  models write them. */
export function callKey(tool: string, given: Json | undefined): string | null {
  const value = typeof given === "string" ? (parsed(given) ?? given.trim()) : given;
  return value === undefined || isEmpty(value) ? null : `${tool} ${canonicalJson(value)}`;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Lists and objects that hold nothing but such are empty, too, as `{"args": [], "kwargs": {}}` is. */
function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  if (Array.isArray(value)) return value.every(isEmptyContainer);
  return isJsonObject(value) && Object.values(value).every(isEmptyContainer);
}

function isEmptyContainer(value: Json): boolean {
  return typeof value === "object" && value !== null && !isRawNumber(value) && isEmpty(value);
}

function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name]!)}`).join(",")}}`;
  }
  // Integers that no double holds keep their digits.
  if (isRawNumber(value)) return /^-?\d+$/.test(value.rawJSON) ? value.rawJSON : String(Number(value.rawJSON));
  return JSON.stringify(value);
}
