// PostgreSQL's side of the differences.
import { sql } from "kysely";
import { containsNeedle, foldedText } from "../storage/postgres/fold-sql.ts";
import type { AttributeSource, Sql, SqlDifferences } from "./sql-differences.ts";
import type { AttributePath } from "./tree.ts";

const INT64_MAX = 2n ** 63n - 1n;
const LARGEST_POSITION = 2 ** 31 - 1;
/** A number as text: at most 200 characters are looked at, and three digits of the exponent, which no conversion refuses. */
const NUMBER_TEXT = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?0*[0-9]{1,3})?$";
/** What JSON may hold and `jsonb` refuses: NUL and halves of surrogate pairs, behind an even number of backslashes. */
const NOT_IN_JSONB = "(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})";
const REPLACED = "\\1\\\\ufffd";
const BLANKS = " \t\n\v\f\r";
/** A text literal with its escapes, or a blank between members. */
const TEXT_OR_BLANK = '("(?:[^"\\\\]|\\\\.)*")| ';

/** Keys by `->`, which takes a text for a key of an object only. From the first position on a path: `->` with an integer takes
 *  a scalar for a list of one. */
function valueAt(attributes: Sql, path: AttributePath): Sql {
  const position = path.findIndex((step) => typeof step === "number");
  const keys = position < 0 ? path : path.slice(0, position);
  const value = sql`${attributes}${sql.join(
    keys.map((key) => sql` -> ${key}::text`),
    sql``,
  )}`;
  if (position < 0) return value;
  const rest = path.slice(position);
  if (rest.some((step) => typeof step === "number" && step > LARGEST_POSITION)) return sql`null::jsonb`;
  const steps = rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${JSON.stringify(step)}`));
  return sql`jsonb_path_query_first(${value}, ${`strict $${steps.join("")}`}::text::jsonpath, '{}', true)`;
}

function located({ attributes, paths }: AttributeSource): Sql {
  const [first, ...others] = paths.map((path) => valueAt(attributes, path));
  if (others.length === 0) return sql`(${first!})`;
  const candidates = [first!, ...others].map((value) => sql`nullif(${value}, 'null'::jsonb)`);
  return sql`coalesce(${sql.join(candidates)})`;
}

export const postgresDifferences: SqlDifferences = {
  document: (text) => sql`regexp_replace(${text}, ${NOT_IN_JSONB}::text, ${REPLACED}::text, 'g')::jsonb`,
  attributeText(source, plainly) {
    const value = located(source);
    if (plainly) return sql<string>`(${value} #>> '{}')`;
    return sql<string>`(case jsonb_typeof(${value}) when 'object' then regexp_replace((${value})::text, ${TEXT_OR_BLANK}::text, '\\1', 'g')
      when 'array' then regexp_replace((${value})::text, ${TEXT_OR_BLANK}::text, '\\1', 'g')
      else ${value} #>> '{}' end)`;
  },
  attributeNumber(source) {
    const value = located(source);
    const fromText = sql`(select case when t !~ ${NUMBER_TEXT}::text then null
        when abs(t::numeric) >= 1e300 then null when abs(t::numeric) < 1e-300 then 0
        when t ~ '^[+-]?[0-9]+$' and abs(t::numeric) < 9223372036854775808 then t::numeric else t::float8::text::numeric end
      from (select btrim(${value} #>> '{}', ${BLANKS}::text) as t offset 0) filter_text)`;
    return sql<number>`(case jsonb_typeof(${value}) when 'number' then (${value})::numeric
      when 'string' then case when length(${value} #>> '{}') <= 200 then ${fromText} end end)`;
  },
  attributeBoolean(source) {
    const value = located(source);
    return sql<boolean>`(case jsonb_typeof(${value}) when 'boolean' then (${value})::boolean
      when 'string' then case lower((${value} #>> '{}') collate "C") when 'true' then true when 'false' then false end
      when 'number' then case (${value})::text when '1' then true when '0' then false end end)`;
  },
  attributePresent(source) {
    return sql<boolean>`(coalesce(jsonb_typeof(${located(source)}), 'null') <> 'null')`;
  },
  joinedPieces: (bytes, order) => sql<string>`convert_from(string_agg(${bytes}, ''::bytea order by ${order}), 'UTF8')`,

  text: (value) => sql<string>`${value}::text`,
  amongTexts: (value, texts) => sql<boolean>`${value} = any(${[...texts]}::text[])`,
  integer: (value) => sql<number>`${String(cut(value))}::text::bigint`,
  amongIntegers: (value, integers) =>
    sql<boolean>`${value} = any(${integers.map((each) => String(cut(each)))}::bigint[])`,
  decimal: (text) => sql<number>`${text}::text::numeric`,
  amongDecimals: (value, texts) => sql<boolean>`${value} = any(${[...texts]}::text[]::numeric[])`,
  double: (value) => sql<number>`${String(value)}::text::float8`,
  amongDoubles: (value, doubles) => sql<boolean>`${value} = any(${doubles.map(String)}::text[]::float8[])`,
  asDouble: (value) => sql<number>`(${value})::float8`,
  wide: (value) => sql<number>`(${value})::numeric`,
  ordered: (value) => sql<string>`(${value} collate "C")`,
  contains: (haystack, needle) => sql<boolean>`position(${foldedText(needle)} in ${foldedText(haystack)}) > 0`,
  containsLiteral: (haystack, needle) =>
    postgresDifferences.once([haystack], ([text]) => containsNeedle(text!, needle)) as Sql<unknown> as Sql<boolean>,
  anyExceptionMessage(events, test) {
    const list = sql`case when jsonb_typeof(${events}) = 'array' then ${events} else '[]'::jsonb end`;
    const message = sql<string>`(filter_event.value #>> '{attributes,exception.message}')`;
    return sql<boolean>`(exists (select 1 from jsonb_array_elements(${list}) as filter_event where ${test(message)}))`;
  },
  // Without the offset the expression replaces each of its names.
  once: (values, use) => {
    const names = values.map((_, at) => sql.ref(`v${at}`));
    const named = values.map((value, at) => sql`${value} as ${names[at]!}`);
    return sql<number>`(select ${use(names)} from (select ${sql.join(named)} offset 0) filter_once)`;
  },
  wholePart: (value) => sql<number>`floor(${value})::bigint`,
};

function cut(value: bigint): bigint {
  if (value > INT64_MAX) return INT64_MAX;
  return value < -INT64_MAX - 1n ? -INT64_MAX - 1n : value;
}
