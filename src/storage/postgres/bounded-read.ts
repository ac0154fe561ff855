// A read that ends in time: on the server at its deadline or when the client goes away, and here when the server says nothing.
import { Failure } from "../../kernel/failure.ts";
import type { StatementResult } from "../kysely-driver.ts";
import { type ReadLimits, watchLimits } from "../stopped-read.ts";
import { codeOf, isUnreachable } from "./failure.ts";
import type { Lease } from "./leased-session.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresSession, PostgresSql } from "./session.ts";

/** The server ends a statement at its deadline; after this much more, it is believed to be out of reach. */
const GRACE_MILLISECONDS = 1000;
/** A server that is out of reach takes no cancellation. */
const CANCEL_MILLISECONDS = 5000;
const LONGEST_STATEMENT_TIMEOUT = 2 ** 31 - 1;

/** Begins a session beside a pool, all of whose own may be in use. */
export type OpenSession = () => PostgresSession;

interface BoundedRead {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** True where the order of the result is that of an index, which is walked until the result is complete. */
  readonly walks: boolean;
  /** What must hold in the transaction of the read before its statement. */
  readonly condition?: ReadCondition;
}

interface ReadCondition {
  /** `performance.now()` at which it is late. */
  readonly by: number;
  /** Resolves when it holds; rejects when it will not in time. */
  holds(sql: PostgresSql): Promise<void>;
  /** The failure of a read whose condition did not hold in time. */
  late(): Failure;
}

/** Runs the statement in a read-only transaction of its own. Rejects with the errors of the driver as they are, and with the
 *  failures `storage.deadline` and `storage.client_gone`. */
export async function boundedRead(
  pool: PostgresPool,
  openCanceller: OpenSession,
  limits: ReadLimits,
  { text, parameters, walks, condition }: BoundedRead,
): Promise<StatementResult> {
  const lease = await (condition === undefined ? pool.lease(limits) : leaseBy(pool, limits, condition));
  const begun = begin(lease, limits.deadline, walks);
  if (condition !== undefined) await meet(condition, lease, begun);

  const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
  // The connection may be dead without a notice: then only this timer ends the wait.
  const graceful = { deadline: limits.deadline + GRACE_MILLISECONDS, signal: limits.signal };
  let cancelled = null as Promise<void> | null;
  const watch = watchLimits(graceful, (reason) => {
    cancelled = cancel(begun, openCanceller);
    stop(reason);
  });
  let reusable = false;
  try {
    const rows = await Promise.race([lease.sql.unsafe(text, parameters), stopped]);
    reusable = true;
    return { rows, changes: 0 };
  } catch (error) {
    reusable = !(error instanceof Failure) && !isUnreachable(error);
    throw error;
  } finally {
    watch.end();
    // A late cancellation could hit the next statement of the session: a cancelled session is not used again.
    if (cancelled !== null) void cancelled.then(() => lease.release(true));
    else lease.release(!(reusable && (await rollBack(lease))));
  }
}

async function leaseBy(pool: PostgresPool, limits: ReadLimits, condition: ReadCondition): Promise<Lease> {
  try {
    return await pool.lease({ deadline: Math.min(limits.deadline, condition.by), signal: limits.signal });
  } catch (error) {
    throw codeOf(error) === "storage.deadline" && performance.now() < limits.deadline ? condition.late() : error;
  }
}

/** Waits until the condition holds. A connection that is still being made when it is late is kept for the next read. */
async function meet(condition: ReadCondition, lease: Lease, begun: Promise<unknown>): Promise<void> {
  const met = begun.then(() => condition.holds(lease.sql));
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(condition.late()), Math.max(0, condition.by - performance.now()));
  try {
    await Promise.race([met, late]);
  } catch (error) {
    void met
      .catch(() => {})
      .then(() => rollBack(lease))
      .then((ended) => lease.release(!ended));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** One process a read: a crowd of slow ones would otherwise take every core of the database from ingestion and lists.
 *  No just-in-time compilation: it takes longer than most of our statements run, and estimates decide on it.
 *  A walk is not replaced by a sort of all matches: of conditions on attributes a planner expects one match in two hundred, and of two
 *  at once next to none. What no index has in its order is sorted all the same.
 *  Sends the beginning of the transaction, without waiting for it; resolves with the id of the server's process. */
function begin(lease: Lease, deadline: number, walks: boolean): Promise<number> {
  const milliseconds = Math.min(Math.max(1, Math.ceil(deadline - performance.now())), LONGEST_STATEMENT_TIMEOUT);
  const results = lease.sql.unsafe(
    `${lease.sql.begin}; set transaction read only; set local statement_timeout = ${milliseconds}; set local max_parallel_workers_per_gather = 0; set local jit = off;${walks ? " set local enable_sort = off;" : ""} select pg_backend_pid() as pid`,
  ) as Promise<{ pid: number }[][]>;
  const processId = results.then((each) => each.at(-1)![0]!.pid);
  // What keeps the transaction from beginning fails the statement too.
  processId.catch(() => {});
  return processId;
}

/** False when the session cannot be used again. */
async function rollBack(lease: Lease): Promise<boolean> {
  try {
    await lease.sql.unsafe("rollback");
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the statement is cancelled or cannot be: it ends at its own time limit then. */
async function cancel(processId: Promise<number>, openCanceller: OpenSession): Promise<void> {
  const canceller = openCanceller();
  const cancelling = processId.then((id) => canceller.sql`select pg_cancel_backend(${id}::integer)`);
  await Promise.race([cancelling.catch(() => {}), Bun.sleep(CANCEL_MILLISECONDS)]);
  canceller.end();
}
