// The rows of sessions and of the traces in them.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { Session, SessionTrace } from "./sessions.schema.ts";

export type SessionRow = Omit<Session, "traces">;

/** How a session is identified: by row id or by the sender's id. */
export type SessionKey = { readonly id: number } | { readonly sessionKey: string };

const columns = [
  "id",
  "session_key as sessionKey",
  "project_id as projectId",
  "start_us as startUs",
  "end_us as endUs",
  "prompt_tokens as promptTokens",
  "completion_tokens as completionTokens",
] as const;

export type SessionsStore = ReturnType<typeof createSessionsStore>;

export function createSessionsStore(dialect: Dialect) {
  return {
    async find(context: CallContext, key: SessionKey): Promise<SessionRow | null> {
      const query = context.database.read(context, "short").selectFrom("sessions").select(columns);
      const one = "id" in key ? query.where("id", "=", key.id) : query.where("session_key", "=", key.sessionKey);
      return (await one.executeTakeFirst()) ?? null;
    },

    /** The traces of sessions by the row id of their session, each list by start time. */
    async listTraces(context: CallContext, sessionIds: readonly number[]): Promise<Map<number, SessionTrace[]>> {
      const traces = new Map<number, SessionTrace[]>(sessionIds.map((id) => [id, []]));
      if (sessionIds.length === 0) return traces;
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key as traceKey", "start_us as startUs", "end_us as endUs", "session_id as sessionId"])
        .where(dialect.inList(sql.ref("session_id"), sessionIds))
        .where("span_count", ">", 0)
        .orderBy("session_id")
        .orderBy("start_us")
        .orderBy("id")
        .execute();
      for (const { sessionId, ...trace } of rows) traces.get(sessionId!)?.push(trace);
      return traces;
    },
  };
}
