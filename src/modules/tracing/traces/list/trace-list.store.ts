// The traces of a project: pages by any of a few sorts, and the figures over all that match. A row without spans is not yet a trace
// and is never shown.
import { type RawBuilder, sql } from "kysely";
import type { Filter } from "../../../../filter/filter.ts";
import type { Settled } from "../../../../filter/settled.ts";
import type { PlacedPage, SortedRequest } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { readPage } from "../../../../storage/list.ts";
import { isUnbounded, type Range } from "../../../../storage/period.ts";
import type { CallContext, ReadClass } from "../../../../storage/storage.ts";
import type { TimeBins } from "../../../../storage/time-bins.ts";
import { createAnnotatedStore } from "../../../../summaries/blocks/annotated.store.ts";
import { traceColumns } from "../reads/trace-columns.store.ts";
import type { TraceRecord } from "../traces.schema.ts";
import type { TraceSort } from "./trace-list.rules.ts";

const sortColumns: Readonly<Record<TraceSort, RawBuilder<number>>> = {
  startTime: sql.ref("traces.start_us"),
  latencyMs: sql.ref("traces.latency_us"),
  numSpans: sql.ref("traces.span_count"),
  errorCount: sql.ref("traces.error_count"),
  tokenCountTotal: sql`(traces.prompt_tokens + traces.completion_tokens)`,
  costTotal: sql.ref("traces.cost"),
};

/** What traces are narrowed by besides their project and a condition: those that start in the range, in microseconds. Null members
 *  narrow nothing. */
export interface TraceNarrowing extends Range {
  readonly error: boolean | null;
  /** Microseconds. */
  readonly minLatencyUs: number | null;
  readonly maxLatencyUs: number | null;
}

export interface TraceScope extends TraceNarrowing {
  readonly projectId: number;
  /** Row ids. */
  readonly sessionIds: readonly number[] | null;
  /** Row ids, those that a search found. */
  readonly traceIds: readonly number[] | null;
  readonly filter: Settled<Filter> | null;
}

/** Microseconds; the quantiles are null without traces. */
export interface FiguresOfTraces {
  readonly count: number;
  /** Traces in which a span failed. */
  readonly errorCount: number;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 10^-12 USD; 0 where nothing of it is known. */
  readonly cost: number;
}

/** The rows of `traces` in a scope. */
export function tracesOf(dialect: Dialect, context: CallContext, scope: TraceScope, readClass: ReadClass) {
  const { sessionIds, traceIds, startUs, endUs, minLatencyUs, maxLatencyUs, error, filter } = scope;
  const project = sql.ref<number>("traces.project_id");
  let query = context.database
    .read(context, readClass)
    .selectFrom("traces")
    .where(isNamed(scope) ? dialect.withoutIndex(project) : project, "=", scope.projectId)
    .where("traces.span_count", ">", 0);
  if (sessionIds !== null) query = query.where(dialect.inList(sql.ref("traces.session_id"), sessionIds));
  if (traceIds !== null) query = query.where(dialect.inList(sql.ref("traces.id"), traceIds));
  if (startUs !== null) query = query.where("traces.start_us", ">=", startUs);
  if (endUs !== null) query = query.where("traces.start_us", "<", endUs);
  if (minLatencyUs !== null) query = query.where("traces.latency_us", ">=", minLatencyUs);
  if (maxLatencyUs !== null) query = query.where("traces.latency_us", "<=", maxLatencyUs);
  // Written out, not as parameters: only so the index of traces with errors is seen to hold them all.
  if (error === true) query = query.where(sql<boolean>`traces.error_count > 0`);
  if (error === false) query = query.where("traces.error_count", "=", 0);
  return filter === null ? query : query.where(filter.condition(dialect, "traces"));
}

export type TraceListStore = ReturnType<typeof createTraceListStore>;

export function createTraceListStore(dialect: Dialect) {
  const annotated = createAnnotatedStore(dialect);

  /** The scope narrowed to the traces that have the annotations which its condition requires, where these are few. */
  async function narrowed(context: CallContext, scope: TraceScope): Promise<TraceScope> {
    if (scope.traceIds !== null || scope.filter === null || scope.filter.annotated === null) return scope;
    return { ...scope, traceIds: await annotated.findIds(context, scope.filter.annotated) };
  }

  return {
    async list(
      context: CallContext,
      requested: TraceScope,
      request: SortedRequest<TraceSort>,
    ): Promise<PlacedPage<TraceRecord>> {
      const column = sortColumns[request.sort];
      const scope = await narrowed(context, requested);
      // Traces that are named, or whose sessions are, are few and are sorted; otherwise the index of the sort is walked until the page
      // is full.
      const value = isNamed(scope) ? sql<number>`${column} + 0` : column;
      const order = { value, rowId: sql.ref<number>("traces.id"), direction: request.order, nullable: false };
      const traces = tracesOf(dialect, context, scope, readClassOf(scope, request.sort));
      return readPage(traces.select(traceColumns), order, request);
    },

    async figures(context: CallContext, scope: TraceScope): Promise<FiguresOfTraces> {
      const sum = (what: RawBuilder<unknown>) => sql<number>`cast(coalesce(sum(${what}), 0) as bigint)`;
      const latency = sql.ref<number>("traces.latency_us");
      const row = await tracesOf(dialect, context, await narrowed(context, scope), "slow")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .select([
          sum(sql`case when traces.error_count > 0 then 1 else 0 end`).as("errorCount"),
          dialect.quantile(latency, 0.5).as("p50Us"),
          dialect.quantile(latency, 0.99).as("p99Us"),
          sum(sql.ref("traces.prompt_tokens")).as("promptTokens"),
          sum(sql.ref("traces.completion_tokens")).as("completionTokens"),
          // As text: beyond 2^53 the databases answer each in its own way.
          sql<string>`cast(coalesce(sum(traces.cost), 0) as text)`.as("cost"),
        ])
        .executeTakeFirstOrThrow();
      return { ...row, count: Number(row.count), cost: Number(row.cost) };
    },

    /** All traces and those with an error, by the bin of their start. */
    async countByBin(context: CallContext, scope: TraceScope, bins: TimeBins) {
      const bin = dialect.timeBin(sql.ref("traces.start_us"), bins);
      const errors = sql<number>`cast(sum(case when traces.error_count > 0 then 1 else 0 end) as bigint)`;
      const rows = await tracesOf(dialect, context, await narrowed(context, scope), "slow")
        .select((eb) => [bin.as("bin"), eb.fn.countAll<number>().as("count"), errors.as("errors")])
        .groupBy(bin)
        .execute();
      return rows.map((row) => ({ bin: row.bin, count: Number(row.count), errors: Number(row.errors) }));
    },
  };
}

/** Whether a list of ids says which traces, or those of which sessions. */
function isNamed({ sessionIds, traceIds }: TraceScope): boolean {
  return sessionIds !== null || traceIds !== null;
}

/** Slow is what may have to pass over many traces before a page is full. */
function readClassOf(scope: TraceScope, sort: TraceSort): ReadClass {
  // Of a range in another order than that of time there may be too few to walk past all others for them.
  if (scope.filter !== null) return !isNamed(scope) && (sort === "startTime" || isUnbounded(scope)) ? "walk" : "slow";
  if (isNamed(scope)) return "short";
  if (sort === "latencyMs") return isUnbounded(scope) && scope.error === null ? "short" : "slow";
  const byLatency = scope.minLatencyUs !== null || scope.maxLatencyUs !== null;
  return sort !== "startTime" || byLatency || scope.error === false ? "slow" : "short";
}
