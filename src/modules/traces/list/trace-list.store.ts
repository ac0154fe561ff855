// The traces of a project as people look at them: pages by any of a few sorts, and the figures over all that match.
import { type RawBuilder, sql } from "kysely";
import type { Filter } from "../../../filter/filter.ts";
import type { Settled } from "../../../filter/settled.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { behind, type SortOrder, type SortPlace, sortedBy } from "../../../storage/paging.ts";
import { isUnbounded, type Range } from "../../../storage/period.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import { traceColumns } from "../trace-reads.store.ts";
import type { TraceRecord } from "../traces.schema.ts";

/** What a list may be sorted by; the first two have an index. */
const sortValues = {
  startTime: sql.ref<number>("traces.start_us"),
  latencyMs: sql.ref<number>("traces.latency_us"),
  numSpans: sql.ref<number>("traces.span_count"),
  errorCount: sql.ref<number>("traces.error_count"),
  tokenCountTotal: sql<number>`(traces.prompt_tokens + traces.completion_tokens)`,
} as const satisfies Record<string, RawBuilder<number>>;
export type TraceListSort = keyof typeof sortValues;
export const traceListSorts = Object.keys(sortValues) as [TraceListSort, ...TraceListSort[]];

/** Traces of a project that start in the range and match; a null filter narrows nothing. */
export interface TraceListScope {
  readonly projectId: number;
  readonly range: Range;
  readonly filter: Settled<Filter> | null;
}

export interface TraceListRows extends TraceListScope {
  readonly sort: TraceListSort;
  readonly direction: "asc" | "desc";
  /** The place before the page. */
  readonly after: SortPlace | null;
  readonly limit: number;
}

export interface SortedTrace extends TraceRecord {
  /** What the list is sorted by. */
  readonly sortValue: number;
}

/** Microseconds; the quantiles are null without traces. */
export interface TraceFigures {
  readonly count: number;
  /** Traces in which a span failed. */
  readonly errorCount: number;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type TraceListStore = ReturnType<typeof createTraceListStore>;

export function createTraceListStore(dialect: Dialect) {
  const tracesOf = (context: CallContext, { projectId, range, filter }: TraceListScope, readClass: ReadClass) => {
    let query = context.database
      .read(context, readClass)
      .selectFrom("traces")
      .where("traces.project_id", "=", projectId)
      .where("traces.span_count", ">", 0);
    if (range.startUs !== null) query = query.where("traces.start_us", ">=", range.startUs);
    if (range.endUs !== null) query = query.where("traces.start_us", "<", range.endUs);
    return filter === null ? query : query.where(filter.condition(dialect, "traces"));
  };

  return {
    async list(context: CallContext, rows: TraceListRows): Promise<SortedTrace[]> {
      const { sort, direction, after, limit } = rows;
      const value = sortValues[sort];
      const order: SortOrder = { value, rowId: sql.ref<number>("traces.id"), direction, nullable: false };
      const query = tracesOf(context, rows, readClassOf(rows))
        .select(traceColumns)
        .select(value.as("sortValue"))
        .orderBy(sortedBy(order))
        .limit(limit);
      return (after === null ? query : query.where(behind(order, after))).execute();
    },

    async figures(context: CallContext, scope: TraceListScope): Promise<TraceFigures> {
      const sum = (what: RawBuilder<unknown>) => sql<number>`cast(coalesce(sum(${what}), 0) as bigint)`;
      const latency = sql.ref<number>("traces.latency_us");
      const row = await tracesOf(context, scope, "slow")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .select([
          sum(sql`case when traces.error_count > 0 then 1 else 0 end`).as("errorCount"),
          dialect.quantile(latency, 0.5).as("p50Us"),
          dialect.quantile(latency, 0.99).as("p99Us"),
          sum(sql.ref("traces.prompt_tokens")).as("promptTokens"),
          sum(sql.ref("traces.completion_tokens")).as("completionTokens"),
        ])
        .executeTakeFirstOrThrow();
      return { ...row, count: Number(row.count) };
    },
  };
}

/** Slow is what may pass over many traces before a page is full. */
function readClassOf({ sort, range, filter }: TraceListRows): ReadClass {
  if (filter !== null) return "slow";
  return sort === "startTime" || (sort === "latencyMs" && isUnbounded(range)) ? "short" : "slow";
}
