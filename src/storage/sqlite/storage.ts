// Storage on SQLite, seen from the main thread: reads go to reader threads and processes, writes are messages to the
// worker that owns the only write connection.
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { Failure, fail } from "../../kernel/failure.ts";
import type { Link } from "../../kernel/link.ts";
import { createMutex } from "../../kernel/mutex.ts";
import {
  createRunnerDriver,
  type StatementListener,
  type StatementRunner,
  type TransactionRunner,
} from "../kysely-driver.ts";
import type { CallContext, DatabaseHandle, Storage, StorageReadiness } from "../storage.ts";
import type { Tables } from "../tables.ts";
import { transactionHandle } from "../transaction-handle.ts";
import type { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import type { ShortReaders, SlowReaders } from "./readers.ts";

/** Below the time-out of clients, commonly three seconds. */
const READINESS_MILLISECONDS = 2500;

/** Kysely that compiles for SQLite and runs on the given runner. */
export function createSqliteKysely(
  runner: StatementRunner | TransactionRunner,
  listener?: StatementListener,
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createRunnerDriver(runner, listener),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Statements and transactions on the writer behind a link (`writer.ts` serves it). */
export function linkedWriter(link: Link): TransactionRunner {
  return {
    run: (text, parameters) => link.call("execute", { sql: text, parameters }),
    async begin() {
      const number = await link.call<number>("begin", null);
      return {
        run: (text, parameters) => link.call("executeIn", { number, sql: text, parameters }),
        commit: () => link.call("commit", { number }),
        rollback: () => link.call("rollback", { number }),
      };
    },
  };
}

/** Statements and transactions on a connection of this thread, for commands that run alone: one after the other, without the
 *  time limits of a server. */
export function directRunner(connection: SqliteConnection): TransactionRunner {
  const lock = createMutex();
  return {
    run: (text, parameters) => lock.hold(() => connection.execute(text, parameters)),
    async begin() {
      const release = await lock.acquire();
      const end = async (how: "commit" | "rollback") => {
        try {
          if (how === "commit" || connection.inTransaction) connection.execute(how);
        } catch (error) {
          if (connection.inTransaction) connection.execute("rollback");
          throw error;
        } finally {
          release();
        }
      };
      try {
        connection.execute("begin immediate");
      } catch (error) {
        release();
        throw error;
      }
      return {
        run: async (text, parameters) => connection.execute(text, parameters),
        commit: () => end("commit"),
        rollback: () => end("rollback"),
      };
    },
  };
}

interface SqliteParts {
  readonly writer: TransactionRunner;
  readonly shortReaders: ShortReaders;
  readonly slowReaders: SlowReaders;
  /** What the owner of the write connection says; without it there is only the file to read. */
  readonly writerReadiness?: () => Promise<StorageReadiness>;
  readonly onStatement?: StatementListener | undefined;
  close(): Promise<void>;
}

export function createSqliteStorage(parts: SqliteParts): Storage {
  const short = createSqliteKysely(parts.shortReaders, parts.onStatement);
  const writer = createSqliteKysely(parts.writer, parts.onStatement);
  const handle: DatabaseHandle = {
    transaction: null,
    read: (context, readClass) =>
      readClass === "short"
        ? short
        : createSqliteKysely(
            { run: (text, parameters) => parts.slowReaders.run(text, parameters, context) },
            parts.onStatement,
          ),
    write: () => writer,
  };

  async function transaction<Result>(
    context: CallContext,
    work: (context: CallContext) => Promise<Result>,
  ): Promise<Result> {
    if (context.database.transaction !== null) return work(context);
    return writer.transaction().execute((trx) => work({ ...context, database: transactionHandle(trx) }));
  }

  return {
    dialect: sqliteDialect,
    keepsSessions: true,
    handle,
    transaction,
    // The writer is held by the whole transaction: no other writer can touch these rows.
    withTraces: (context, traceKeys, work) =>
      transaction(context, async (inner) => {
        const rows = await inner.database
          .write(inner)
          .selectFrom("traces")
          .select("id")
          .where(sqliteDialect.inList(sql.ref("trace_key"), traceKeys))
          .orderBy("trace_key")
          .execute();
        return work(
          inner,
          rows.map((row) => row.id),
        );
      }),
    lockSessions: async () => {},
    async readiness() {
      const limit = Promise.withResolvers<never>();
      // Waiting for another process blocks the thread of the writer: it cannot even say so.
      const timer = setTimeout(() => limit.reject(notAnswering(null)), READINESS_MILLISECONDS);
      try {
        const read = sql`select 1 from projects limit 1`.execute(short);
        const asked = Promise.all([parts.writerReadiness?.() ?? { note: null }, read]);
        return (await Promise.race([asked, limit.promise]))[0];
      } catch (error) {
        throw error instanceof Failure && error.kind === "unavailable" ? error : notAnswering(error);
      } finally {
        clearTimeout(timer);
      }
    },
    async usedBytes() {
      const { rows } = await sql<{ bytes: number }>`
        select (page_count - freelist_count) * page_size as bytes
        from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`.execute(short);
      return rows[0]?.bytes ?? 0;
    },
    poolUsage: () => [],
    refreshStatistics: async () => [],
    close: () => parts.close(),
  };
}

function notAnswering(cause: unknown): Failure {
  return fail("storage.unreachable", "unavailable", "The database does not answer", { cause });
}
