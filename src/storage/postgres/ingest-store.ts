// Bulk ingestion on PostgreSQL: rows are made before the transaction, traces are locked in key order, each step is
// one statement for all rows, sessions come last (docs/protocol/storage.md#order-of-locks). Statements whose parameters are known are
// sent together: a batch waits for the database twice, and a few times more where its traces have spans already. ingest-rows.ts
// makes the rows, ingest-spans.ts has the spans.
import type { Clock } from "../../kernel/clock.ts";
import { Failure, fail } from "../../kernel/failure.ts";
import {
  type IngestNeeds,
  type IngestStore,
  type IngestTransaction,
  type StoredTrace,
  sessionKeysNeeded,
  storedTrace,
  type TraceRow,
  TracesHeld,
  unusableDatabase,
} from "../ingest-store.ts";
import { type OwnModels, type OwnModelsRow, ownModelsOf } from "../own-models.ts";
import { selectedSums } from "../trace-sums.ts";
import { codeOf, postgresFailure } from "./failure.ts";
import { createHeldRows } from "./held-rows.ts";
import { markRollupsPending, RowsGone, updateSessions, updateTraces } from "./ingest-rollups.ts";
import { createKnownRows, ensureProjects, ensureTracesAndSessions, forgetRows, unknownRows } from "./ingest-rows.ts";
import {
  addToSpanSums,
  findAncestors,
  findOuterCalls,
  findStoredSpans,
  insertSpans,
  markRepeating,
  sumStoredChildren,
} from "./ingest-spans.ts";
import type { Send } from "./leased-session.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresQuery, PostgresSql } from "./session.ts";

/** A deadlock cannot arise by the order of locks; should one arise all the same, the batch is tried again. */
const DEADLOCK = "40P01";
/** A wait for a lock took too long. */
const LOCK_NOT_AVAILABLE = "55P03";
/** A project or session was deleted between the look-up and the write that refers to it. */
const REFERENCE_GONE = "23503";
/** A table, column or schema is missing, a right was taken away, an object is in use or damaged. A wait for a lock that took too long
 *  (55P03) says nothing of the kind. */
const UNUSABLE = /^(42|3F|55(?!P03)|XX001|XX002)/;
const MOST_ATTEMPTS = 5;
/** Traces that wait for new span sums are few at any time: up to this many are asked for without their names. */
const MOST_PENDING = 100;

interface PostgresIngestOptions {
  readonly clock: Clock;
  /** Called for every batch that has to be tried again after a deadlock; a test demands that this never happens. */
  readonly onDeadlock: () => void;
}

/** One try of a batch. */
interface Attempt {
  readonly sql: PostgresSql;
  readonly send: Send;
  readonly needs: IngestNeeds;
  /** Gets the ids of stored spans that are changed. */
  readonly changed: number[];
}

/** The ingest store over a pool of ingest connections. Batches that share a trace must not run at once on one server:
 *  only servers compete for a trace, never a server with itself (`ingest/queue-placement.ts`). */
