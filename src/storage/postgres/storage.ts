// Storage on PostgreSQL: an interactive pool for short reads and writes, a slow one for reads that may be stopped, and one on
// the replica, if there is one, for any read that it is current enough for.
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { Failure, fail } from "../../kernel/failure.ts";
import {
  createRunnerDriver,
  type StatementListener,
  type StatementRunner,
  type TransactionRunner,
} from "../kysely-driver.ts";
import type { PostgresLocation } from "../location.ts";
import { MOST_WAITING } from "../stopped-read.ts";
import type { CallContext, DatabaseHandle, ReadClass, Storage } from "../storage.ts";
import type { Tables } from "../tables.ts";
import { transactionHandle } from "../transaction-handle.ts";
import { openPool } from "./connection.ts";
import { postgresDialect } from "./dialect.ts";
import type { PostgresPool } from "./pool.ts";
import { createReplica } from "./replica.ts";
import { retryWhileAway } from "./retry-while-away.ts";
import { poolRunner, slowRunner } from "./runners.ts";
import { openSession } from "./session.ts";
import { LOCK_MILLISECONDS, SILENCE_MILLISECONDS } from "./session-limits.ts";
import { createRefreshStatistics } from "./statistics.ts";

/** Connections for filters, exports and statistics: as many as SQLite has reader processes, so that many of them leave connections for the rest. */
const SLOW_CONNECTIONS = 2;
/** A probe must be answered soon, also when the database does not answer. */
const PING_MILLISECONDS = 5000;

/** Kysely that compiles for PostgreSQL and runs on the given runner. */
export function createPostgresKysely(
  runner: StatementRunner | TransactionRunner,
  listener?: StatementListener,
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createRunnerDriver(runner, listener),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

interface PostgresStorageOptions {
  /** Called after every read while a replica is configured: whether the replica answered it. */
  readonly onReplicaRead?: (byReplica: boolean) => void;
  readonly onStatement?: StatementListener | undefined;
}

export function createPostgresStorage(location: PostgresLocation, options: PostgresStorageOptions = {}): Storage {
  const { poolSize } = location;
  const interactive = openPool(location, {
    name: "interactive",
    connections: poolSize,
    statementTimeout: null,
    silenceLimit: SILENCE_MILLISECONDS,
    lockLimit: LOCK_MILLISECONDS,
  });
  const slow = openPool(location, {
    name: "slow reads",
    connections: SLOW_CONNECTIONS,
    statementTimeout: null,
    mostWaiting: MOST_WAITING,
  });
  const openCanceller = () => openSession(location, { name: "cancel", statementTimeout: null });
  const onPrimary = poolRunner(interactive);
  const database = createPostgresKysely(onPrimary, options.onStatement);
  const writing = createPostgresKysely(
    poolRunner(interactive, () => retryWhileAway(() => interactive.lease())),
    options.onStatement,
  );
  const replica = location.replicaUrl === null ? null : openReplica(location, interactive, options);

  function readRunner(context: CallContext, readClass: ReadClass): StatementRunner {
    const walks = readClass === "walk";
    const runner = readClass === "short" ? onPrimary : slowRunner(slow, openCanceller, context, walks);
    return replica === null ? runner : replica.reads.runner(runner, context, walks);
  }

  const handle: DatabaseHandle = {
    transaction: null,
    read: (context, readClass) =>
      readClass === "short" && replica === null
        ? database
        : createPostgresKysely(readRunner(context, readClass), options.onStatement),
    write: () => writing,
  };

  async function transaction<Result>(
    context: CallContext,
    work: (context: CallContext) => Promise<Result>,
  ): Promise<Result> {
    if (context.database.transaction !== null) return work(context);
    return retryWhileAway((mayBeDone) =>
      database.transaction().execute(async (trx) => {
        const result = await work({ ...context, database: transactionHandle(trx) });
        mayBeDone();
        return result;
      }),
    );
  }

  return {
    dialect: postgresDialect,
    keepsSessions: location.poolMode === "session",
    handle,
    transaction,
    withTraces: (context, traceKeys, work) =>
      transaction(context, async (inner) => {
        const { rows } = await sql<{ id: number }>`
          select id from traces where trace_key = any(${[...traceKeys]}::text[])
          order by trace_key for no key update`.execute(inner.database.write(inner));
        return work(
          inner,
          rows.map((row) => row.id),
        );
      }),
    async lockSessions(context, sessionIds) {
      if (sessionIds.length === 0) return;
      await sql`select id from sessions where id = any(${[...sessionIds]}::bigint[]) order by id for no key update`.execute(
        context.database.write(context),
      );
    },
    async readiness() {
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error(`No answer in ${PING_MILLISECONDS} ms`)), PING_MILLISECONDS);
      try {
        const asked = interactive<
          { read_only: string }[]
        >`select current_setting('transaction_read_only') as read_only`;
        const [answer] = await Promise.race([asked, silence]).finally(() => clearTimeout(timer));
        if (answer?.read_only === "on") throw fail("storage.read_only", "unavailable", "The database is read-only");
        return { note: null };
      } catch (error) {
        if (error instanceof Failure && error.code === "storage.read_only") throw error;
        throw fail("storage.unreachable", "unavailable", "The database does not answer", { cause: error });
      }
    },
    async usedBytes() {
      const rows = await interactive<{ bytes: number }[]>`
        select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname = current_schema()`;
      return rows[0]?.bytes ?? 0;
    },
    poolUsage: () => [
      { pool: "interactive", ...interactive.usage() },
      { pool: "slow", ...slow.usage() },
      ...(replica === null ? [] : [{ pool: "replica", ...replica.pool.usage() }]),
    ],
    refreshStatistics: createRefreshStatistics(interactive),
    async close() {
      await Promise.all([interactive.end({ timeout: 5 }), slow.end({ timeout: 1 }), replica?.pool.end({ timeout: 1 })]);
    },
  };
}

function openReplica(location: PostgresLocation, primary: PostgresPool, { onReplicaRead }: PostgresStorageOptions) {
  const session = { statementTimeout: null, replica: true };
  const pool = openPool(location, { ...session, name: "replica reads", connections: location.poolSize });
  const reads = createReplica({
    primary,
    replica: pool,
    openCanceller: () => openSession(location, { ...session, name: "cancel" }),
    ...(onReplicaRead === undefined ? {} : { onRead: onReplicaRead }),
  });
  return { pool, reads };
}
