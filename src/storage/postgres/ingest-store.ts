// Bulk ingestion on PostgreSQL: rows are made before the transaction, traces are locked in key order, each step is
// one statement for all rows, sessions come last (docs/protocol/storage.md#order-of-locks). ingest-spans.ts has the spans.
import type { Clock } from "../../kernel/clock.ts";
import { Failure, fail } from "../../kernel/failure.ts";
import {
  type IngestNeeds,
  type IngestStore,
  type IngestTransaction,
  projectBeingDeleted,
  type StoredTrace,
  sessionKeysNeeded,
  storedTrace,
  type TraceNeed,
  type TraceRow,
  unusableDatabase,
} from "../ingest-store.ts";
import { codeOf, postgresFailure } from "./failure.ts";
import { markRollupsPending, RowsGone, updateSessions, updateTraces } from "./ingest-rollups.ts";
import { addToSpanSums, findAncestors, findStoredSpans, insertSpans, sumStoredChildren } from "./ingest-spans.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresQuery, PostgresSql } from "./session.ts";

/** A deadlock cannot arise by the order of locks; should one arise all the same, the batch is tried again. */
const DEADLOCK = "40P01";
/** A project or session was deleted between the look-up and the insert that refers to it. */
const REFERENCE_GONE = "23503";
/** A table, column or schema is missing, a right was taken away, an object is locked or damaged. */
const UNUSABLE = /^(42|3F|55|XX001|XX002)/;
const MOST_ATTEMPTS = 5;
const MOST_REMEMBERED_SESSIONS = 10_000;

interface PostgresIngestOptions {
  readonly clock: Clock;
  /** Called for every batch that has to be tried again after a deadlock; a test demands that this never happens. */
  readonly onDeadlock: () => void;
}

/** The ingest store over a pool of ingest connections. Batches that share a trace must not run at once on one server:
 *  only servers compete for a trace, never a server with itself (`lanes.ts`). */
export function createPostgresIngestStore(pool: PostgresPool, options: PostgresIngestOptions): IngestStore {
  const newSessions = createNewSessions();

  async function attempt<Result>(
    needs: IngestNeeds,
    work: (transaction: IngestTransaction) => Promise<Result>,
  ): Promise<Result> {
    await ensureTraces(pool, needs, options.clock);
    const { known, created } = await ensureSessions(pool, needs);
    try {
      return await inTransaction(needs, known, work);
    } catch (error) {
      // The sessions of a batch that was left without linking them are nobody's. One that another batch holds is not waited
      // for: this batch holds others of them meanwhile.
      if (created.length > 0)
        await pool`delete from sessions where id in (
          select id from sessions where id = any(${created}) and trace_count = 0 for update skip locked)`.catch(noop);
      throw error;
    }
  }

  async function inTransaction<Result>(
    needs: IngestNeeds,
    known: ReadonlyMap<string, number>,
    work: (transaction: IngestTransaction) => Promise<Result>,
  ): Promise<Result> {
    return pool.begin(async (sql) => {
      const traces = await lockTraces(sql, needs);
      const sessions = await findSessions(sql, sessionKeysNeeded(needs, traces), known);
      return work({
        traces,
        sessions,
        findStoredSpans: (spans) => findStoredSpans(sql, spans),
        sumStoredChildren: (spans) => sumStoredChildren(sql, spans),
        insertSpans: (spans) => insertSpans(sql, spans),
        findAncestors: (starts, limit) => findAncestors(sql, starts, limit),
        addToSpanSums: (updates) => addToSpanSums(sql, updates),
        markRollupsPending: (traceIds) => markRollupsPending(sql, traceIds),
        updateTraces: (updates) => updateTraces(sql, updates),
        updateSessions: (differences) => updateSessions(sql, differences),
      });
    });
  }

  return {
    async prepare(needs) {
      const keys = new Set(needs.traces.flatMap(({ sessionKey }) => sessionKey ?? []));
      // One alone is in order, and most are known.
      if (newSessions.among(keys) < 2) return;
      try {
        await ensureTraces(pool, needs, options.clock);
        await ensureSessions(pool, needs);
        newSessions.areMade(keys);
      } catch {
        // The batches do it again, each for itself, and tell what is wrong.
      }
    },
    async run(needs, work) {
      for (let number = 1; ; number++) {
        try {
          return await attempt(needs, work);
        } catch (error) {
          const again = error instanceof RowsGone || [DEADLOCK, REFERENCE_GONE].includes(codeOf(error));
          if (codeOf(error) === DEADLOCK) options.onDeadlock();
          if (again && number < MOST_ATTEMPTS) continue;
          if (again) throw keepsBeingDeleted(error);
          if (UNUSABLE.test(codeOf(error))) throw unusableDatabase(error);
          throw isOurs(error) ? error : postgresFailure(error);
        }
      }
    },
    close: () => pool.end({ timeout: 5 }),
  };
}

