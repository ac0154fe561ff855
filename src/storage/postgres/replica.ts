// Reads on a replica, as current as on the primary: one is asked only after it has replayed what the primary had written to disk
// when the read was asked for. All other reads go to the primary (docs/protocol/storage.md#promises).
import { fail } from "../../kernel/failure.ts";
import type { StatementResult, StatementRunner } from "../kysely-driver.ts";
import type { ReadLimits } from "../stopped-read.ts";
import { boundedRead, type OpenSession } from "./bounded-read.ts";
import { codeOf, isUnreachable, readFailure } from "./failure.ts";
import type { PostgresPool } from "./pool.ts";
import type { PostgresSql } from "./session.ts";

/** The replica gets this long to catch up. */
const CATCH_UP_MILLISECONDS = 50;
const POLL_MILLISECONDS = 3;
/** After a read that it could not answer, the replica is left alone for this long: else every read would wait for it. */
const REST_MILLISECONDS = 1000;

interface ReplicaOptions {
  readonly primary: PostgresPool;
  readonly replica: PostgresPool;
  /** Begins a session on the replica beside its pool, to cancel a read. */
  readonly openCanceller: OpenSession;
  /** Called after every read: whether the replica answered it. */
  readonly onRead?: (byReplica: boolean) => void;
}

interface Replica {
  /** Runs statements on the replica where it is current, else on the given runner of the primary. */
  runner(onPrimary: StatementRunner, limits: ReadLimits, walks: boolean): StatementRunner;
}

export function createReplica({ primary, replica, openCanceller, onRead = () => {} }: ReplicaOptions): Replica {
  let restsUntil = 0;
  // A commit is acknowledged after it was written to disk: the caller may know of any commit up to here.
  const writtenPosition = sharedCall(async () => {
    const rows = await primary<WrittenPosition[]>`
      select pg_current_wal_flush_lsn()::text as position,
        (select system_identifier::text from pg_control_system()) as system,
        (select oid::bigint from pg_database where datname = current_database()) as database`;
    return rows[0]!;
  });

  /** Null when the primary has to answer. */
  async function readFromReplica(
    text: string,
    parameters: readonly unknown[],
    limits: ReadLimits,
    walks: boolean,
  ): Promise<StatementResult | null> {
    if (performance.now() < restsUntil) return null;
    try {
      const written = await writtenPosition();
      const catchUpBy = performance.now() + CATCH_UP_MILLISECONDS;
      return await boundedRead(replica, openCanceller, limits, {
        text,
        parameters,
        walks,
        condition: { by: catchUpBy, holds: (sql) => untilReplayed(sql, written, catchUpBy), late: behind },
      });
    } catch (error) {
      if (!isOfTheReplica(error)) throw readFailure(error, limits.deadline);
      restsUntil = performance.now() + REST_MILLISECONDS;
      return null;
    }
  }

  return {
    runner: (onPrimary, limits, walks) => ({
      async run(text, parameters) {
        const result = await readFromReplica(text, parameters, limits, walks);
        onRead(result !== null);
        return result ?? onPrimary.run(text, parameters);
      },
    }),
  };
}

interface WrittenPosition {
  readonly position: string;
  /** Of the cluster, and of the database in it: the same on a primary and its replicas only. */
  readonly system: string;
  readonly database: number;
}

/** Asked in the transaction of the read: behind one address there may be several replicas. */
async function untilReplayed(sql: PostgresSql, written: WrittenPosition, by: number) {
  for (;;) {
    const rows = await sql<{ current: boolean | null }[]>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${written.position}::pg_lsn
        and (select system_identifier::text from pg_control_system()) = ${written.system}
        and (select oid::bigint from pg_database where datname = current_database()) = ${written.database} as current`;
    if (rows[0]?.current === true) return;
    if (performance.now() + POLL_MILLISECONDS > by) throw behind();
    await Bun.sleep(POLL_MILLISECONDS);
  }
}

const BEHIND = "storage.replica_behind";

function behind() {
  return fail(BEHIND, "unavailable", "The replica has not replayed what the primary has written");
}

/** States of the replica, not of the statement: it is behind, out of reach, or a change on the primary removed what the read
 *  still needed (SQLSTATE 40001). */
function isOfTheReplica(error: unknown): boolean {
  return codeOf(error) === BEHIND || isUnreachable(error) || /^(25006|40|53|55|58)/.test(codeOf(error));
}

/** Who calls while one call runs shares the next, which begins after: a running one may be too old for it. */
function sharedCall<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | null = null;
  let next: Promise<Result> | null = null;

  function start(): Promise<Result> {
    const call = ask();
    const ended = call.then(
      () => {},
      () => {},
    );
    running = ended;
    void ended.then(() => {
      if (running === ended) running = null;
    });
    return call;
  }

  return () => {
    if (running === null) return start();
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}
