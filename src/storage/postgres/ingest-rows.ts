// Rows that a batch needs before its transaction begins: projects, traces and sessions, made where they are missing
// (docs/protocol/storage.md#order-of-locks). What is known to be there is not looked for: the transaction finds out when it is gone.
//
// Ids are taken in the order of the batch, which lists show where everything else is equal. Rows are inserted in the order of their
// keys all the same: each waits for others that insert its key, and two batches must not wait for each other. What is there already
// is left out before: `on conflict` spends an id even where it inserts nothing, and ids stay below 2^31 on the wire. Look-ups stand
// where a row has a value, so that each is a probe of an index, whatever a planner believes about the size of a table.
import type { Clock } from "../../kernel/clock.ts";
import { type IngestNeeds, projectBeingDeleted, type TraceNeed } from "../ingest-store.ts";
import { asTransaction, sendTransaction } from "./leased-session.ts";
import type { PostgresQuery, PostgresSql } from "./session.ts";

const MOST_REMEMBERED = 20_000;

/** Keys of rows that existed recently; the oldest are forgotten. */
interface KnownKeys {
  has(key: string): boolean;
  add(keys: Iterable<string>): void;
  forget(keys: Iterable<string>): void;
}

interface KnownRows {
  readonly projects: KnownKeys;
  readonly traces: KnownKeys;
  readonly sessions: KnownKeys;
}

export function createKnownRows(): KnownRows {
  return { projects: createKnownKeys(), traces: createKnownKeys(), sessions: createKnownKeys() };
}

function createKnownKeys(): KnownKeys {
  const known = new Set<string>();
  return {
    has: (key) => known.has(key),
    add(keys) {
      for (const key of keys) {
        known.delete(key);
        known.add(key);
      }
      for (const key of known) {
        if (known.size <= MOST_REMEMBERED) break;
        known.delete(key);
      }
    },
    forget(keys) {
      for (const key of keys) known.delete(key);
    },
  };
}

/** Forgets whatever the needs name: a row of theirs was not there. */
export function forgetRows(known: KnownRows, { traces }: IngestNeeds): void {
  known.projects.forget(traces.map(({ projectName }) => projectName));
  known.traces.forget(traces.map(({ traceKey }) => traceKey));
  known.sessions.forget(traces.flatMap(({ sessionKey }) => sessionKey ?? []));
}

/** What of the needs is not known to be there. */
interface UnknownRows {
  readonly traces: readonly TraceNeed[];
  /** Those that name a session. */
  readonly naming: readonly TraceNeed[];
}

export function unknownRows(known: KnownRows, { traces }: IngestNeeds): UnknownRows {
  return {
    traces: traces.filter(({ traceKey }) => !known.traces.has(traceKey)),
    naming: traces.filter(({ sessionKey }) => sessionKey !== null && !known.sessions.has(sessionKey)),
  };
}

/** Makes the projects that missing traces name. Fails with kind `unavailable` for one that is being deleted. */
export async function ensureProjects(
  sql: PostgresQuery,
  known: KnownRows,
  needs: readonly TraceNeed[],
  clock: Clock,
): Promise<void> {
  const unknown = needs.filter(({ projectName }) => !known.projects.has(projectName));
  if (unknown.length === 0) return;
  const [projects, traces] = await Promise.all([
    sql<{ name: string; deleting: number }[]>`
      select name, deleting from projects where name = any(${[...new Set(unknown.map((need) => need.projectName))]})`,
    sql<{ trace_key: string }[]>`
      select trace_key from traces where trace_key = any(${unknown.map((need) => need.traceKey)})`,
  ]);
  const found = new Map(projects.map((row) => [row.name, row]));
  const stored = new Set(traces.map((row) => row.trace_key));
  // A project is made for nothing but a trace that goes there.
  const wanted = new Set(unknown.filter((need) => !stored.has(need.traceKey)).map((need) => need.projectName));
  for (const name of wanted) if (found.get(name)?.deleting) throw projectBeingDeleted(name);
  const missing = [...wanted].filter((name) => !found.has(name));
  if (missing.length > 0) await insertProjects(sql, missing, clock);
  known.projects.add([...found.keys(), ...missing]);
}

async function insertProjects(sql: PostgresQuery, names: readonly string[], clock: Clock): Promise<void> {
  const now = clock.now();
  await sql`
    with row as materialized (
      select nextval(pg_get_serial_sequence('projects', 'id')) as id, name from unnest(${names}::text[]) as row (name))
    insert into projects (id, name, created_us, updated_us)
    select id, name, ${now}::bigint, ${now}::bigint from row
    order by name collate "C" on conflict do nothing`;
}

/** Makes what is not there of traces, and of sessions for those that have none; with a project that is gone or being deleted nothing.
 *  All statements are sent at once. Returns the ids of the sessions that it made. */
export async function ensureTracesAndSessions(sql: PostgresSql, { traces, naming }: UnknownRows): Promise<number[]> {
  if (naming.length === 0) {
    if (traces.length > 0) await asTransaction(sql, () => insertTraces(sql, traces));
    return [];
  }
  if (traces.length === 0) return asTransaction(sql, () => insertSessions(sql, naming));
  // One commit for both. Traces before sessions, each in the order of keys: no ring of waits.
  const [, created] = await sendTransaction(sql, () => [insertTraces(sql, traces), insertSessions(sql, naming)]);
  return created;
}

async function insertTraces(sql: PostgresQuery, needs: readonly TraceNeed[]): Promise<void> {
  await sql`
    with row as materialized (
      select nextval(pg_get_serial_sequence('traces', 'id')) as id, missing.*
      from (
        select given.key, given.start_us, given.end_us,
          (select p.id from projects p where p.name = given.project and p.deleting = 0) as project
        from unnest(${needs.map((need) => need.traceKey)}::text[], ${needs.map((need) => need.projectName)}::text[],
          ${needs.map((need) => need.startUs)}::bigint[], ${needs.map((need) => need.endUs)}::bigint[])
          with ordinality as given (key, project, start_us, end_us, position)
        where (select t.id from traces t where t.trace_key = given.key) is null
        order by given.position) as missing
      where missing.project is not null)
    insert into traces (id, trace_key, project_id, start_us, end_us, latency_us)
    select id, key, project, start_us, end_us, end_us - start_us from row
    order by key collate "C" on conflict do nothing`;
}

async function insertSessions(sql: PostgresQuery, naming: readonly TraceNeed[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with first as materialized (
      select distinct on (given.key) given.key, given.start_us, given.end_us, given.position, trace.project_id
      from unnest(${naming.map((need) => need.sessionKey)}::text[], ${naming.map((need) => need.traceKey)}::text[],
        ${naming.map((need) => need.startUs)}::bigint[], ${naming.map((need) => need.endUs)}::bigint[])
        with ordinality as given (key, trace_key, start_us, end_us, position)
      cross join lateral (
        select t.project_id, t.session_id from traces t where t.trace_key = given.trace_key offset 0) as trace
      where trace.session_id is null and (select s.id from sessions s where s.session_key = given.key) is null
      order by given.key, given.position),
    row as materialized (
      select nextval(pg_get_serial_sequence('sessions', 'id')) as id, ordered.*
      from (select * from first order by position) as ordered)
    insert into sessions (id, session_key, project_id, start_us, end_us)
    select id, key, project_id, start_us, end_us from row
    order by key collate "C" on conflict do nothing returning id`;
  return rows.map((row) => row.id);
}
