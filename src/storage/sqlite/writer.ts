// The owner of the only write connection. It runs inside the ingest worker, where ingestion holds the same lock, and serves
// the statements of other writers, which arrive as messages.
import type { Handlers } from "../../kernel/link.ts";
import { createMutex } from "../../kernel/mutex.ts";
import type { SqliteConnection, SqliteResult, StatementMessage } from "./connection.ts";
import { createForeignTransaction, TRANSACTION_LIMITS, type TransactionLimits } from "./foreign-transaction.ts";
import { createMaintenance, type MaintenanceOptions } from "./maintenance.ts";
import type { OpenFiles } from "./open-files.ts";
import { diskFull, type Reserve } from "./reserve.ts";
import { createWriteState } from "./write-state.ts";

interface SqliteWriterOptions {
  readonly limits?: TransactionLimits;
  readonly maintenance?: MaintenanceOptions;
  /** Of the connection: nothing is committed into a file that was deleted or replaced. */
  readonly files?: OpenFiles;
  /** Of the same disk. Spans wait while it is given up; the writes of others, deletions among them, do not. */
  readonly reserve?: Reserve | null;
}

export interface SqliteWriter {
  readonly connection: SqliteConnection;
  /** Runs `work` inside one transaction while the writer is held; rolls back when it throws. */
  transaction<Result>(work: (connection: SqliteConnection) => Promise<Result> | Result): Promise<Result>;
  /** Runs `work` while the writer is held, outside any transaction. */
  hold<Result>(work: (connection: SqliteConnection) => Promise<Result> | Result): Promise<Result>;
  /** Methods for serveLink: `execute`, `begin`, `executeIn`, `commit`, `rollback`, `readiness`. */
  readonly handlers: Handlers;
}

export function createSqliteWriter(connection: SqliteConnection, options: SqliteWriterOptions = {}): SqliteWriter {
  const { limits = TRANSACTION_LIMITS, files = null, reserve = null } = options;
  const lock = createMutex();
  const state = createWriteState(connection, lock, files, reserve);
  const maintenance = createMaintenance(
    connection,
    (work) => lock.hold(() => maintain(work)),
    options.maintenance,
    () => reserve?.isOut ?? false,
  );

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

  const handlers: Handlers = {
    execute: (message: StatementMessage): Promise<SqliteResult> => hold(() => execute(message)),
    readiness: state.readiness,
    ...createForeignTransaction({
      connection,
      lock,
      limits,
      commit,
      rollBack,
      failed: state.failed,
      ended: maintenance.afterWrite,
    }),
  };

  return { connection, hold, transaction, handlers };
}
