// The session that a trace gets by messages. The trace must be locked.
import type { CallContext } from "../../storage/storage.ts";
import type { SummedTrace } from "../../storage/trace-sums.ts";

export type MessagedTracesStore = ReturnType<typeof createMessagedTracesStore>;

export function createMessagedTracesStore() {
  return {
    /** The row of a session, made where there is none; of no project but this one. */
    async ensureSession(context: CallContext, sessionKey: string, { projectId, totals }: SummedTrace): Promise<number> {
      const database = context.database.write(context);
      const { startUs: start_us, endUs: end_us } = totals;
      await database
        .insertInto("sessions")
        .values({ session_key: sessionKey, project_id: projectId, start_us, end_us })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await database
        .selectFrom("sessions")
        .select("id")
        .where("session_key", "=", sessionKey)
        .executeTakeFirstOrThrow();
      return row.id;
    },

    async linkSession(context: CallContext, traceId: number, sessionId: number): Promise<void> {
      await context.database
        .write(context)
        .updateTable("traces")
        .set({ session_id: sessionId })
        .where("id", "=", traceId)
        .execute();
    },
  };
}
