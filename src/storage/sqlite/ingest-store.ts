// Bulk ingestion on SQLite: one transaction a batch on the write connection. Here are the rows of projects, traces and
// sessions; ingest-spans.ts has the spans. Loops of prepared statements: a look-up costs a microsecond, sets gain nothing.
import type { Clock } from "../../kernel/clock.ts";
import type { SessionDifference } from "../../model/summaries/rollups/session-rollup.ts";
import {
  emptyTrace,
  type IngestNeeds,
  type IngestStore,
  projectBeingDeleted,
  type StoredTrace,
  sessionKeysNeeded,
  storedTrace,
  type TraceRow,
  type TraceUpdate,
  unusableDatabase,
} from "../ingest-store.ts";
import { type OwnModels, type OwnModelsRow, ownModelsOf } from "../own-models.ts";
import { additions, selectedSums, sessionSums, traceSums } from "../trace-sums.ts";
import { isSqliteError, isUnusable, type SqliteConnection, sqliteFailure } from "./connection.ts";
import {
  addToSpanSums,
  findAncestors,
  findOuterCalls,
  findStoredSpans,
  insertSpans,
  markRepeating,
  sumStoredChildren,
} from "./ingest-spans.ts";
import type { SqliteWriter } from "./writer.ts";

/** The ingest store of a SQLite file; `writer` must belong to this thread. */
export function createSqliteIngestStore(writer: SqliteWriter, clock: Clock): IngestStore {
  return {
    async run(needs, work) {
      try {
        return await writer.transaction(async (connection) => {
          const traces = ensureTraces(connection, needs, clock);
          return work({
            traces,
            sessions: ensureSessions(connection, needs, traces),
            ownModelsChange: lastChangeOfOwnModels(connection),
            listOwnModels: async () => listOwnModels(connection),
            findStoredSpans: async (spans) => findStoredSpans(connection, spans),
            sumStoredChildren: async (spans) => sumStoredChildren(connection, spans),
            findOuterCalls: async (spans) => findOuterCalls(connection, spans),
            insertSpans: async (spans) => insertSpans(connection, spans),
            findAncestors: async (starts, limit) => findAncestors(connection, starts, limit),
            addToSpanSums: async (updates) => addToSpanSums(connection, updates),
            markRepeating: async (ids) => markRepeating(connection, ids),
            markRollupsPending: async (traceIds) => markRollupsPending(connection, traceIds),
            updateTraces: async (updates) => updateTraces(connection, updates),
            updateSessions: async (differences) => updateSessions(connection, differences),
          });
        });
      } catch (error) {
        // What `work` throws to leave the transaction passes unchanged.
        throw isUnusable(error) ? unusableDatabase(error) : isSqliteError(error) ? sqliteFailure(error) : error;
      }
    },
    async close() {},
  };
}

function lastChangeOfOwnModels(connection: SqliteConnection): number {
  const row = connection.prepare("select coalesce(max(change), 0) as change from models").get();
  return (row as { change: number }).change;
}

function listOwnModels(connection: SqliteConnection): OwnModels {
  const statement = connection.prepare(`
    select last.change, m.id, m.name, m.provider, m.name_pattern, m.start_us, m.prices
    from (select coalesce(max(change), 0) as change from models) as last left join models m on m.deleted_us is null
    order by m.id`);
  return ownModelsOf(statement.all() as OwnModelsRow[]);
}

