// What sums lose with the spans that go. The rows must be locked.
import { sql } from "kysely";
import { integerToJson, type RawNumber } from "../../../kernel/json.ts";
import type { TraceTotals } from "../../../model/rollups/rollup-totals.ts";
import type { SessionDifference } from "../../../model/rollups/session-rollup.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

export function createRemovedSumsStore(dialect: Dialect) {
  return {
    /** Counts and sums only: bounds never narrow. */
    async subtractFromTrace(context: CallContext, id: number, removed: TraceTotals): Promise<void> {
      await context.database
        .write(context)
        .updateTable("traces")
        .set((eb) => ({
          span_count: eb("span_count", "-", removed.spanCount),
          error_count: eb("error_count", "-", removed.errorCount),
          llm_count: eb("llm_count", "-", removed.llmCount),
          tool_count: eb("tool_count", "-", removed.toolCount),
          prompt_tokens: eb("prompt_tokens", "-", removed.prompt),
          completion_tokens: eb("completion_tokens", "-", removed.completion),
        }))
        .where("id", "=", id)
        .execute();
      if (removed.cost === 0n) return;
      await sql`update traces set cost = cost - cast(${String(removed.cost)} as bigint) where id = ${id}`.execute(
        context.database.write(context),
      );
    },

    /** Counts and sums only. The sessions must be locked. */
    async addToSessions(context: CallContext, differences: readonly SessionDifference[]): Promise<void> {
      if (differences.length === 0) return;
      const rows = differences.map((difference) => [
        difference.sessionId,
        difference.traceCount,
        difference.errorTraceCount,
        difference.spanCount,
        difference.llmCount,
        difference.toolCount,
        difference.prompt,
        difference.completion,
        // Of 64 bits: a number or a raw number, never text.
        integerToJson(difference.cost) as number | RawNumber,
      ]);
      const columns = ["id", "traces", "error_traces", "spans", "llm", "tool", "prompt", "completion", "cost"];
      await sql`
        update sessions set trace_count = trace_count + d.traces, error_trace_count = error_trace_count + d.error_traces,
          span_count = span_count + d.spans, llm_count = llm_count + d.llm, tool_count = tool_count + d.tool,
          prompt_tokens = prompt_tokens + d.prompt, completion_tokens = completion_tokens + d.completion,
          cost = sessions.cost + d.cost
        from ${dialect.integerRows(columns, rows)} as d where sessions.id = d.id`.execute(
        context.database.write(context),
      );
    },
  };
}