/** Session keys that this server has made or found need no look-up; the oldest are forgotten. */
function createNewSessions() {
  const made = new Set<string>();
  return {
    among: (keys: ReadonlySet<string>) => [...keys].filter((key) => !made.has(key)).length,
    areMade(keys: ReadonlySet<string>) {
      for (const key of keys) made.add(key);
      for (const key of made) {
        if (made.size <= MOST_REMEMBERED_SESSIONS) break;
        made.delete(key);
      }
    },
  };
}

function noop(): void {}

/** Nobody's fault: no span may be rejected for it. */
function keepsBeingDeleted(cause: unknown): Failure {
  return fail(
    "ingest.rows_gone",
    "unavailable",
    "Traces or sessions of these spans are being deleted: send them again",
    {
      cause,
      retryAfterSeconds: 1,
    },
  );
}

/** Failures, and what `work` throws to leave the transaction, pass unchanged; errors of the database carry a code. */
function isOurs(error: unknown): boolean {
  return error instanceof Failure || (error instanceof Error && codeOf(error) === "");
}

// Ids are taken in the order of the batch, which lists show where everything else is equal. Rows are inserted in the order of their
// keys all the same: each waits for others that insert its key, and two batches must not wait for each other.

async function ensureTraces(pool: PostgresPool, needs: IngestNeeds, clock: Clock): Promise<void> {
  const keys = needs.traces.map((need) => need.traceKey);
  const rows = await pool<{ trace_key: string }[]>`select trace_key from traces where trace_key = any(${keys})`;
  const known = new Set(rows.map((row) => row.trace_key));
  // Looked up first: `on conflict` spends an id even where it inserts nothing, and ids stay below 2^31 on the wire.
  const missing = needs.traces.filter((need) => !known.has(need.traceKey));
  if (missing.length === 0) return;
  const projects = await ensureProjects(pool, [...new Set(missing.map((need) => need.projectName))], clock);
  await pool`
    with row as materialized (
      select nextval(pg_get_serial_sequence('traces', 'id')) as id, row.*
      from unnest(${missing.map((need) => need.traceKey)}::text[],
        ${missing.map((need) => projects.get(need.projectName)!)}::bigint[],
        ${missing.map((need) => need.startUs)}::bigint[], ${missing.map((need) => need.endUs)}::bigint[])
        as row (key, project, start_us, end_us))
    insert into traces (id, trace_key, project_id, start_us, end_us, latency_us)
    select id, key, project, start_us, end_us, end_us - start_us from row
    order by key collate "C" on conflict do nothing`;
}

async function ensureProjects(pool: PostgresPool, names: string[], clock: Clock): Promise<Map<string, number>> {
  const find = async () => {
    const rows = await pool<{ id: number; name: string; deleting: number }[]>`
      select id, name, deleting from projects where name = any(${names})`;
    const deleting = rows.find((row) => row.deleting !== 0);
    if (deleting !== undefined) throw projectBeingDeleted(deleting.name);
    return new Map(rows.map((row) => [row.name, row.id]));
  };
  const found = await find();
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  const now = clock.now();
  await pool`
    with row as materialized (
      select nextval(pg_get_serial_sequence('projects', 'id')) as id, name from unnest(${missing}::text[]) as row (name))
    insert into projects (id, name, created_us, updated_us)
    select id, name, ${now}::bigint, ${now}::bigint from row
    order by name collate "C" on conflict do nothing`;
  const all = await find();
  if (names.some((name) => !all.has(name))) throw new RowsGone();
  return all;
}

