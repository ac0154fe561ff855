// What the rows of sorted blocks say, and where they do not say what the spans do, for `spanlight verify`.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPositiveOnly, type SpanValue, spanValues } from "../span-orders.ts";

/** As column `span_orders.sort` has them; those of spans that may be roots are one higher. */
export const sorts: Readonly<Record<SpanValue, number>> = { latency: 0, tokens: 2, sumTokens: 4 };

/** Blocks whose keys lie together: a look-up asks each such run, not each block. With more of them a block would change more pages. */
export const RUN_BLOCKS = 8;

/** Of `spans`: no parent, or one that is not stored. */
export const mayBeRoot = sql<SqlBool>`(spans.parent_key is null or not exists (select 1 from spans as parent
  where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key))`;

const values = Object.keys(sorts) as SpanValue[];
const ofBlock = sql`spans.id / 4096`;
/** As column `span_keys.run` has it. */
const ofRun = sql`spans.id / 32768`;

/** Spans of sorted blocks without their row. */
function without(row: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  return sql`select count(*) as count from spans
    where ${ofBlock} <= (select max(block) from sorted_blocks) and ${condition} and not exists (${row})`;
}

function withoutOrder(value: SpanValue, flag: 0 | 1) {
  const row = sql`select 1 from span_orders as rows
    where rows.block = ${ofBlock} and rows.sort = ${sql.lit(sorts[value] + flag)} and rows.project_id = spans.project_id
      and rows.value = ${spanValues[value]} and rows.span_id = spans.id`;
  if (flag === 1) return without(row, mayBeRoot);
  return without(row, isPositiveOnly({ value, mayBeRoot: false }) ? sql`${spanValues[value]} > 0` : sql`1 = 1`);
}

/** Rows that a span without its sort has not; one that was a root candidate may have a parent by now. */
const staleOrders = sql`select count(*) as count from span_orders as rows
  where not exists (select 1 from spans where spans.id = rows.span_id and ${ofBlock} = rows.block
    and spans.project_id = rows.project_id and rows.value = case rows.sort / 2
      ${sql.join(
        values.map((value) => sql`when ${sql.lit(sorts[value] / 2)} then ${spanValues[value]}`),
        sql` `,
      )} end)`;

const ofUnsorted = (table: string) =>
  sql`select count(*) as count from ${sql.table(table)} where span_id / 4096 not in (select block from sorted_blocks)`;

export const spanOrderFaults: Readonly<Record<string, RawBuilder<unknown>>> = {
  "spans in a block that was left out when it was sorted": sql`select count(*) as count from spans
    where ${ofBlock} < (select max(block) from sorted_blocks) and ${ofBlock} not in (select block from sorted_blocks)`,
  "spans without their row in span_keys": without(
    sql`select 1 from span_keys as rows
      where rows.run = ${ofRun} and rows.span_key = spans.span_key and rows.span_id = spans.id`,
    sql`1 = 1`,
  ),
  ...Object.fromEntries(
    values.flatMap((value) => [
      [`spans without their row in the order of ${value}`, withoutOrder(value, 0)],
      [`spans that may be roots without their row in the order of ${value}`, withoutOrder(value, 1)],
    ]),
  ),
  "rows of span_keys that no span has": sql`select count(*) as count from span_keys as rows
    where not exists (select 1 from spans
      where spans.id = rows.span_id and spans.span_key = rows.span_key and ${ofRun} = rows.run)`,
  "rows of span_orders that no span has": staleOrders,
  "rows of span_keys of spans that are not sorted": ofUnsorted("span_keys"),
  "rows of span_orders of spans that are not sorted": ofUnsorted("span_orders"),
};
