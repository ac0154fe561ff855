// Rows of traces for GraphQL, which follows links: single rows, pages of many sessions at once, and what is counted
// over the spans of each trace.
import { sql } from "kysely";
import { type Json, parseJson } from "../../kernel/json.ts";
import { type PageRequest, type PlacedPage, pageOfRows } from "../../kernel/list.ts";
import { type SpanKind, spanKinds, spanStatuses } from "../../model/span.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { onwards, type ValueOrder } from "../../storage/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { TraceRecord } from "./traces.schema.ts";

/** Of `traces`: a TraceRecord. */
export const traceColumns = [
  "traces.id",
  "traces.trace_key as traceKey",
  "traces.project_id as projectId",
  "traces.session_id as sessionId",
  "traces.start_us as startUs",
  "traces.end_us as endUs",
  "traces.latency_us as latencyUs",
  "traces.span_count as spanCount",
  "traces.error_count as errorCount",
  "traces.prompt_tokens as promptTokens",
  "traces.completion_tokens as completionTokens",
] as const;

/** Of the traces of a session. */
const byStart: ValueOrder = {
  value: sql.ref<number>("traces.start_us"),
  rowId: sql.ref<number>("traces.id"),
  direction: "asc",
  nullable: false,
};
const ERROR = spanStatuses.indexOf("ERROR");

export type TraceReadsStore = ReturnType<typeof createTraceReadsStore>;

export function createTraceReadsStore(dialect: Dialect) {
  const traces = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("traces")
      .select(traceColumns)
      .where("traces.span_count", ">", 0);
  const ofTraces = (ids: readonly number[]) => dialect.inList(sql.ref("spans.trace_id"), ids);

  return {
    async find(
      context: CallContext,
      keys: { readonly ids: readonly number[] } | { readonly traceKeys: readonly string[] },
    ): Promise<TraceRecord[]> {
      const wanted =
        "ids" in keys ? dialect.inList(sql.ref("id"), keys.ids) : dialect.inList(sql.ref("trace_key"), keys.traceKeys);
      return traces(context).where(wanted).execute();
    },

    /** One page of each session, by start, by row id of the session: `most` rows of all sessions together, counting one behind each
     *  page. Null when there are more. */
    async listOfSessions(
      context: CallContext,
      sessionIds: readonly number[],
      { start, limit }: PageRequest,
      most: number,
    ): Promise<Map<number, PlacedPage<TraceRecord>> | null> {
      const from = onwards(byStart, start);
      const numbered = traces(context)
        .select(
          sql<number>`row_number() over (partition by traces.session_id order by traces.start_us, traces.id)`.as(
            "position",
          ),
        )
        .where(dialect.inList(sql.ref("traces.session_id"), sessionIds));
      const found = await context.database
        .read(context, "short")
        .selectFrom((from === null ? numbered : numbered.where(from)).as("numbered"))
        .selectAll()
        .where("position", "<=", limit + 1)
        .orderBy("sessionId")
        .orderBy("startUs")
        .orderBy("id")
        .limit(most + 1)
        .execute();
      if (found.length > most) return null;
      const listed = found.map(({ position: _position, ...trace }): TraceRecord => trace);
      const bySession = Map.groupBy(listed, (trace) => trace.sessionId!);
      const place = ({ startUs, id }: TraceRecord) => ({ value: startUs, rowId: id });
      return new Map([...bySession].map(([id, rows]) => [id, pageOfRows(rows, limit, place)]));
    },

    /** Microseconds, by row id of the session. */
    async latencyQuantile(
      context: CallContext,
      sessionIds: readonly number[],
      probability: number,
    ): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "slow")
        .selectFrom("traces")
        .select(["session_id", dialect.quantile(sql.ref("latency_us"), probability).as("quantile")])
        .where(dialect.inList(sql.ref("session_id"), sessionIds))
        .where("span_count", ">", 0)
        .groupBy("session_id")
        .execute();
      return new Map(rows.map((row) => [row.session_id!, row.quantile ?? 0]));
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
      const numbered = context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["trace_id as traceId", "user_key as userKey"])
        .select(sql<number>`row_number() over (partition by trace_id order by start_us, id)`.as("position"))
        .where(ofTraces(traceIds))
        .where("user_key", "is not", null);
      const rows = await context.database
        .read(context, "short")
        .selectFrom(numbered.as("numbered"))
        .selectAll()
        .where("position", "=", 1)
        .execute();
      return new Map(rows.map((row) => [row.traceId, row.userKey!]));
    },

    /** The same over all traces of a session, in the order of trace start. */
    async findSessionUsers(context: CallContext, sessionIds: readonly number[]): Promise<Map<number, string>> {
      // A value for each session, found at the beginning of its traces: one may have thousands.
      const user = sql<string | null>`(select spans.user_key from traces join spans on spans.trace_id = traces.id
        where traces.session_id = sessions.id and spans.user_key is not null
        order by traces.start_us, traces.id, spans.start_us, spans.id limit 1)`;
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .select(["sessions.id", user.as("userKey")])
        .where(dialect.inList(sql.ref("sessions.id"), sessionIds))
        .execute();
      return new Map(rows.flatMap(({ id, userKey }) => (userKey === null ? [] : [[id, userKey] as const])));
    },
  };
}
