// The spans and turns that examples are made of.
import { sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export type SpanSourcesStore = ReturnType<typeof createSpanSourcesStore>;

export function createSpanSourcesStore(dialect: Dialect) {
  return {
    /** Row ids by their exporters' ids; of those that share one, the newest. Unknown ids are left out. */
    async findSpans(context: CallContext, spanKeys: readonly string[]): Promise<Map<string, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .select(["id", "span_key"])
        .where(dialect.spanOrders.hasKey(spanKeys))
        .orderBy("id")
        .execute();
      return new Map(rows.map((row) => [row.span_key, row.id]));
    },

    /** Row ids of the traces of sessions, the oldest first; sessions that are not there are left out. */
    async listTurns(context: CallContext, sessionIds: readonly number[]): Promise<Map<number, number[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("sessions")
        .leftJoin("traces", (join) =>
          join.onRef("traces.session_id", "=", "sessions.id").on("traces.span_count", ">", 0),
        )
        .select(["sessions.id as sessionId", "traces.id as traceId"])
        .where(dialect.inList(sql.ref("sessions.id"), sessionIds))
        .orderBy("traces.start_us")
        .orderBy("traces.id")
        .execute();
      return new Map(
        [...Map.groupBy(rows, ({ sessionId }) => sessionId)].map(([id, turns]) => [
          id,
          turns.flatMap(({ traceId }) => traceId ?? []),
        ]),
      );
    },
  };
}
