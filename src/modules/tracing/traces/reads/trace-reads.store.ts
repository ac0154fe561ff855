// Rows of traces for GraphQL, which follows links: single rows, those of many sessions at once (session-traces), and what is counted
// over the spans of each trace.
import { sql } from "kysely";
import { type Json, parseJson } from "../../../../kernel/json.ts";
import { type SpanKind, spanKinds, spanStatuses } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceRecord } from "../traces.schema.ts";
import { createSessionTracesStore } from "./session-traces.store.ts";
import { seenTraces, userOfTrace } from "./trace-columns.store.ts";

const ERROR = spanStatuses.indexOf("ERROR");

export type TraceReadsStore = ReturnType<typeof createTraceReadsStore>;

export function createTraceReadsStore(dialect: Dialect) {
  const ofTraces = (ids: readonly number[]) => dialect.inList(sql.ref("spans.trace_id"), ids);

  return {
    ...createSessionTracesStore(dialect),

    async find(
      context: CallContext,
      keys: { readonly ids: readonly number[] } | { readonly traceKeys: readonly string[] },
    ): Promise<TraceRecord[]> {
      const wanted =
        "ids" in keys ? dialect.inList(sql.ref("id"), keys.ids) : dialect.inList(sql.ref("trace_key"), keys.traceKeys);
      return seenTraces(context).where(wanted).execute();
    },

    async countKinds(context: CallContext, traceIds: readonly number[]) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select((eb) => ["trace_id as traceId", "kind", eb.fn.countAll<number>().as("count")])
        .where(ofTraces(traceIds))
        .groupBy(["trace_id", "kind"])
        .orderBy("kind")
        .execute();
      return rows.map((row): { traceId: number; kind: SpanKind; count: number } => ({
        traceId: row.traceId,
        kind: spanKinds[row.kind]!,
        count: Number(row.count),
      }));
    },

    /** The events of every failed span, in the order of the spans' start. */
    async listErrorEvents(
      context: CallContext,
      traceIds: readonly number[],
    ): Promise<{ traceId: number; events: Json }[]> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("spans")
        .innerJoin("span_payloads", "span_payloads.span_id", "spans.id")
        .select(["spans.trace_id as traceId", dialect.jsonText(sql.ref("span_payloads.events")).as("events")])
        .where(ofTraces(traceIds))
        .where("spans.status", "=", ERROR)
        .orderBy("spans.start_us")
        .orderBy("spans.id")
        .execute();
      return rows.map(({ traceId, events }) => ({ traceId, events: parseJson(events) }));
    },

    /** The user of the earliest span that names one. */
    async findUsers(context: CallContext, traceIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["traces.id", userOfTrace.as("userKey")])
        .where(dialect.inList(sql.ref("traces.id"), traceIds))
        .execute();
      return new Map(rows.flatMap(({ id, userKey }) => (userKey === null ? [] : [[id, userKey] as const])));
    },
  };
}
