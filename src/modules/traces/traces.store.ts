// The rows of traces and of their spans in a list. A row without spans is not yet a trace and is never shown.
import { sql } from "kysely";
import type { Filter } from "../../filter/filter.ts";
import type { Settled } from "../../filter/settled.ts";
import type { Keyset, Order } from "../../kernel/keyset.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext, ReadClass } from "../../storage/storage.ts";
import { spanKinds, spanStatuses } from "./span.schema.ts";
import type { Trace, TraceSpan } from "./traces.schema.ts";

export type TraceSort = "start_time" | "latency_ms";

/** Null members narrow nothing. Instants and latencies in microseconds. */
export interface TraceFilter {
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Row ids. */
  readonly sessionIds: readonly number[] | null;
  readonly error: boolean | null;
  readonly minLatencyUs: number | null;
  readonly maxLatencyUs: number | null;
  readonly condition: Settled<Filter> | null;
}

export interface TraceRows {
  readonly projectId: number;
  readonly filter: TraceFilter;
  readonly sort: TraceSort;
  readonly order: Order;
  readonly from: Keyset | null;
  readonly limit: number;
}

/** A trace with what its place in a list is made of. */
export interface TraceRow extends Trace {
  readonly latencyUs: number;
  readonly spanCount: number;
}

const columns = [
  "id",
  "trace_key as traceKey",
  "project_id as projectId",
  "start_us as startUs",
  "end_us as endUs",
  "latency_us as latencyUs",
  "prompt_tokens as promptTokens",
  "completion_tokens as completionTokens",
  "span_count as spanCount",
] as const;

export type TracesStore = ReturnType<typeof createTracesStore>;

export function createTracesStore(dialect: Dialect) {
  return {
    async list(context: CallContext, rows: TraceRows): Promise<TraceRow[]> {
      const { filter, sort, order } = rows;
      const bySession = filter.sessionIds !== null;
      const column = sort === "start_time" ? "start_us" : "latency_us";
      // The traces of sessions are few and are sorted; otherwise the index of the sort is walked until the page is full.
      const value = bySession ? sql<number>`${sql.ref(column)} + 0` : sql.ref<number>(column);
      const project = sql.ref<number>("project_id");
      let query = context.database
        .read(context, readClassOf(filter, sort))
        .selectFrom("traces")
        .select(columns)
        .where(bySession ? dialect.withoutIndex(project) : project, "=", rows.projectId)
        .where("span_count", ">", 0)
        .orderBy(value, order)
        .orderBy("id", order)
        .limit(rows.limit);
      if (filter.sessionIds !== null) query = query.where(dialect.inList(sql.ref("session_id"), filter.sessionIds));
      if (filter.startUs !== null) query = query.where("start_us", ">=", filter.startUs);
      if (filter.endUs !== null) query = query.where("start_us", "<", filter.endUs);
      if (filter.minLatencyUs !== null) query = query.where("latency_us", ">=", filter.minLatencyUs);
      if (filter.maxLatencyUs !== null) query = query.where("latency_us", "<=", filter.maxLatencyUs);
      // Written out, not as parameters: only so the index of traces with errors is seen to hold them all.
      if (filter.error === true) query = query.where(sql<boolean>`error_count > 0`);
      if (filter.error === false) query = query.where("error_count", "=", 0);
      if (filter.condition !== null) query = query.where(filter.condition.condition(dialect, "traces"));
      if (rows.from !== null) {
        const along = order === "desc" ? "<=" : ">=";
        const { value: fromValue, rowId } = rows.from;
        query = query
          .where(value, along, fromValue)
          .where((eb) => eb.or([eb(value, "<>", fromValue), eb("id", along, rowId)]));
      }
      return query.execute();
    },

    /** By row ids or external ids; those that are not found are left out. */
    async find(
      context: CallContext,
      keys: { readonly ids: readonly number[] } | { readonly traceKeys: readonly string[] },
    ): Promise<TraceRow[]> {
      const wanted =
        "ids" in keys ? dialect.inList(sql.ref("id"), keys.ids) : dialect.inList(sql.ref("trace_key"), keys.traceKeys);
      return context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(columns)
        .where(wanted)
        .where("span_count", ">", 0)
        .execute();
    },

    /** The spans of traces by the row id of their trace, each list by start time. */
    async listSpans(
      context: CallContext,
      traceIds: readonly number[],
      readClass: ReadClass,
    ): Promise<Map<number, TraceSpan[]>> {
      const spans = new Map<number, TraceSpan[]>(traceIds.map((id) => [id, []]));
      if (traceIds.length === 0) return spans;
      const rows = await context.database
        .read(context, readClass)
        .selectFrom("spans")
        .select(["id", "trace_id", "span_key", "parent_key", "name", "kind", "status", "start_us", "latency_us"])
        .where(dialect.inList(sql.ref("trace_id"), traceIds))
        .orderBy("trace_id")
        .orderBy("start_us")
        .orderBy("id")
        .execute();
      for (const row of rows) {
        spans.get(row.trace_id)?.push({
          id: row.id,
          spanKey: row.span_key,
          parentKey: row.parent_key,
          name: row.name,
          kind: spanKinds[row.kind]!,
          status: spanStatuses[row.status]!,
          startUs: row.start_us,
          endUs: row.start_us + row.latency_us,
        });
      }
      return spans;
    },

    /** Row ids of the sessions of a project with these external ids. */
    async findSessions(context: CallContext, projectId: number, sessionKeys: readonly string[]): Promise<number[]> {
      if (sessionKeys.length === 0) return [];
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select("id")
        .where(dialect.inList(sql.ref("session_key"), sessionKeys))
        .where(dialect.withoutIndex(sql.ref<number>("project_id")), "=", projectId)
        .execute();
      return rows.map((row) => row.id);
    },
  };
}

/** Slow is what may have to pass over many traces before a page is full. */
function readClassOf(filter: TraceFilter, sort: TraceSort): ReadClass {
  if (filter.condition !== null) return "slow";
  if (filter.sessionIds !== null) return "short";
  const byLatency = filter.minLatencyUs !== null || filter.maxLatencyUs !== null;
  const byStart = filter.startUs !== null || filter.endUs !== null;
  if (sort === "latency_ms") return byStart || filter.error !== null ? "slow" : "short";
  return byLatency || filter.error === false ? "slow" : "short";
}
