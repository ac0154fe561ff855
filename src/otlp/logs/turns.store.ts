// The rows of turns: where a step belongs that does not say so, and how long a turn lasts.
import { sql } from "kysely";
import type { TurnInTime } from "../../ingest/incoming-logs.ts";
import type { Dialect } from "../../storage/dialect.ts";
import type { CallContext } from "../../storage/storage.ts";
import { turnKeyOf } from "./turns.ts";

export type TurnsStore = ReturnType<typeof createTurnsStore>;

export function createTurnsStore(dialect: Dialect) {
  return {
    /** The trace of the last turn of the session that began at that time or before, or null. */
    async findTurn(context: CallContext, { sessionKey, timeUs }: TurnInTime): Promise<string | null> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .innerJoin("sessions", "sessions.id", "traces.session_id")
        .select("traces.trace_key")
        .where("sessions.session_key", "=", sessionKey)
        .where("traces.span_count", ">", 0)
        .where("traces.start_us", "<=", timeUs)
        .orderBy("traces.start_us", "desc")
        .orderBy("traces.id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.trace_key ?? null;
    },

    /** Lets turns last as long as what belongs to them. */
    async extendTurns(context: CallContext, traceKeys: readonly string[]): Promise<void> {
      const rows = traceKeys.map((traceKey) => [traceKey, turnKeyOf(traceKey)]);
      const member = (position: number) => dialect.member(sql.ref("value"), position, "text");
      // Under the lock of the span itself: whichever server comes last sees the end of the trace that all of them have written.
      await sql`update spans set latency_us = (select traces.end_us from traces where traces.id = spans.trace_id) - start_us
        where id in (
          select s.id from (select ${member(0)} as trace_key, ${member(1)} as span_key from ${dialect.jsonRows(rows)}) as turn
          join traces t on t.trace_key = turn.trace_key
          join spans s on s.trace_id = t.id and s.span_key = turn.span_key
          where s.start_us + s.latency_us < t.end_us
        )`.execute(context.database.write(context));
    },
  };
}
