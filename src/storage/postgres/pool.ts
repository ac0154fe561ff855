// A bounded number of sessions, handed out one user at a time. A lost or old session is replaced, so that a restart of the
// database, a fail-over or a changed password mends itself.
import { type Failure, fail } from "../../kernel/failure.ts";
import { deadlinePassed, type ReadLimits, tooManyWaiting, waitedTooLong, watchLimits } from "../stopped-read.ts";
import { isUnreachable } from "./failure.ts";
import type { PostgresQuery, PostgresSession, PostgresSql } from "./session.ts";

export interface Lease {
  readonly sql: PostgresSql;
  /** Gives the session back; `broken` ends it instead: what runs on it may not have ended. */
  release(broken?: boolean): void;
}

/** Called as a template it runs one statement, on whichever session is free. */
export interface PostgresPool extends PostgresQuery {
  /** A session for as long as it is held; waits for one at most as long as the limits say. */
  lease(limits?: ReadLimits): Promise<Lease>;
  /** Runs `work` in a transaction: commits when it resolves, rolls back when it throws. */
  begin<Result>(work: (sql: PostgresSql) => Promise<Result>): Promise<Result>;
  /** Refuses new work, waits `timeout` seconds for what runs, then ends every session. */
  end(options: { readonly timeout: number }): Promise<void>;
}

/** Without limits of its own, a caller waits this long for a session. */
const LONGEST_WAIT_MILLISECONDS = 30_000;
/** A fail-over behind one address, or a changed password, is noticed after this time. */
const LIFETIME_MILLISECONDS = 55 * 60_000;

/** At most `size` sessions. Of slow reads at most `mostWaiting` wait for one, the next fails at once; without it there is no end. */
export function createPool(open: () => PostgresSession, size: number, mostWaiting: number | null = null): PostgresPool {
  const all = new Set<PostgresSession>();
  const idle: PostgresSession[] = [];
  const waiting: { serve(session: PostgresSession): void; refuse(reason: Failure): void }[] = [];
  let emptied: (() => void) | null = null;
  let closed = false;

  function start(): PostgresSession {
    const session = open();
    all.add(session);
    return session;
  }

  function isUsable(session: PostgresSession): boolean {
    if (!session.isLost && performance.now() - session.bornAt < LIFETIME_MILLISECONDS) return true;
    drop(session);
    return false;
  }

  function drop(session: PostgresSession): void {
    all.delete(session);
    session.end();
  }

  function giveBack(session: PostgresSession, broken: boolean): void {
    if (broken || closed) drop(session);
    const usable = !broken && !closed && isUsable(session);
    const next = closed ? undefined : waiting.shift();
    if (next !== undefined) next.serve(usable ? session : start());
    else if (usable) idle.push(session);
    if (all.size === 0) emptied?.();
  }

  async function take(limits: ReadLimits): Promise<PostgresSession> {
    if (closed) throw closing();
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) if (isUsable(session)) return session;
    if (all.size < size) return start();
    if (mostWaiting !== null && waiting.length >= mostWaiting) throw tooManyWaiting();
    const { promise, resolve, reject } = Promise.withResolvers<PostgresSession>();
    const place = { serve: resolve, refuse: reject };
    const leave = (reason: Failure) => {
      const position = waiting.indexOf(place);
      if (position < 0) return;
      waiting.splice(position, 1);
      reject(reason);
    };
    const watch = watchLimits(limits, leave, mostWaiting === null ? deadlinePassed : waitedTooLong);
    waiting.push(place);
    try {
      return await promise;
    } finally {
      watch.end();
    }
  }

  async function lease(limits: ReadLimits = { deadline: performance.now() + LONGEST_WAIT_MILLISECONDS, signal: null }) {
    const session = await take(limits);
    let held = true;
    return {
      sql: session.sql,
      release(broken = false) {
        if (!held) return;
        held = false;
        giveBack(session, broken);
      },
    };
  }

  async function begin<Result>(work: (sql: PostgresSql) => Promise<Result>): Promise<Result> {
    const { sql, release } = await lease();
    let ended = false;
    try {
      await sql.unsafe("begin");
      const result = await work(sql);
      await sql.unsafe("commit");
      ended = true;
      return result;
    } catch (error) {
      if (!isUnreachable(error)) {
        ended = await sql.unsafe("rollback").then(
          () => true,
          () => false,
        );
      }
      throw error;
    } finally {
      release(!ended);
    }
  }

  async function single(text: TemplateStringsArray, ...parameters: readonly unknown[]) {
    const { sql, release } = await lease();
    let broken = false;
    try {
      return await sql(text, ...parameters);
    } catch (error) {
      broken = isUnreachable(error);
      throw error;
    } finally {
      release(broken);
    }
  }

  async function end({ timeout }: { readonly timeout: number }): Promise<void> {
    closed = true;
    for (const place of waiting.splice(0)) place.refuse(closing());
    for (const session of idle.splice(0)) drop(session);
    if (all.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      emptied = resolve;
      const timer = setTimeout(resolve, timeout * 1000);
      await promise;
      clearTimeout(timer);
    }
    for (const session of all) drop(session);
  }

  return Object.assign(single as PostgresPool, { lease, begin, end });
}

function closing(): Failure {
  return fail("storage.closing", "unavailable", "The server is shutting down", { retryAfterSeconds: 5 });
}
