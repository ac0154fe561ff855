// A bounded number of sessions, handed out one user at a time. A lost or old session is replaced, so that a restart of the
// database, a fail-over or a changed password mends itself.
import { type Failure, fail } from "../../kernel/failure.ts";
import { createWaitingLine } from "../../kernel/waiting-line.ts";
import { deadlinePassed, type ReadLimits, tooManyWaiting, waitedTooLong, watchLimits } from "../stopped-read.ts";
import { createBackOff } from "./back-off.ts";
import { codeOf, connectFailure } from "./failure.ts";
import { type Lease, runStatement, runTransaction, type Send } from "./leased-session.ts";
import { CONNECT_MILLISECONDS, type PostgresQuery, type PostgresSession, type PostgresSql } from "./session.ts";

/** Called as a template it runs one statement, on whichever session is free. */
export interface PostgresPool extends PostgresQuery {
  /** A session for as long as it is held; waits for one at most as long as the limits say. */
  lease(limits?: ReadLimits): Promise<Lease>;
  /** Runs `work` in a transaction: commits when it resolves, rolls back when it throws or a statement that it sent fails. The
   *  statements of `before` are sent on the same session before the transaction begins, and like its beginning and its end not
   *  waited for by themselves. */
  begin<Result>(
    work: (sql: PostgresSql, send: Send) => Promise<Result>,
    before?: (sql: PostgresSql) => Promise<void>,
  ): Promise<Result>;
  /** Sessions that are there, those that are held, and callers that wait for one. */
  usage(): { readonly open: number; readonly busy: number; readonly waiting: number };
  /** Refuses new work, waits `timeout` seconds for what runs, then ends every session. */
  end(options: { readonly timeout: number }): Promise<void>;
}

/** Without limits of its own, a caller waits this long for a session. */
const LONGEST_WAIT_MILLISECONDS = 30_000;
/** A fail-over behind one address, or a changed password, is noticed after this time. */
const LIFETIME_MILLISECONDS = 55 * 60_000;
/** A session that is lost sooner counts as one that was never made: the next may fare no better. */
const STEADY_MILLISECONDS = 1000;
const TOO_MANY_CONNECTIONS = "53300";

/** At most `size` sessions. While they cannot be made, one at a time is tried, with growing pauses; requests that wait then are
 *  called with each attempt that fails. Of slow reads at most `mostWaiting` wait for one, the next fails at once; without it there is no end. */
export function createPool(open: () => PostgresSession, size: number, mostWaiting: number | null = null): PostgresPool {
  const all = new Set<PostgresSession>();
  const connecting = new Set<PostgresSession>();
  const idle: PostgresSession[] = [];
  const waiting = createWaitingLine<PostgresSession>();
  const backOff = createBackOff(connectForWaiting);
  let emptied: (() => void) | null = null;
  let closed = false;

  function connectForWaiting(): void {
    if (closed || backOff.isPausing) return;
    const most = backOff.isCalm ? waiting.length : Math.min(waiting.length, 1);
    while (connecting.size < most && all.size < size) void connect();
  }

  async function connect(): Promise<void> {
    const session = open();
    all.add(session);
    connecting.add(session);
    const reason = await whyNotConnected(session);
    connecting.delete(session);
    if (reason === null) {
      giveBack(session, false);
    } else {
      drop(session);
      backOff.failed();
      // Those that have a session may give it back, if only there are too many.
      if (all.size === connecting.size || codeOf(reason.details.cause) !== TOO_MANY_CONNECTIONS)
        waiting.refuseAll(reason);
    }
    connectForWaiting();
  }

  function isUsable(session: PostgresSession): boolean {
    const age = performance.now() - session.bornAt;
    if (!session.isLost && age < LIFETIME_MILLISECONDS) return true;
    if (session.isLost && age < STEADY_MILLISECONDS) backOff.failed();
    drop(session);
    return false;
  }

  function drop(session: PostgresSession): void {
    all.delete(session);
    session.end();
    if (all.size === 0) emptied?.();
  }

  function giveBack(session: PostgresSession, broken: boolean): void {
    // The way is gone: those that were not asked since would each be waited for as long.
    if (session.wentSilent) for (const other of idle.splice(0)) drop(other);
    if (closed || (broken && !session.isLost)) drop(session);
    else if (isUsable(session) && !waiting.serve(session)) idle.push(session);
    connectForWaiting();
  }

  async function take(limits: ReadLimits): Promise<PostgresSession> {
    if (closed) throw closing();
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) if (isUsable(session)) return session;
    const toBeMade = size - all.size + connecting.size;
    if (mostWaiting !== null && waiting.length >= mostWaiting + toBeMade) throw tooManyWaiting();
    const late = mostWaiting === null ? deadlinePassed : waitedTooLong;
    const served = waiting.wait((leave) => watchLimits(limits, leave, late));
    connectForWaiting();
    return served;
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

  async function end({ timeout }: { readonly timeout: number }): Promise<void> {
    closed = true;
    backOff.end();
    for (const session of connecting) session.end();
    waiting.refuseAll(closing());
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

  const single = (text: TemplateStringsArray, ...parameters: readonly unknown[]) =>
    runStatement(lease, text, parameters);
  return Object.assign(single as PostgresPool, {
    lease,
    begin: ((work, before) => runTransaction(lease, work, before)) as PostgresPool["begin"],
    usage: () => ({ open: all.size, busy: all.size - idle.length - connecting.size, waiting: waiting.length }),
    end,
  });
}

/** Null when the session is there. */
async function whyNotConnected(session: PostgresSession): Promise<Failure | null> {
  const timer = setTimeout(session.end, CONNECT_MILLISECONDS);
  try {
    await session.begin();
    return null;
  } catch (error) {
    return connectFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

function closing(): Failure {
  return fail("storage.closing", "unavailable", "The server is shutting down", { retryAfterSeconds: 5 });
}
