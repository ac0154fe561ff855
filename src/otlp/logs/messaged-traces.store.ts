// The rows of a trace and its session, changed by what messages change in its spans. The trace must be locked.
import { sql } from "kysely";
import type { TraceTotals } from "../../model/rollups/rollup-totals.ts";
import type { SessionDifference } from "../../model/rollups/session-rollup.ts";
import type { CallContext } from "../../storage/storage.ts";

interface MessagedTrace {
  readonly id: number;
  readonly projectId: number;
  readonly sessionId: number | null;
  readonly totals: TraceTotals;
}

export type MessagedTracesStore = ReturnType<typeof createMessagedTracesStore>;

export function createMessagedTracesStore() {
  return {
    async getTrace(context: CallContext, id: number): Promise<MessagedTrace> {
      const row = await context.database
        .write(context)
        .selectFrom("traces")
        .selectAll()
        .select(sql<string>`cast(cost as text)`.as("cost_text"))
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return {
        id,
        projectId: row.project_id,
        sessionId: row.session_id,
        totals: {
          spanCount: row.span_count,
          errorCount: row.error_count,
          llmCount: row.llm_count,
          toolCount: row.tool_count,
          prompt: row.prompt_tokens,
          completion: row.completion_tokens,
          cost: BigInt(row.cost_text),
          startUs: row.start_us,
          endUs: row.end_us,
        },
      };
    },

    /** The row of a session, made where there is none; of no project but this one. */
    async ensureSession(
      context: CallContext,
      sessionKey: string,
      { projectId, totals }: MessagedTrace,
    ): Promise<number> {
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

    async writeTrace(context: CallContext, id: number, sessionId: number | null, totals: TraceTotals): Promise<void> {
      await context.database
        .write(context)
        .updateTable("traces")
        .set({
          session_id: sessionId,
          llm_count: totals.llmCount,
          tool_count: totals.toolCount,
          prompt_tokens: totals.prompt,
          completion_tokens: totals.completion,
        })
        .where("id", "=", id)
        .execute();
    },

    /** The sessions must be locked. */
    async addToSession(context: CallContext, { sessionId, ...difference }: SessionDifference): Promise<void> {
      const { startUs, endUs } = difference;
      await sql`update sessions set trace_count = trace_count + ${difference.traceCount},
        error_trace_count = error_trace_count + ${difference.errorTraceCount}, span_count = span_count + ${difference.spanCount},
        llm_count = llm_count + ${difference.llmCount}, tool_count = tool_count + ${difference.toolCount},
        prompt_tokens = prompt_tokens + ${difference.prompt}, completion_tokens = completion_tokens + ${difference.completion},
        cost = cost + cast(${String(difference.cost)} as bigint),
        start_us = case when start_us < ${startUs} then start_us else ${startUs} end,
        end_us = case when end_us > ${endUs} then end_us else ${endUs} end
        where id = ${sessionId}`.execute(context.database.write(context));
    },

    /** The span sums of the trace are recomputed before they are next read. */
    async markPending(context: CallContext, traceId: number): Promise<void> {
      await context.database
        .write(context)
        .insertInto("pending_rollups")
        .values({ trace_id: traceId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