export function createPostgresIngestStore(pool: PostgresPool, options: PostgresIngestOptions): IngestStore {
  const known = createKnownRows();
  const held = createHeldRows(pool);

  /** Adds to `changed` the stored spans that the batch changes. */
  async function attempt<Result>(
    needs: IngestNeeds,
    work: (transaction: IngestTransaction) => Promise<Result>,
    changed: number[],
  ): Promise<Result> {
    const waiting = await held.findWaiting(needs);
    if (waiting.size > 0) throw new TracesHeld(waiting);
    const unknown = unknownRows(known, needs);
    await ensureProjects(pool, known, unknown.traces, options.clock);
    let created: readonly number[] = [];
    try {
      const before = async (sql: PostgresSql) => {
        created = await ensureTracesAndSessions(sql, unknown);
      };
      return await pool.begin((sql, send) => inTransaction({ sql, send, needs, changed }, work), before);
    } catch (error) {
      // The sessions of a batch that was left without linking them have no traces. One that another batch holds is not waited
      // for: this batch holds others of them meanwhile.
      if (created.length > 0)
        await pool`delete from sessions where id in (
          select id from sessions where id = any(${created}) and trace_count = 0 for update skip locked)`.catch(noop);
      forgetRows(known, needs);
      throw error;
    }
  }

  async function inTransaction<Result>(
    { sql, send, needs, changed }: Attempt,
    work: (transaction: IngestTransaction) => Promise<Result>,
  ): Promise<Result> {
    const named = new Set(needs.traces.flatMap(({ sessionKey }) => sessionKey ?? []));
    const [rows, pending, sessions] = await Promise.all([
      lockTraces(sql, needs),
      somePending(sql),
      sessionIds(sql, [...named]),
    ]);
    if (rows.length < needs.traces.length) throw new RowsGone();
    const traces = await storedTraces(sql, rows, pending);
    if (sessionKeysNeeded(needs, traces).some((key) => !sessions.has(key))) throw new RowsGone();
    known.traces.add(traces.keys());
    known.sessions.add(sessions.keys());
    return work({
      traces,
      sessions,
      ownModelsChange: rows[0]?.own_models_change ?? 0,
      listOwnModels: () => listOwnModels(sql),
      findStoredSpans: (spans) => findStoredSpans(sql, spans),
      sumStoredChildren: (spans) => sumStoredChildren(sql, spans),
      findOuterCalls: (spans) => findOuterCalls(sql, spans),
      insertSpans: (spans) => insertSpans(sql, send, spans),
      findAncestors: (starts, limit) => findAncestors(sql, starts, limit),
      async addToSpanSums(updates) {
        changed.push(...updates.map(({ id }) => id));
        send(addToSpanSums(sql, updates));
      },
      async markRepeating(ids) {
        changed.push(...ids);
        send(markRepeating(sql, ids));
      },
      markRollupsPending: async (traceIds) => send(markRollupsPending(sql, traceIds)),
      updateTraces: async (updates) => send(updateTraces(sql, updates)),
      updateSessions: async (differences) => send(updateSessions(sql, differences)),
    });
  }

  /** Which traces are to wait; all of them where it cannot be seen what is held. */
  async function tracesHeld(needs: IngestNeeds, changed: readonly number[], cause: unknown): Promise<Failure> {
    try {
      const waiting = await held.lookFor(needs, changed);
      return new TracesHeld(waiting.size > 0 ? waiting : new Set(needs.traces.map(({ traceKey }) => traceKey)), cause);
    } catch (error) {
      return postgresFailure(error);
    }
  }

  return {
    async prepare(needs) {
      const unknown = unknownRows(known, needs);
      // One alone is in order, and most are known.
      const keys = new Set(unknown.naming.map((need) => need.sessionKey));
      if (keys.size < 2) return;
      try {
        if ((await held.findWaiting(needs)).size > 0) return;
        await ensureProjects(pool, known, unknown.traces, options.clock);
        const lease = await pool.lease();
        let ended = false;
        try {
          await ensureTracesAndSessions(lease.sql, unknown);
          ended = true;
        } finally {
          lease.release(!ended);
        }
      } catch {
        // The batches do it again, each for itself, and tell what is wrong.
      }
    },
    async run(needs, work) {
      for (let number = 1; ; number++) {
        const changed: number[] = [];
        try {
          return await attempt(needs, work, changed);
        } catch (error) {
          const again = error instanceof RowsGone || [DEADLOCK, REFERENCE_GONE].includes(codeOf(error));
          if (codeOf(error) === DEADLOCK) options.onDeadlock();
          if (again && number < MOST_ATTEMPTS) continue;
          if (codeOf(error) === LOCK_NOT_AVAILABLE) throw await tracesHeld(needs, changed, error);
          if (again) throw keepsBeingDeleted(error);
          if (UNUSABLE.test(codeOf(error))) throw unusableDatabase(error);
          throw isOurs(error) ? error : postgresFailure(error);
        }
      }
    },
    close: () => pool.end({ timeout: 5 }),
  };
}

function noop(): void {}

/** A transient failure: no span may be rejected for it. */
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

async function sessionIds(sql: PostgresQuery, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ id: number; session_key: string }[]>`
    select id, session_key from sessions where session_key = any(${keys})`;
  return new Map(rows.map((row) => [row.session_key, row.id]));
}

type LockedTrace = Omit<TraceRow, "rollup_pending"> & { readonly own_models_change: number };

// The join must not lock projects: `of t` keeps the lock to traces.
const LOCK_TRACES = `
  select t.id, t.trace_key, t.project_id, p.name as project_name, p.deleting, t.session_id, t.start_us, t.end_us,
    ${selectedSums("t")}, (select coalesce(max(change), 0) from models) as own_models_change
  from traces t join projects p on p.id = t.project_id
  where t.trace_key = any($1) order by t.trace_key for no key update of t`;

function lockTraces(sql: PostgresSql, needs: IngestNeeds): Promise<LockedTrace[]> {
  return sql.unsafe<LockedTrace>(LOCK_TRACES, [needs.traces.map((need) => need.traceKey)], { prepare: true });
}

/** A statement of its own, after that of the locks: one that waits for a lock still sees everything but the locked rows as it was
 *  before the wait, and a trace settled meanwhile would get neither these sums nor a new computation. */
async function somePending(sql: PostgresSql): Promise<number[]> {
  const rows = await sql<{ trace_id: number }[]>`select trace_id from pending_rollups limit ${MOST_PENDING}`;
  return rows.map((row) => row.trace_id);
}

async function listOwnModels(sql: PostgresSql): Promise<OwnModels> {
  const rows = await sql<OwnModelsRow[]>`
    select last.change, m.id, m.name, m.provider, m.name_pattern, m.start_us, m.prices
    from (select coalesce(max(change), 0) as change from models) as last left join models m on m.deleted_us is null
    order by m.id`;
  return ownModelsOf(rows);
}

async function storedTraces(
  sql: PostgresSql,
  rows: readonly LockedTrace[],
  some: readonly number[],
): Promise<Map<string, StoredTrace>> {
  let pending = some;
  if (some.length === MOST_PENDING) {
    const ours = await sql<{ trace_id: number }[]>`
      select trace_id from pending_rollups where trace_id = any(${rows.map((row) => row.id)}::bigint[])`;
    pending = ours.map((row) => row.trace_id);
  }
  const ids = new Set(pending);
  return new Map(rows.map((row) => [row.trace_key, storedTrace({ ...row, rollup_pending: ids.has(row.id) })]));
}