interface EnsuredSessions {
  /** Ids by session key. */
  readonly known: ReadonlyMap<string, number>;
  /** Ids of those that this call made. */
  readonly created: readonly number[];
}

/** Sessions for the needs that name one whose trace has none. */
async function ensureSessions(pool: PostgresPool, needs: IngestNeeds): Promise<EnsuredSessions> {
  const naming = needs.traces.filter((need) => need.sessionKey !== null);
  if (naming.length === 0) return { known: new Map(), created: [] };
  const rows = await pool<{ trace_key: string; project_id: number; session_id: number | null }[]>`
    select trace_key, project_id, session_id from traces where trace_key = any(${naming.map((need) => need.traceKey)})`;
  const traces = new Map(rows.map((row) => [row.trace_key, row]));
  const first = new Map<string, TraceNeed>();
  for (const need of naming) {
    const trace = traces.get(need.traceKey);
    if (trace?.session_id === null && !first.has(need.sessionKey!)) first.set(need.sessionKey!, need);
  }
  const found = await sessionIds(pool, [...first.keys()]);
  const missing = [...first].filter(([key]) => !found.has(key));
  if (missing.length === 0) return { known: found, created: [] };
  const inserted = await pool<{ id: number }[]>`
    with row as materialized (
      select nextval(pg_get_serial_sequence('sessions', 'id')) as id, row.*
      from unnest(${missing.map(([key]) => key)}::text[],
        ${missing.map(([, need]) => traces.get(need.traceKey)!.project_id)}::bigint[],
        ${missing.map(([, need]) => need.startUs)}::bigint[], ${missing.map(([, need]) => need.endUs)}::bigint[])
        as row (key, project, start_us, end_us))
    insert into sessions (id, session_key, project_id, start_us, end_us)
    select id, key, project, start_us, end_us from row
    order by key collate "C" on conflict do nothing returning id`;
  return { known: await sessionIds(pool, [...first.keys()]), created: inserted.map((row) => row.id) };
}

async function sessionIds(sql: PostgresQuery, keys: string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ id: number; session_key: string }[]>`
    select id, session_key from sessions where session_key = any(${keys})`;
  return new Map(rows.map((row) => [row.session_key, row.id]));
}

async function findSessions(
  sql: PostgresSql,
  needed: string[],
  known: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const unknown = needed.filter((key) => !known.has(key));
  if (unknown.length === 0) return known;
  const found = await sessionIds(sql, unknown);
  if (found.size < unknown.length) throw new RowsGone();
  return new Map([...known, ...found]);
}

async function lockTraces(sql: PostgresSql, needs: IngestNeeds): Promise<Map<string, StoredTrace>> {
  const keys = needs.traces.map((need) => need.traceKey);
  // The join must not lock projects: `of t` keeps the lock to traces.
  const rows = await sql<Omit<TraceRow, "rollup_pending">[]>`
    select t.id, t.trace_key, t.project_id, p.name as project_name, p.deleting, t.session_id, t.start_us, t.end_us,
      t.span_count, t.error_count, t.llm_count, t.tool_count, t.prompt_tokens, t.completion_tokens, t.cost::text as cost
    from traces t join projects p on p.id = t.project_id
    where t.trace_key = any(${keys}) order by t.trace_key for no key update of t`;
  if (rows.length < needs.traces.length) throw new RowsGone();
  // A statement of its own: one that waits for a lock still sees everything but the locked rows as it was before the wait,
  // and a trace settled meanwhile would get neither these sums nor a new computation.
  const pending = await sql<{ trace_id: number }[]>`
    select trace_id from pending_rollups where trace_id = any(${rows.map((row) => row.id)}::bigint[])`;
  const pendingIds = new Set(pending.map((row) => row.trace_id));
  return new Map(rows.map((row) => [row.trace_key, storedTrace({ ...row, rollup_pending: pendingIds.has(row.id) })]));
}
