// Rows that another transaction keeps locked for long: a server that is frozen, a person with an open transaction. Spans
// that need them wait by themselves, without waiting for the lock, until the rows are free.
import type { IngestNeeds } from "../ingest-store.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresQuery } from "./session.ts";

/** Ids of rows; of sessions and projects also the names by which spans call for them. */
interface Rows {
  readonly traces: readonly number[];
  /** Stored spans whose sums a batch changes. */
  readonly spans: readonly number[];
  readonly sessions: ReadonlyMap<number, string>;
  readonly projects: ReadonlyMap<number, string>;
}

/** Not looked at more often than this, whatever the number of batches. */
const LOOK_MILLISECONDS = 100;

interface HeldRows {
  /** Keys of the traces that need rows which were held before and still are. Asks nothing while none was. */
  findWaiting(needs: IngestNeeds): Promise<ReadonlySet<string>>;
  /** Looks for what is held of these needs and of the stored spans that the batch changes, after a wait that was too long; returns the keys
   *  of the traces that need it. */
  lookFor(needs: IngestNeeds, spanIds: readonly number[]): Promise<ReadonlySet<string>>;
}

/** Remembers what was held until it is free: one look at a time, whatever the number of batches. */
export function createHeldRows(pool: PostgresPool): HeldRows {
  let known: Rows = NONE;
  let lookedAt = -Infinity;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const before = known;
    const held = await heldOf(pool, before);
    lookedAt = performance.now();
    // Rows that were found meanwhile stay.
    if (known === before) known = held;
  }

  return {
    async findWaiting(needs) {
      if (isEmpty(known)) return NOTHING;
      if (performance.now() - lookedAt > LOOK_MILLISECONDS) {
        looking ??= look().finally(() => {
          looking = null;
        });
        await looking;
      }
      return isEmpty(known) ? NOTHING : tracesThatNeed(pool, needs, known);
    },
    async lookFor(needs, spanIds) {
      const held = await heldOf(pool, { ...(await rowsOf(pool, needs)), spans: spanIds });
      if (isEmpty(held)) return NOTHING;
      known = {
        traces: [...new Set([...known.traces, ...held.traces])],
        spans: [...new Set([...known.spans, ...held.spans])],
        sessions: new Map([...known.sessions, ...held.sessions]),
        projects: new Map([...known.projects, ...held.projects]),
      };
      return tracesThatNeed(pool, needs, held);
    },
  };
}

const NONE: Rows = { traces: [], spans: [], sessions: new Map(), projects: new Map() };
const NOTHING: ReadonlySet<string> = new Set();

function isEmpty({ traces, spans, sessions, projects }: Rows): boolean {
  return traces.length + spans.length + sessions.size + projects.size === 0;
}

const traceKeys = ({ traces }: IngestNeeds) => traces.map(({ traceKey }) => traceKey);

/** Every row that a batch with these needs locks before it looks at spans, as far as it is there. */
async function rowsOf(sql: PostgresQuery, needs: IngestNeeds): Promise<Omit<Rows, "spans">> {
  const traces = await sql<{ id: number; session_id: number | null; project_id: number }[]>`
    select id, session_id, project_id from traces where trace_key = any(${traceKeys(needs)})`;
  const sessionKeys = needs.traces.flatMap(({ sessionKey }) => sessionKey ?? []);
  const sessions = await sql<Named[]>`select id, session_key as name from sessions
    where session_key = any(${sessionKeys}) or id = any(${traces.flatMap((row) => row.session_id ?? [])}::bigint[])`;
  const projects = await sql<Named[]>`select id, name from projects
    where name = any(${needs.traces.map(({ projectName }) => projectName)})
      or id = any(${traces.map((row) => row.project_id)}::bigint[])`;
  return { traces: traces.map(({ id }) => id), sessions: byId(sessions), projects: byId(projects) };
}

/** Those of the rows that are locked. The locks that this takes end with each statement. */
async function heldOf(sql: PostgresQuery, { traces, spans, sessions, projects }: Rows): Promise<Rows> {
  const heldTraces = await sql<{ id: number }[]>`
    with free as materialized (select id from traces where id = any(${[...traces]}::bigint[]) for no key update skip locked)
    select id from traces where id = any(${[...traces]}::bigint[]) and id not in (select id from free)`;
  const heldSpans =
    spans.length === 0
      ? []
      : await sql<{ id: number }[]>`
    with free as materialized (select id from spans where id = any(${[...spans]}::bigint[]) for no key update skip locked)
    select id from spans where id = any(${[...spans]}::bigint[]) and id not in (select id from free)`;
  const heldSessions = await sql<Named[]>`
    with free as materialized (
      select id from sessions where id = any(${[...sessions.keys()]}::bigint[]) for no key update skip locked)
    select id, session_key as name from sessions
    where id = any(${[...sessions.keys()]}::bigint[]) and id not in (select id from free)`;
  // New traces refer to their project: that needs no more than its key.
  const heldProjects = await sql<Named[]>`
    with free as materialized (
      select id from projects where id = any(${[...projects.keys()]}::bigint[]) for key share skip locked)
    select id, name from projects
    where id = any(${[...projects.keys()]}::bigint[]) and id not in (select id from free)`;
  return {
    traces: heldTraces.map(({ id }) => id),
    spans: heldSpans.map(({ id }) => id),
    sessions: byId(heldSessions),
    projects: byId(heldProjects),
  };
}

async function tracesThatNeed(sql: PostgresQuery, needs: IngestNeeds, rows: Rows): Promise<ReadonlySet<string>> {
  const sessionKeys = new Set(rows.sessions.values());
  const projectNames = new Set(rows.projects.values());
  const naming = needs.traces.filter(
    ({ sessionKey, projectName }) =>
      (sessionKey !== null && sessionKeys.has(sessionKey)) || projectNames.has(projectName),
  );
  const stored = await sql<{ trace_key: string }[]>`
    select trace_key from traces where trace_key = any(${traceKeys(needs)})
      and (id = any(${[...rows.traces]}::bigint[]) or session_id = any(${[...rows.sessions.keys()]}::bigint[])
        or project_id = any(${[...rows.projects.keys()]}::bigint[])
        or id in (select trace_id from spans where id = any(${[...rows.spans]}::bigint[])))`;
  return new Set([...naming.map(({ traceKey }) => traceKey), ...stored.map((row) => row.trace_key)]);
}

interface Named {
  readonly id: number;
  readonly name: string;
}

function byId(rows: readonly Named[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
