// Keys and orders of spans on SQLite: of each sorted block its part of `span_keys` and `span_orders`, and the spans above the last
// one as rows. A commit sorts a block and moves that bound at once, so a statement sees every span exactly once.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { BLOCK_SPANS } from "../../model/summaries/blocks/block.ts";
import { onwards, type ValueOrder } from "../list.ts";
import { isPositiveOnly, type SpanOrders, type SpanRanking, spanValues } from "../span-orders.ts";
import { storableParameter } from "../storable-parameter.ts";
import type { Database } from "../storage.ts";
import { mayBeRoot, RUN_BLOCKS, sorts, spanOrderFaults } from "./span-order-rows.ts";

/** With fewer blocks all their rows are read. */
const FEW_BLOCKS = 8;

const blockSpans = sql.lit(BLOCK_SPANS);
const isNotSorted = sql<SqlBool>`spans.id >= (select coalesce(max(block), -1) + 1 from sorted_blocks) * ${blockSpans}`;
/** Of `span_keys`. */
const runs = sql`select distinct block / ${sql.lit(RUN_BLOCKS)} as run from sorted_blocks`;
const each = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(storableParameter(values))})`;

export const sqliteSpanOrders: SpanOrders = {
  partSpans: BLOCK_SPANS,

  hasKey(spanKeys) {
    const isOne = (key: RawBuilder<string>) => sql`${key} in (select value from ${each(spanKeys)})`;
    // Cross joins: SQLite then begins with the runs, whatever it believes of their number.
    return sql<SqlBool>`spans.id in (
      select keys.span_id from (${runs}) as runs cross join span_keys as keys
        where keys.run = runs.run and ${isOne(sql.ref("keys.span_key"))}
      union all select spans.id from spans where ${isNotSorted} and ${isOne(sql.ref("spans.span_key"))})`;
  },

  async list(database, ranking) {
    const bound = await findBound(database, ranking);
    const found = await readRows(database, ranking, bound);
    // The values have changed meanwhile, so that fewer lie beyond the bound.
    return found.length < ranking.limit && bound !== null ? readRows(database, ranking, null) : found;
  },

  latencies({ projectId, low, high, inside, cut, open, condition }) {
    const banded = (value: RawBuilder<number>) =>
      sql`${value} >= ${sql.lit(low)} ${high === null ? sql`` : sql`and ${value} < ${sql.lit(high)}`}`;
    const sorted = sql`rows.block = asked.block and rows.sort = ${sql.lit(sorts.latency)}
      and rows.project_id = ${projectId} and ${banded(sql.ref("rows.value"))}`;
    return sql`
      select rows.value as latency_us
      from (select value as block from ${each(inside)}) as asked cross join span_orders as rows where ${sorted}
      union all
      select rows.value as latency_us
      from (select value as block from ${each(cut)}
        union all select block from sorted_blocks where block >= ${sql.lit(open)}) as asked
      cross join span_orders as rows cross join spans
      where ${sorted} and spans.id = rows.span_id and ${condition}
      union all
      select spans.latency_us from spans
      where ${isNotSorted} and +spans.project_id = ${projectId} and ${banded(spanValues.latency)} and ${condition}`;
  },

  faults: spanOrderFaults,
};

/** True of the `rows` of `span_orders` that the page may have. */
function isRanked(ranking: SpanRanking): RawBuilder<SqlBool> {
  const sort = sorts[ranking.value] + (ranking.mayBeRoot ? 1 : 0);
  const from = fromStart(ranking, sql.ref("rows.value"), sql.ref("rows.span_id"));
  return sql<SqlBool>`rows.block = sorted_blocks.block and rows.sort = ${sql.lit(sort)}
    and rows.project_id = ${ranking.projectId}${from}`;
}

function fromStart({ direction, start }: SpanRanking, value: ValueOrder["value"], rowId: ValueOrder["rowId"]) {
  const from = onwards({ value, rowId, direction, nullable: false }, start);
  return from === null ? sql`` : sql` and ${from}`;
}

/** A value beyond which at least `limit` of the rows lay recently; null where all are to be read. */
async function findBound(database: Database, ranking: SpanRanking): Promise<number | null> {
  const { limit } = ranking;
  const first = await nthValues(database, ranking, 1, limit);
  if (first.length >= limit) return first[limit - 1]!;
  if (first.length <= FEW_BLOCKS) return null;
  // From fewer blocks more rows each: enough where half of them have so many.
  const rows = Math.ceil((2 * limit) / first.length);
  const blocks = Math.ceil(limit / rows);
  const values = await nthValues(database, ranking, rows, blocks);
  return values[blocks - 1] ?? null;
}

/** The value of the `rows`-th row of each block that has as many, the first `limit` of them. */
async function nthValues(database: Database, ranking: SpanRanking, rows: number, limit: number): Promise<number[]> {
  const way = sql.raw(ranking.direction);
  const found = await sql<{ value: number }>`
    select value from (select (
        select rows.value from span_orders as rows where ${isRanked(ranking)}
        order by rows.value ${way}, rows.span_id ${way} limit 1 offset ${sql.lit(rows - 1)}) as value
      from sorted_blocks)
    where value is not null order by value ${way} limit ${limit}`.execute(database);
  return found.rows.map(({ value }) => value);
}

async function readRows(database: Database, ranking: SpanRanking, bound: number | null) {
  const { value, direction, projectId, limit } = ranking;
  const way = sql.raw(direction);
  const inBound = (of: RawBuilder<number>) =>
    bound === null ? sql`` : sql` and ${of} ${direction === "asc" ? sql`<=` : sql`>=`} ${sql.lit(bound)}`;
  const ofSpan = spanValues[value];
  const { rows } = await sql<{ id: number; value: number }>`
    select id, value from (
      select rows.span_id as id, rows.value as value from sorted_blocks cross join span_orders as rows
        where ${isRanked(ranking)}${inBound(sql.ref("rows.value"))}
      union all
      select spans.id, ${ofSpan} from spans
        where ${isNotSorted} and +spans.project_id = ${projectId}
          ${isPositiveOnly(ranking) ? sql`and ${ofSpan} > 0` : sql``}${inBound(ofSpan)}
          ${fromStart(ranking, ofSpan, sql.ref("spans.id"))} ${ranking.mayBeRoot ? sql`and ${mayBeRoot}` : sql``}
    ) order by value ${way}, id ${way} limit ${limit}`.execute(database);
  return rows;
}
