// SQLite's side of the closed list of differences.
import { type Expression, type RawBuilder, sql } from "kysely";
import { foldCase } from "../../kernel/fold-case.ts";
import { isRawNumber, type Json, numberOf } from "../../kernel/json.ts";
import { storableText } from "../../kernel/validation-scalars.ts";
import type { Dialect } from "../dialect.ts";
import { listPositions } from "../json-path.ts";
import { offsetAt } from "../offset-sql.ts";
import { storableParameter } from "../storable-parameter.ts";
import { fixedBins } from "../time-bins.ts";
import { sqliteSpanOrders } from "./span-orders.ts";

/** `foldCase` and `containsFolded` of kernel/fold-case.ts, defined by every connection (connection.ts). */
export const FOLD_CASE = "fold_case";
export const CONTAINS_FOLDED = "contains_folded";

// A label between quotes is read with the escapes of JSON.
function quotedKey(key: string): string {
  return `.${JSON.stringify(key)}`;
}

/** Every JSON path that the segments may mean: digits name an object key or a list position. */
function jsonPaths(segments: readonly string[]): string[] {
  const isPosition = listPositions(segments);
  return segments.reduce(
    (paths, segment, at) =>
      paths.flatMap((path) =>
        isPosition[at] ? [path + quotedKey(segment), `${path}[${Number(segment)}]`] : [path + quotedKey(segment)],
      ),
    ["$"],
  );
}

function scalarAt(column: Expression<unknown>, path: string, value: Json): RawBuilder<boolean> {
  const type = sql`json_type(${column}, ${path})`;
  const text = sql`json_extract(${column}, ${path})`;
  if (typeof value === "boolean") return sql<boolean>`${type} = ${value ? "true" : "false"}`;
  if (typeof value === "string") return sql<boolean>`${type} = 'text' and ${text} = ${value}`;
  if (isRawNumber(value) && /^-?\d+$/.test(value.rawJSON))
    return sql<boolean>`${type} in ('integer', 'real') and ${text} = cast(${value.rawJSON} as integer)`;
  if (typeof value === "number" && Number.isInteger(value))
    return sql<boolean>`${type} in ('integer', 'real') and ${text} = ${value}`;
  const number = numberOf(value);
  return number === null ? sql<boolean>`1 = 0` : sql<boolean>`${type} = 'real' and ${text} = ${number}`;
}

export const sqliteDialect: Dialect = {
  name: "sqlite",
  jsonText: (column) => sql<string>`json(${column})`,
  unpacked: (column) => sql<never>`${column}`,
  storedBytes: (column) => sql<number>`length(${column})`,
  json: (text) => sql<never>`jsonb(${text})`,
  jsonScalarEquals(column, path, value) {
    const alternatives = jsonPaths(path).map((candidate) => sql`(${scalarAt(column, candidate, value)})`);
    return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
  },
  containsIgnoringCase: (text, needle) => sql<boolean>`${sql.raw(CONTAINS_FOLDED)}(${text}, ${foldCase(needle)})`,
  inList: (column, values) =>
    sql<boolean>`${column} in (select value from json_each(${JSON.stringify(storableParameter(values))}))`,
  integerRows(columns, rows) {
    const selected = columns.map((column, position) => sql`value ->> ${sql.lit(position)} as ${sql.ref(column)}`);
    return sql`(select ${sql.join(selected)} from json_each(${JSON.stringify(rows)}))`;
  },
  rowsOfEach(values, rowsOf) {
    const parts = values.map((value) => sql`select * from (${rowsOf(sql.lit(value))})`);
    return sql`(${sql.join(parts, sql` union all `)})`;
  },
  jsonRows: (rows) => sql`json_each(${typeof rows === "string" ? rows : JSON.stringify(rows)})`,
  member: (row, position) => sql`${row} ->> ${sql.lit(position)}`,
  jsonAt(column, path) {
    const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : quotedKey(storableText(step))));
    return sql<string | null>`${column} -> ${`$${steps.join("")}`}`;
  },
  jsonListLength: (column, path) => {
    const at = sql.lit(`$.${path.join(".")}`);
    return sql<
      number | null
    >`case json_type(${column}, ${at}) when 'array' then json_array_length(${column}, ${at}) end`;
  },
  quantile: (column, probability) => sql<number | null>`percentile_cont(${column}, ${probability})`,
  timeBin(column, { scale, offsetMinutes, changes = [] }) {
    const local = sql`(${column} + ${offsetAt(column, offsetMinutes, changes)})`;
    const fixed = fixedBins(scale);
    if (fixed !== null) return sql<number>`((${local} - ${sql.lit(fixed.beginUs)}) / ${sql.lit(fixed.widthUs)})`;
    const part = (format: string) =>
      sql`cast(strftime(${sql.lit(format)}, ${local} / 1000000, 'unixepoch') as integer)`;
    return scale === "YEAR" ? sql<number>`${part("%Y")}` : sql<number>`(${part("%Y")} * 12 + ${part("%m")} - 1)`;
  },
  withoutIndex: <Value>(column: Expression<Value>) => sql<Value>`+${column}`,
  nowUs: sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`,
  spanOrders: sqliteSpanOrders,
};
