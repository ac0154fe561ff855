// The columns of a trace as a record, and the traces that are seen.
import { sql } from "kysely";
import type { CallContext } from "../../../../storage/storage.ts";

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

/** Traces with spans: the others are on their way in or out. */
export function seenTraces(context: CallContext) {
  return context.database
    .read(context, "short")
    .selectFrom("traces")
    .select(traceColumns)
    .where("traces.span_count", ">", 0);
}

/** The user of the earliest span of a trace that names one; null where none does. Found at the beginning of the trace, which may be
 *  long. */
export const userOfTrace = sql<string | null>`(select spans.user_key from spans
  where spans.trace_id = traces.id and spans.user_key is not null order by spans.start_us, spans.id limit 1)`;
