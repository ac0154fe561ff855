// Traces for GraphQL, which follows links: many at once, never one statement a row.
import { fail } from "../../../../kernel/failure.ts";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { SpanKind } from "../../../../model/span.ts";
import { exceptionTypeOf } from "../../../../model/summaries/blocks/facets.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceRecord } from "../traces.schema.ts";
import type { TraceReadsStore } from "./trace-reads.store.ts";

/** Rows that one question may bring for many sessions together. */
const MAX_ROWS = 20_000;

export interface KindCount {
  readonly kind: SpanKind;
  readonly count: number;
}

export interface ErrorTypeCount {
  /** Null for spans that failed without an exception. */
  readonly exceptionType: string | null;
  readonly count: number;
}

export interface TraceReadsService extends Pick<TraceReadsStore, "latencyQuantile" | "findUsers" | "findSessionUsers"> {
  /** By row id; rows without spans are not traces yet. */
  findTraces(context: CallContext, ids: readonly number[]): Promise<Map<number, TraceRecord>>;
  /** By the sender's id. */
  findTracesByKey(context: CallContext, traceKeys: readonly string[]): Promise<Map<string, TraceRecord>>;
  findTraceByKey(context: CallContext, traceKey: string): Promise<TraceRecord | null>;
  /** One page of each session by start time, by row id of the session. Throws kind `invalid` beyond MAX_ROWS in all. */
  listOfSessions(
    context: CallContext,
    sessionIds: readonly number[],
    page: PageRequest,
  ): Promise<Map<number, PlacedPage<TraceRecord>>>;
  countKinds(context: CallContext, traceIds: readonly number[]): Promise<Map<number, KindCount[]>>;
  /** What the failed spans of each trace failed with, most frequent first. */
  countErrorTypes(context: CallContext, traceIds: readonly number[]): Promise<Map<number, ErrorTypeCount[]>>;
}

export function createTraceReadsService(store: TraceReadsStore): TraceReadsService {
  return {
    latencyQuantile: store.latencyQuantile,
    findUsers: store.findUsers,
    findSessionUsers: store.findSessionUsers,

    async findTraces(context, ids) {
      const found = await store.find(context, { ids });
      return new Map(found.map((trace) => [trace.id, trace]));
    },

    async findTracesByKey(context, traceKeys) {
      const found = await store.find(context, { traceKeys });
      return new Map(found.map((trace) => [trace.traceKey, trace]));
    },

    async findTraceByKey(context, traceKey) {
      const [trace] = await store.find(context, { traceKeys: [traceKey] });
      return trace ?? null;
    },

    async listOfSessions(context, sessionIds, page) {
      const found = await store.listOfSessions(context, sessionIds, page, MAX_ROWS);
      if (found !== null) return found;
      throw fail("traces.too_many", "invalid", `first: more than ${MAX_ROWS} traces in all; ask for fewer`);
    },

    async countKinds(context, traceIds) {
      return Map.groupBy(await store.countKinds(context, traceIds), (row) => row.traceId);
    },

    async countErrorTypes(context, traceIds) {
      const byTrace = Map.groupBy(await store.listErrorEvents(context, traceIds), (row) => row.traceId);
      return new Map(
        [...byTrace].map(([traceId, rows]) => {
          const counts = Map.groupBy(rows, (row) => exceptionTypeOf(row.events));
          const types = [...counts].map(([exceptionType, failed]) => ({ exceptionType, count: failed.length }));
          return [traceId, types.sort((one, other) => other.count - one.count)];
        }),
      );
    },
  };
}
