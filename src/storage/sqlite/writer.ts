// The owner of the only write connection. It runs inside the ingest worker, where ingestion holds the same lock, and serves
// the statements of other writers, which arrive as messages.
import { fail } from "../../kernel/failure.ts";
import type { Handlers } from "../../kernel/link.ts";
import { createMutex } from "../../kernel/mutex.ts";
import type { SqliteConnection, SqliteResult } from "./connection.ts";
import { createMaintenance, type MaintenanceOptions } from "./maintenance.ts";
import type { OpenFiles } from "./open-files.ts";
import { diskFull, type Reserve } from "./reserve.ts";
import { createWriteState } from "./write-state.ts";

/** A transaction of another thread holds the writer: it must speak again within `idle` milliseconds and end within `whole`. */
const LIMITS = { idle: 1000, whole: 5000 };

interface SqliteWriterOptions {
  readonly limits?: typeof LIMITS;
  readonly maintenance?: MaintenanceOptions;
  /** Of the connection: nothing is committed into a file that was deleted or replaced. */
  readonly files?: OpenFiles;
  /** Of the same disk. Spans wait while it is given up; the writes of others, deletions among them, do not. */
  readonly reserve?: Reserve | null;
}

export interface StatementMessage {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface SqliteWriter {
  readonly connection: SqliteConnection;
  /** Runs `work` inside one transaction while nobody else writes; rolls back when it throws. */
  transaction<Result>(work: (connection: SqliteConnection) => Promise<Result> | Result): Promise<Result>;
  /** Runs `work` while nobody else writes, outside any transaction. */
  hold<Result>(work: (connection: SqliteConnection) => Promise<Result> | Result): Promise<Result>;
  /** Methods for serveLink: `execute`, `begin`, `executeIn`, `commit`, `rollback`, `readiness`. */
  readonly handlers: Handlers;
}

interface HeldTransaction {
  readonly number: number;
  readonly endsAt: number;
  release(): void;
  timer: ReturnType<typeof setTimeout>;
}

export function createSqliteWriter(connection: SqliteConnection, options: SqliteWriterOptions = {}): SqliteWriter {
  const { limits = LIMITS, files = null, reserve = null } = options;
  const lock = createMutex();
  const state = createWriteState(connection, lock, files, reserve);
  const maintenance = createMaintenance(
    connection,
    (work) => lock.hold(() => maintain(work)),
    options.maintenance,
    () => reserve?.isOut ?? false,
  );
  let held: HeldTransaction | null = null;
  let lastNumber = 0;

  function maintain(work: (connection: SqliteConnection) => void): void {
    files?.require();
    work(connection);
    files?.noteWritten();
  }

  function commit(): void {
    files?.require();
    connection.execute("commit");
    state.succeeded();
  }

  const hold: SqliteWriter["hold"] = (work) =>
    lock.hold(async () => {
      const result = await work(connection);
      maintenance.afterWrite();
      return result;
    });

  const transaction: SqliteWriter["transaction"] = (work) =>
    hold(async () => {
      try {
        if (reserve?.isOut) throw diskFull();
        connection.execute("begin immediate");
        const result = await work(connection);
        commit();
        return result;
      } catch (error) {
        state.failed(error);
        rollBack();
        throw error;
      }
    });

  function execute({ sql, parameters }: StatementMessage): SqliteResult {
    try {
      files?.require();
      const result = connection.execute(sql, parameters);
      state.succeeded();
      return result;
    } catch (error) {
      state.failed(error);
      throw error;
    }
  }

  function rollBack(): void {
    if (connection.inTransaction) connection.execute("rollback");
  }

  function end(how: "commit" | "rollback"): void {
    const ending = held;
    if (ending === null) return;
    held = null;
    clearTimeout(ending.timer);
    try {
      if (how === "commit") commit();
      else rollBack();
    } catch (error) {
      state.failed(error);
      rollBack();
      throw error;
    } finally {
      ending.release();
      maintenance.afterWrite();
    }
  }

  function waitForNext(transactionNumber: number): ReturnType<typeof setTimeout> {
    const milliseconds = Math.max(0, Math.min(limits.idle, (held?.endsAt ?? 0) - performance.now()));
    return setTimeout(() => {
      if (held?.number === transactionNumber) end("rollback");
    }, milliseconds);
  }

  function requireHeld(transactionNumber: number): HeldTransaction {
    if (held === null || held.number !== transactionNumber)
      throw fail(
        "storage.transaction_expired",
        "unavailable",
        `The transaction held the writer for too long (${limits.idle} ms between statements, ${limits.whole} ms in all) and was rolled back`,
        { retryAfterSeconds: 1 },
      );
    return held;
  }

  const handlers: Handlers = {
    execute: (message: StatementMessage): Promise<SqliteResult> => hold(() => execute(message)),
    readiness: state.readiness,
    begin: async (): Promise<number> => {
      const release = await lock.acquire();
      try {
        connection.execute("begin immediate");
      } catch (error) {
        release();
        state.failed(error);
        throw error;
      }
      const number = ++lastNumber;
      held = { number, endsAt: performance.now() + limits.whole, release, timer: setTimeout(() => {}, 0) };
      clearTimeout(held.timer);
      held.timer = waitForNext(number);
      return number;
    },
    executeIn: ({ number, sql, parameters }: StatementMessage & { number: number }): SqliteResult => {
      const current = requireHeld(number);
      clearTimeout(current.timer);
      try {
        return connection.execute(sql, parameters);
      } catch (error) {
        state.failed(error);
        throw error;
      } finally {
        // After a rollback by SQLite itself, later statements would each be kept on their own.
        if (connection.inTransaction) current.timer = waitForNext(number);
        else end("rollback");
      }
    },
    commit: ({ number }: { number: number }): void => {
      requireHeld(number);
      end("commit");
    },
    rollback: ({ number }: { number: number }): void => {
      if (held?.number === number) end("rollback");
    },
  };

  return { connection, hold, transaction, handlers };
}
