// Keys and orders of spans on PostgreSQL: indexes led by the epoch, 65,536 consecutive ids, whose pages stay in memory while spans
// arrive. Each epoch is asked once, and their answers are merged.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { onwards, sortedBy, type ValueOrder } from "../list.ts";
import { type BandedSpans, isPositiveOnly, type SpanOrders, spanValues } from "../span-orders.ts";

const EPOCH_SPANS = 65_536;

/** Every epoch from this one on that holds spans. */
const epochsFrom = (first: number) =>
  sql`generate_series(${sql.lit(first)}::bigint, (select coalesce(max(id), 0) / ${sql.lit(EPOCH_SPANS)} from spans))`;
/** An array, as a value that is known before the index is read. */
const anyEpochFrom = (first: number) => sql`any(array(select ${epochsFrom(first)}))`;

export const postgresSpanOrders: SpanOrders = {
  partSpans: EPOCH_SPANS,

  hasKey: (spanKeys) =>
    sql<SqlBool>`(spans.epoch = ${anyEpochFrom(0)} and spans.span_key = any(${[...spanKeys]}::text[]))`,

  async list(database, ranking) {
    const { value, projectId, mayBeRoot, direction, start, limit } = ranking;
    const ofSpan = spanValues[value];
    const order: ValueOrder = { value: ofSpan, rowId: sql.ref<number>("spans.id"), direction, nullable: false };
    const from = onwards(order, start);
    const way = sql.raw(direction);
    const { rows } = await sql<{ id: number; value: number }>`
      select first.id, first.value from ${epochsFrom(0)} as each_epoch(epoch) cross join lateral (
        select spans.id, ${ofSpan} as value from spans
        where spans.epoch = each_epoch.epoch and spans.project_id = ${projectId}
          ${mayBeRoot ? sql`and spans.may_be_root = 1` : sql``} ${isPositiveOnly(ranking) ? sql`and ${ofSpan} > 0` : sql``}
          ${from === null ? sql`` : sql`and ${from}`}
        order by ${sortedBy(order)} limit ${limit}) as first
      order by first.value ${way}, first.id ${way} limit ${limit}`.execute(database);
    return rows;
  },

  latencies(band) {
    return sql`${inBand(band, sql`any(${[...band.inside]}::bigint[])`)}
      union all ${inBand(band, sql`any(${[...band.cut]}::bigint[])`)} and ${band.condition}
      union all ${inBand(band, anyEpochFrom(band.open))} and ${band.condition}`;
  },

  faults: {
    "spans that may be roots and are not marked so": sql`select count(*) as count from spans
      where may_be_root = 0 and (parent_key is null or not exists (select 1 from spans as parent
        where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key))`,
  },
};

function inBand({ projectId, low, high }: BandedSpans, ofEpoch: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select spans.latency_us from spans where spans.epoch = ${ofEpoch} and spans.project_id = ${projectId}
    ${low === 0 ? sql`` : sql`and spans.latency_us >= ${sql.lit(low)}`}
    ${high === null ? sql`` : sql`and spans.latency_us < ${sql.lit(high)}`}`;
}
