// Kysely over anything that runs statements: a worker, a child process, a pool. Both databases use this driver.
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { fail } from "../kernel/failure.ts";
import { storableParameter } from "./storable-parameter.ts";

export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Called after every statement, without its parameters, which hold payloads. */
export type StatementListener = (sql: string, milliseconds: number) => void;

export interface StatementRunner {
  run(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
}

interface OpenTransaction extends StatementRunner {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface TransactionRunner extends StatementRunner {
  begin(): Promise<OpenTransaction>;
}

class RunnerConnection implements DatabaseConnection {
  transaction: OpenTransaction | null = null;
  /** The failed statement of the transaction: PostgreSQL undoes it as a whole then and says nothing at its commit, SQLite
   *  would go on. Here both refuse to. */
  failure: unknown = null;
  constructor(
    readonly runner: StatementRunner | TransactionRunner,
    private readonly listener: StatementListener | undefined,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const parameters = query.parameters.map(storableParameter);
    if (this.failure !== null) throw this.failure;
    const began = performance.now();
    const { rows, changes } = await (this.transaction ?? this.runner).run(query.sql, parameters).catch((error) => {
      if (this.transaction !== null) this.failure = error;
      throw error;
    });
    this.listener?.(query.sql, performance.now() - began);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw fail("storage.no_streaming", "internal", "Statements are not streamed: page by key");
  }
}

/** A Kysely driver over a runner; transactions only where the runner can begin one. */
export function createRunnerDriver(runner: StatementRunner | TransactionRunner, listener?: StatementListener): Driver {
  const settle = async (connection: DatabaseConnection, how: "commit" | "rollback") => {
    const held = connection as RunnerConnection;
    const { transaction, failure } = held;
    held.transaction = null;
    await transaction?.[failure === null ? how : "rollback"]();
    if (how === "commit" && failure !== null) throw failure;
  };
  return {
    async init() {},
    async acquireConnection() {
      return new RunnerConnection(runner, listener);
    },
    async beginTransaction(connection) {
      const held = connection as RunnerConnection;
      if (!("begin" in held.runner))
        throw fail("storage.read_only_handle", "internal", "This handle cannot begin a transaction");
      held.transaction = await held.runner.begin();
    },
    commitTransaction: (connection) => settle(connection, "commit"),
    rollbackTransaction: (connection) => settle(connection, "rollback"),
    async releaseConnection() {},
    async destroy() {},
  };
}
