// PostgreSQL's side of the closed list of differences.
import { type Expression, type RawBuilder, sql } from "kysely";
import { isRawNumber, numberOf } from "../../kernel/json.ts";
import { storableText } from "../../kernel/validation-scalars.ts";
import type { Dialect } from "../dialect.ts";
import { listPositions } from "../json-path.ts";
import { offsetAt } from "../offset-sql.ts";
import { fixedBins } from "../time-bins.ts";
import { containsNeedle } from "./fold-sql.ts";
import { postgresSpanOrders } from "./span-orders.ts";

/** PostgreSQL reads these as positions, negative ones from the end, when the value is a list: such segments need an object. */
const LIKE_A_POSITION = /^\s*[+-]?\d+$/;

/** The value at the path, as `jsonb`; null where a segment that is a key only would name a list position. */
function valueAt(column: Expression<unknown>, path: readonly string[]): RawBuilder<unknown> {
  const isPosition = listPositions(path);
  const inObjects = path.flatMap((segment, at) =>
    LIKE_A_POSITION.test(segment) && !isPosition[at]
      ? [sql`jsonb_typeof(${column} #> ${path.slice(0, at)}::text[]) = 'object'`]
      : [],
  );
  const value = sql`${column} #> ${[...path]}::text[]`;
  return inObjects.length === 0
    ? sql`(${value})`
    : sql`(case when ${sql.join(inObjects, sql` and `)} then ${value} end)`;
}

const memberTypes = { integer: "bigint", real: "double precision", text: "text" } as const;

export const postgresDialect: Dialect = {
  name: "postgres",
  jsonText: (column) => sql<string>`${column}::text`,
  // Every operator would decompress the whole value for itself.
  unpacked: (column) => sql<never>`(${column} #> '{}')`,
  // The size of a compressed value says nothing: lz4 makes two hundred out of one.
  storedBytes: (column) =>
    sql<number>`(case when pg_column_compression(${column}) is null then pg_column_size(${column})
      else octet_length(${column}::text) end)`,
  json: (text) => sql<never>`${text}::text::jsonb`,
  jsonScalarEquals(column, path, value) {
    const found = valueAt(column, path);
    if (typeof value === "boolean") return sql<boolean>`${found} = to_jsonb(${value}::boolean)`;
    if (typeof value === "string") return sql<boolean>`${found} = to_jsonb(${value}::text)`;
    if (numberOf(value) === null) return sql<boolean>`false`;
    const text = isRawNumber(value) ? value.rawJSON : String(value);
    const equal = sql<boolean>`${found} = to_jsonb(${text}::text::numeric)`;
    if (/^-?\d+$/.test(text)) return equal;
    // jsonb keeps the scale of a number: a fraction or the size distinguishes a whole double from an integer.
    return sql<boolean>`(${equal} and (${found}::text like '%.%' or abs(${text}::text::numeric) >= 9223372036854775808))`;
  },
  containsIgnoringCase: containsNeedle,
  inList: (column, values) => {
    // An empty list has no type to be known by.
    if (values.length === 0) return sql<boolean>`false`;
    const type = typeof values[0] === "number" ? sql.raw("bigint[]") : sql.raw("text[]");
    return sql<boolean>`${column} = any(${[...values]}::${type})`;
  },
  integerRows(columns, rows) {
    const selected = columns.map(
      (column, position) => sql`(value ->> ${sql.lit(position)})::bigint as ${sql.ref(column)}`,
    );
    return sql`(select ${sql.join(selected)} from jsonb_array_elements(${JSON.stringify(rows)}::text::jsonb))`;
  },
  rowsOfEach: (values, rowsOf) =>
    sql`(select of_each.* from unnest(${[...values]}::bigint[]) as each_value(value)
      cross join lateral (${rowsOf(sql.ref("each_value.value"))}) as of_each)`,
  jsonRows: (rows) => sql`jsonb_array_elements(${typeof rows === "string" ? rows : JSON.stringify(rows)}::text::jsonb)`,
  member: (row, position, type) => sql`(${row} ->> ${sql.lit(position)})::${sql.raw(memberTypes[type])}`,
  jsonAt(column, path) {
    // The operators find a text at position 0 of itself.
    const steps = path.map((step) =>
      typeof step === "number" ? `[${step}]` : `.${JSON.stringify(storableText(step))}`,
    );
    return sql<
      string | null
    >`jsonb_path_query_first(${column}, ${`strict $${steps.join("")}`}::text::jsonpath, silent => true)::text`;
  },
  jsonListLength: (column, path) => {
    const value = sql`(${column} #> ${[...path]}::text[])`;
    return sql<number | null>`case jsonb_typeof(${value}) when 'array' then jsonb_array_length(${value}) end`;
  },
  quantile: (column, probability) =>
    sql<number | null>`percentile_cont(${probability}::float8) within group (order by ${column})`,
  timeBin(column, { scale, offsetMinutes, changes = [] }) {
    const local = sql`(${column} + ${offsetAt(column, offsetMinutes, changes)}::bigint)`;
    const fixed = fixedBins(scale);
    if (fixed !== null)
      return sql<number>`((${local} - ${sql.lit(fixed.beginUs)}) / ${sql.lit(fixed.widthUs)}::bigint)`;
    const part = (field: string) =>
      sql`extract(${sql.raw(field)} from timestamp '1970-01-01' + (${local} / 1000000) * interval '1 second')::bigint`;
    return scale === "YEAR" ? sql<number>`${part("year")}` : sql<number>`(${part("year")} * 12 + ${part("month")} - 1)`;
  },
  withoutIndex: <Value>(column: Expression<Value>): RawBuilder<Value> => sql<Value>`${column}`,
  nowUs: sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`,
  spanOrders: postgresSpanOrders,
};
