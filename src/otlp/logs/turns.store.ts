// The rows of turns: where a step belongs that does not say so, and how long a turn lasts.
import { type SqlBool, sql } from "kysely";
import type { Dialect } from "../../storage/dialect.ts";
import { markBlocks } from "../../storage/span-blocks.ts";
import type { CallContext } from "../../storage/storage.ts";
import { turnKeyOf } from "./turns.ts";

interface BegunTurn {
  readonly traceKey: string;
  readonly startUs: number;
}

/** The events of one export are hardly spread over more. */
const MOST_TURNS = 500;

export type TurnsStore = ReturnType<typeof createTurnsStore>;

export function createTurnsStore(dialect: Dialect) {
  return {
    /** The last turns of a session that began at that time or before, the latest first. */
    async listTurns(context: CallContext, sessionKey: string, untilUs: number): Promise<BegunTurn[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .innerJoin("sessions", "sessions.id", "traces.session_id")
        .select(["traces.trace_key", "traces.start_us"])
        .where("sessions.session_key", "=", sessionKey)
        .where("traces.span_count", ">", 0)
        .where("traces.start_us", "<=", untilUs)
        .orderBy("traces.start_us", "desc")
        .orderBy("traces.id", "desc")
        .limit(MOST_TURNS)
        .execute();
      return rows.map(({ trace_key: traceKey, start_us: startUs }) => ({ traceKey, startUs }));
    },

    /** Those of the traces whose turn ends before its last step does. */
    async listShort(context: CallContext, traceKeys: readonly string[]): Promise<string[]> {
      const turnKeys = traceKeys.map(turnKeyOf);
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .innerJoin("spans", "spans.trace_id", "traces.id")
        .select("trace_key")
        .where(dialect.inList(sql.ref("trace_key"), traceKeys))
        .where(dialect.inList(sql.ref("span_key"), turnKeys))
        .whereRef("traces.end_us", ">", sql`spans.start_us + spans.latency_us`)
        .execute();
      return rows.map((row) => row.trace_key);
    },

    /** Lets the turns of these traces last as long as what belongs to them. The traces must be locked. */
    async extendTurns(context: CallContext, traceIds: readonly number[]): Promise<void> {
      const database = context.database.write(context);
      const traces = await database
        .selectFrom("traces")
        .select(["id", "trace_key", "end_us"])
        .where(dialect.inList(sql.ref("id"), traceIds))
        .execute();
      for (const { id, trace_key, end_us } of traces) {
        const changed = await database
          .updateTable("spans")
          .set({ latency_us: sql<number>`${end_us} - start_us` })
          .where("trace_id", "=", id)
          .where("span_key", "=", turnKeyOf(trace_key))
          .where(sql<SqlBool>`start_us + latency_us < ${end_us}`)
          .returning("id")
          .execute();
        await markBlocks(
          database,
          changed.map((span) => span.id),
        );
      }
    },
  };
}
