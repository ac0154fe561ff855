// How deep attribute values may nest. Key segments (`key-path.ts`) and values together stay far below the 1,000
// levels that SQLite reads.
import { fail } from "../../kernel/failure.ts";
import { emptyObject, isRawNumber, type Json, stringifyJson } from "../../kernel/json.ts";

/** Levels of lists and objects inside one attribute value. */
export const MAX_VALUE_DEPTH = 128;
/** Levels that are still written as text. Far below the stack of the engine, whose writer takes seconds to run out of it. */
const MAX_TEXT_DEPTH = 2000;

/** The value, with parts deeper than MAX_VALUE_DEPTH kept as JSON text. Fails as `deepText` does. */
export function limitDepth(value: Json): Json {
  return isDeeperThan(value, MAX_VALUE_DEPTH) ? withDeepPartsAsText(value, MAX_VALUE_DEPTH) : value;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isDeeperThan(item, levels - 1)) return true;
  return false;
}

function withDeepPartsAsText(value: Json, levels: number): Json {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return value;
  if (levels === 0) return deepText(value);
  if (Array.isArray(value)) return value.map((item) => withDeepPartsAsText(item, levels - 1));
  const copy = emptyObject();
  for (const key of Object.keys(value)) copy[key] = withDeepPartsAsText(value[key]!, levels - 1);
  return copy;
}

/** JSON text of a value that lies too deep; fails (`spans.too_deep`, invalid) beyond MAX_TEXT_DEPTH. */
export function deepText(value: Json): string {
  if (!isDeeperThan(value, MAX_TEXT_DEPTH)) return stringifyJson(value);
  throw fail("spans.too_deep", "invalid", `An attribute value nests deeper than ${MAX_TEXT_DEPTH} levels`);
}
