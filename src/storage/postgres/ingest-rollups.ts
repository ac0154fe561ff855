// The rows of traces and sessions at the end of a batch on PostgreSQL: one statement each.
import type { SessionDifference } from "../../model/rollups/session-rollup.ts";
import type { TraceUpdate } from "../ingest-store.ts";
import type { PostgresSql } from "./session.ts";

/** A row that was there at the beginning is gone: somebody deleted it meanwhile. The batch begins again. */
export class RowsGone extends Error {
  constructor() {
    super("A row of the batch was deleted meanwhile");
  }
}

export function markRollupsPending(sql: PostgresSql, traceIds: readonly number[]): Promise<unknown> {
  return sql`insert into pending_rollups (trace_id)
    select id from unnest(${[...traceIds]}::bigint[]) as row (id) order by id on conflict do nothing`;
}

export function updateTraces(sql: PostgresSql, updates: readonly TraceUpdate[]): Promise<unknown> {
  const added = updates.map((update) => update.added);
  return sql`
    update traces t set session_id = row.session_id, start_us = row.start_us, end_us = row.end_us,
      latency_us = row.end_us - row.start_us, span_count = t.span_count + row.spans,
      error_count = t.error_count + row.errors, llm_count = t.llm_count + row.llms, tool_count = t.tool_count + row.tools,
      prompt_tokens = t.prompt_tokens + row.prompt, completion_tokens = t.completion_tokens + row.completion,
      cost = t.cost + row.cost
    from unnest(${updates.map((update) => update.traceId)}::bigint[],
      ${updates.map((update) => update.sessionId)}::bigint[],
      ${updates.map((update) => update.startUs)}::bigint[], ${updates.map((update) => update.endUs)}::bigint[],
      ${added.map((totals) => totals.spanCount)}::bigint[], ${added.map((totals) => totals.errorCount)}::bigint[],
      ${added.map((totals) => totals.llmCount)}::bigint[], ${added.map((totals) => totals.toolCount)}::bigint[],
      ${added.map((totals) => totals.prompt)}::bigint[], ${added.map((totals) => totals.completion)}::bigint[],
      ${added.map((totals) => String(totals.cost))}::bigint[])
      as row (id, session_id, start_us, end_us, spans, errors, llms, tools, prompt, completion, cost)
    where t.id = row.id`;
}

/** Locks the sessions in id order, after all traces, and applies the differences. One that is gone had no trace yet: the update of
 *  the trace that is to name it fails then. */
export function updateSessions(sql: PostgresSql, differences: readonly SessionDifference[]): Promise<unknown> {
  const ids = differences.map((difference) => difference.sessionId);
  const locked = sql`select id from sessions where id = any(${ids}) order by id for no key update`;
  const updated = sql`
    update sessions s set start_us = least(s.start_us, row.start_us), end_us = greatest(s.end_us, row.end_us),
      trace_count = s.trace_count + row.traces, error_trace_count = s.error_trace_count + row.error_traces,
      span_count = s.span_count + row.spans, llm_count = s.llm_count + row.llms, tool_count = s.tool_count + row.tools,
      prompt_tokens = s.prompt_tokens + row.prompt, completion_tokens = s.completion_tokens + row.completion,
      cost = s.cost + row.cost
    from unnest(${ids}::bigint[],
      ${differences.map((difference) => difference.startUs)}::bigint[],
      ${differences.map((difference) => difference.endUs)}::bigint[],
      ${differences.map((difference) => difference.traceCount)}::bigint[],
      ${differences.map((difference) => difference.errorTraceCount)}::bigint[],
      ${differences.map((difference) => difference.spanCount)}::bigint[],
      ${differences.map((difference) => difference.llmCount)}::bigint[],
      ${differences.map((difference) => difference.toolCount)}::bigint[],
      ${differences.map((difference) => difference.prompt)}::bigint[],
      ${differences.map((difference) => difference.completion)}::bigint[],
      ${differences.map((difference) => String(difference.cost))}::bigint[])
      as row (id, start_us, end_us, traces, error_traces, spans, llms, tools, prompt, completion, cost)
    where s.id = row.id`;
  return Promise.all([locked, updated]);
}
