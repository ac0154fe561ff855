// The rows of traces and sessions at the end of a batch on PostgreSQL: one statement each.
import type { SessionDifference } from "../../model/summaries/rollups/session-rollup.ts";
import type { TraceUpdate } from "../ingest-store.ts";
import { additions, sessionSums, traceSums } from "../trace-sums.ts";
import type { PostgresSql } from "./session.ts";

/** A row that was there at the beginning was deleted concurrently. The batch starts again. */
export class RowsGone extends Error {
  constructor() {
    super("A row of the batch was deleted meanwhile");
  }
}

export function markRollupsPending(sql: PostgresSql, traceIds: readonly number[]): Promise<unknown> {
  return sql`insert into pending_rollups (trace_id)
    select id from unnest(${[...traceIds]}::bigint[]) as row (id) order by id on conflict do nothing`;
}

/** Columns of rows given as lists, the first parameters of a statement. */
function givenRows(columns: readonly string[]): string {
  return `unnest(${columns.map((_, position) => `$${position + 1}::bigint[]`).join(", ")}) as given (${columns.join(", ")})`;
}

/** One list for each sum; those of 64 bits as text. */
function addedLists<Name extends string>(
  sums: readonly { readonly name: Name }[],
  rows: readonly Readonly<Record<Name, number | bigint>>[],
): string[][] {
  return sums.map(({ name }) => rows.map((row) => String(row[name])));
}

const columnsOf = (sums: readonly { readonly column: string }[]) => sums.map(({ column }) => column);

const UPDATE_TRACES = `
  update traces t set session_id = given.session_id, start_us = given.start_us, end_us = given.end_us,
    latency_us = given.end_us - given.start_us, ${additions(traceSums, "t", (column) => `given.${column}`)}
  from ${givenRows(["id", "session_id", "start_us", "end_us", ...columnsOf(traceSums)])} where t.id = given.id`;

export function updateTraces(sql: PostgresSql, updates: readonly TraceUpdate[]): Promise<unknown> {
  const lists = [
    updates.map(({ traceId }) => traceId),
    updates.map(({ sessionId }) => sessionId),
    updates.map(({ startUs }) => startUs),
    updates.map(({ endUs }) => endUs),
    ...addedLists(
      traceSums,
      updates.map(({ added }) => added),
    ),
  ];
  return sql.unsafe(UPDATE_TRACES, lists, { prepare: true });
}

const UPDATE_SESSIONS = `
  update sessions s set start_us = least(s.start_us, given.start_us), end_us = greatest(s.end_us, given.end_us),
    ${additions(sessionSums, "s", (column) => `given.${column}`)}
  from ${givenRows(["id", "start_us", "end_us", ...columnsOf(sessionSums)])} where s.id = given.id`;

/** Locks the sessions in id order, after all traces, and applies the differences. One that is gone had no trace yet: the update of
 *  the trace that is to name it fails then. */
export function updateSessions(sql: PostgresSql, differences: readonly SessionDifference[]): Promise<unknown> {
  const ids = differences.map(({ sessionId }) => sessionId);
  const locked = sql`select id from sessions where id = any(${ids}) order by id for no key update`;
  const lists = [
    ids,
    differences.map(({ startUs }) => startUs),
    differences.map(({ endUs }) => endUs),
    ...addedLists(sessionSums, differences),
  ];
  return Promise.all([locked, sql.unsafe(UPDATE_SESSIONS, lists, { prepare: true })]);
}
