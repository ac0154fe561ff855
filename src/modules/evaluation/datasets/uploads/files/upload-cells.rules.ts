// Values of typed columns (Parquet, Arrow) as the JSON that examples are made of.
import { emptyObject, integerToJson, type Json, type JsonObject } from "../../../../../kernel/json.ts";
import { uploadRefused } from "../../datasets.errors.ts";
import { tooManyMembers, type UploadLimits } from "../upload-limits.rules.ts";

/** Lists and structs within each other. */
const MOST_DEPTH = 64;

/** NaN is nothing, as data frames mean it; instants are ISO 8601. `place` names the cell in a refusal. Throws kind
 *  `too_large` for a cell with more values than a row may have: the cells of a small file may all be the same long list. */
export function jsonOfCell(
  value: unknown,
  place: string,
  { maxRowMembers }: Pick<UploadLimits, "maxRowMembers">,
): Json {
  return jsonOf(value, { place, most: maxRowMembers, count: 0 }, 0);
}

interface Cell {
  readonly place: string;
  readonly most: number;
  count: number;
}

function jsonOf(value: unknown, cell: Cell, depth: number): Json {
  if (depth > MOST_DEPTH) throw uploadRefused(`${cell.place}: is nested more than ${MOST_DEPTH} times`);
  if (++cell.count > cell.most) throw tooManyMembers(cell.place, cell.most);
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return integerToJson(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array || value instanceof DataView) {
    throw uploadRefused(`${cell.place}: has bytes, which are not JSON`);
  }
  const inner = (each: unknown) => jsonOf(each, cell, depth + 1);
  if (value instanceof Map) return objectOf([...value].map(([key, member]) => [String(key), inner(member)]));
  if (Symbol.iterator in (value as object) && !isPairs(value)) return Array.from(value as Iterable<unknown>, inner);
  return objectOf(pairsOf(value as object).map(([key, member]) => [key, inner(member)]));
}

function objectOf(members: readonly (readonly [string, Json])[]): JsonObject {
  return Object.assign(emptyObject(), Object.fromEntries(members));
}

/** Rows of Arrow's structs and maps, which go through pairs of name and value. */
interface Pairs {
  toJSON(): object;
  [Symbol.iterator](): Iterator<[string, unknown]>;
}

function isPairs(value: unknown): value is Pairs {
  return (
    !Array.isArray(value) && typeof (value as Partial<Pairs>).toJSON === "function" && !("length" in (value as object))
  );
}

function pairsOf(value: object): (readonly [string, unknown])[] {
  return isPairs(value) ? [...(value as Pairs)].map(([key, member]) => [String(key), member]) : Object.entries(value);
}
