// SQLite's side of the differences.
import { type RawBuilder, sql } from "kysely";
import { foldCase } from "../kernel/fold-case.ts";
import { CONTAINS_FOLDED, FOLD_CASE } from "../storage/sqlite/dialect.ts";
import type { AttributeSource, Sql, SqlDifferences } from "./sql-differences.ts";
import type { AttributePath } from "./tree.ts";

const INT64_MAX = 2n ** 63n - 1n;
/** Every number sorts before every text, so that text is compared as a number exactly when it holds one. */
const BEYOND_NUMBERS = sql`cast(9e999 as real)`;

function jsonPath(path: AttributePath): string {
  // A label between quotes is read with the escapes of JSON.
  return `$${path.map((step) => (typeof step === "number" ? `[${step}]` : `.${JSON.stringify(step)}`)).join("")}`;
}

/** The document and the path that leads to the value in it. */
function located({ attributes, paths }: AttributeSource): { document: Sql; path: string } {
  const [first, ...others] = paths.map(jsonPath);
  if (others.length === 0) return { document: attributes, path: first! };
  const candidates = [first!, ...others].map((path) => sql`nullif(${attributes} -> ${path}, 'null')`);
  return { document: sql`coalesce(${sql.join(candidates)})`, path: "$" };
}

/** `1.5e-7` with all its digits, as PostgreSQL keeps it. */
function withoutExponent(text: Sql): Sql {
  const zeros = (count: Sql) => sql`substr(${sql.lit("0".repeat(330))}, 1, ${count})`;
  return sql`(select sign || case when exponent < 0 then '0.' || ${zeros(sql`-exponent - 1`)} || digits
      else digits || ${zeros(sql`exponent + 1 - length(digits)`)} end
    from (select case when t like '-%' then '-' else '' end as sign,
        replace(replace(substr(t, 1, instr(t, 'e') - 1), '.', ''), '-', '') as digits,
        cast(substr(t, instr(t, 'e') + 1) as integer) as exponent
      from (select ${text} as t limit 1) limit 1) limit 1)`;
}

export const sqliteDifferences: SqlDifferences = {
  document: (text) => text,
  attributeText(source, plainly) {
    const { document, path } = located(source);
    if (plainly) return sql<string>`(${document} ->> ${path})`;
    return sql<string>`(case json_type(${document}, ${path}) when 'text' then ${document} ->> ${path} when 'null' then null
      when 'real' then case when ${document} ->> ${path} = 0 then '0.0'
        when instr(${document} -> ${path}, 'e') > 0 then ${withoutExponent(sql`${document} -> ${path}`)} else ${document} -> ${path} end
      else ${document} -> ${path} end)`;
  },
  attributeNumber(source) {
    const { document, path } = located(source);
    const value = sql`${document} ->> ${path}`;
    return sql<number>`(case json_type(${document}, ${path}) when 'integer' then ${value} when 'real' then ${value}
      when 'text' then case when length(${value}) <= 200 and (${value}) <= ${BEYOND_NUMBERS} then
        case when abs((${value}) + 0.0) >= 1e300 then null when abs((${value}) + 0.0) < 1e-300 then 0 else (${value}) + 0 end end end)`;
  },
  attributeBoolean(source) {
    const { document, path } = located(source);
    return sql<boolean>`(case json_type(${document}, ${path}) when 'true' then 1 when 'false' then 0
      when 'text' then case lower(${document} ->> ${path}) when 'true' then 1 when 'false' then 0 end
      when 'integer' then case ${document} ->> ${path} when 1 then 1 when 0 then 0 end end)`;
  },
  attributePresent(source) {
    const { document, path } = located(source);
    return sql<boolean>`(coalesce(json_type(${document}, ${path}), 'null') <> 'null')`;
  },
  joinedPieces: (bytes, order) => sql<string>`group_concat(cast(${bytes} as text), '' order by ${order})`,

  text: (value) => sql<string>`${value}`,
  amongTexts: (value, texts) => sql<boolean>`${value} in (select value from json_each(${JSON.stringify(texts)}))`,
  integer: (value) => sql<number>`cast(${String(cut(value))} as integer)`,
  amongIntegers: (value, integers) =>
    sql<boolean>`${value} in (select value from json_each(${`[${integers.map(cut).join(",")}]`}))`,
  // Read by SQLite itself, as it reads the stored number: both round alike.
  decimal: (text) => sql<number>`cast(${text} as ${sql.raw(/^-?\d{1,19}$/.test(text) ? "numeric" : "real")})`,
  amongDecimals: (value, texts) => sql<boolean>`${value} in (select value from json_each(${`[${texts.join(",")}]`}))`,
  double: (value) => sql<number>`cast(${String(value)} as real)`,
  amongDoubles: (value, doubles) =>
    sql<boolean>`${value} in (select cast(value as real) from json_each(${JSON.stringify(doubles.map(String))}))`,
  asDouble: (value) => sql<number>`cast(${value} as real)`,
  wide: (value) => sql<number>`${value}`,
  ordered: (value) => value as RawBuilder<string>,
  contains: (haystack, needle) =>
    sql<boolean>`${sql.raw(CONTAINS_FOLDED)}(${haystack}, ${sql.raw(FOLD_CASE)}(${needle}))`,
  containsLiteral: (haystack, needle) => sql<boolean>`${sql.raw(CONTAINS_FOLDED)}(${haystack}, ${foldCase(needle)})`,
  anyExceptionMessage(events, test) {
    // Only objects have members; another event may not even be JSON.
    const message = sql<string>`(case when filter_event.type = 'object'
      then cast(filter_event.value ->> '$.attributes."exception.message"' as text) end)`;
    return sql<boolean>`(exists (select 1 from json_each(${events}) as filter_event where ${test(message)}))`;
  },
  // Both limits: otherwise SQLite puts the expression in the place of each of its names.
  once: (values, use) => {
    const names = values.map((_, at) => sql.ref(`v${at}`));
    const named = values.map((value, at) => sql`${value} as ${names[at]!}`);
    return sql<number>`(select ${use(names)} from (select ${sql.join(named)} limit 1) limit 1)`;
  },
  wholePart: (value) => sql<number>`cast(floor(${value}) as integer)`,
};

function cut(value: bigint): bigint {
  if (value > INT64_MAX) return INT64_MAX;
  return value < -INT64_MAX - 1n ? -INT64_MAX - 1n : value;
}