function ensureTraces(connection: SqliteConnection, needs: IngestNeeds, clock: Clock): Map<string, StoredTrace> {
  // The plus keeps SQLite from planning the join again for each key, which takes ten times as long as the look-up.
  const select = connection.prepare(`
    select t.id, t.trace_key, t.project_id, p.name as project_name, p.deleting, t.session_id, t.start_us, t.end_us,
      ${selectedSums("t")}, exists (select 1 from pending_rollups r where r.trace_id = t.id) as rollup_pending
    from traces t join projects p on p.id = t.project_id where t.trace_key = +?`);
  const insert = connection.prepare(
    "insert into traces (trace_key, project_id, start_us, end_us, latency_us) values (?, ?, ?, ?, ?)",
  );
  const projects = new Map<string, number>();
  const traces = new Map<string, StoredTrace>();
  for (const need of needs.traces) {
    const row = select.get(need.traceKey) as TraceRow | null;
    if (row !== null) {
      traces.set(need.traceKey, storedTrace(row));
      continue;
    }
    const projectId = projects.get(need.projectName) ?? ensureProject(connection, need.projectName, clock);
    projects.set(need.projectName, projectId);
    const { lastInsertRowid } = insert.run(
      need.traceKey,
      projectId,
      need.startUs,
      need.endUs,
      need.endUs - need.startUs,
    );
    traces.set(need.traceKey, emptyTrace(Number(lastInsertRowid), projectId, need));
  }
  return traces;
}

function ensureProject(connection: SqliteConnection, name: string, clock: Clock): number {
  const select = connection.prepare("select id, deleting from projects where name = ?");
  const row = select.get(name) as { id: number; deleting: number } | null;
  if (row !== null) {
    if (row.deleting !== 0) throw projectBeingDeleted(name);
    return row.id;
  }
  const now = clock.now();
  const insert = connection.prepare("insert into projects (name, created_us, updated_us) values (?, ?, ?)");
  return Number(insert.run(name, now, now).lastInsertRowid);
}

function ensureSessions(
  connection: SqliteConnection,
  needs: IngestNeeds,
  traces: ReadonlyMap<string, StoredTrace>,
): Map<string, number> {
  const needed = new Set(sessionKeysNeeded(needs, traces));
  const select = connection.prepare("select id from sessions where session_key = ?");
  const insert = connection.prepare(
    "insert into sessions (session_key, project_id, start_us, end_us) values (?, ?, ?, ?)",
  );
  const sessions = new Map<string, number>();
  for (const { traceKey, sessionKey, startUs, endUs } of needs.traces) {
    if (sessionKey === null || !needed.has(sessionKey) || sessions.has(sessionKey)) continue;
    const row = select.get(sessionKey) as { id: number } | null;
    const projectId = traces.get(traceKey)!.projectId;
    sessions.set(sessionKey, row?.id ?? Number(insert.run(sessionKey, projectId, startUs, endUs).lastInsertRowid));
  }
  return sessions;
}

function markRollupsPending(connection: SqliteConnection, traceIds: readonly number[]): void {
  const statement = connection.prepare("insert or ignore into pending_rollups (trace_id) values (?)");
  for (const traceId of traceIds) statement.run(traceId);
}

const UPDATE_TRACE = `update traces set session_id = ?, start_us = ?, end_us = ?, latency_us = ?,
  ${additions(traceSums, "traces", () => "?")} where id = ?`;

function updateTraces(connection: SqliteConnection, updates: readonly TraceUpdate[]): void {
  const statement = connection.prepare(UPDATE_TRACE);
  for (const { traceId, sessionId, startUs, endUs, added } of updates) {
    const sums = traceSums.map(({ name }) => added[name]);
    statement.run(sessionId, startUs, endUs, endUs - startUs, ...sums, traceId);
  }
}

const UPDATE_SESSION = `update sessions set start_us = min(start_us, coalesce(?, start_us)),
  end_us = max(end_us, coalesce(?, end_us)), ${additions(sessionSums, "sessions", () => "?")} where id = ?`;

function updateSessions(connection: SqliteConnection, differences: readonly SessionDifference[]): void {
  const statement = connection.prepare(UPDATE_SESSION);
  for (const difference of differences) {
    const sums = sessionSums.map(({ name }) => difference[name]);
    statement.run(difference.startUs, difference.endUs, ...sums, difference.sessionId);
  }
}
