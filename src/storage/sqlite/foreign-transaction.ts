// A transaction of another thread, which speaks statement by statement: it holds the writer between them, though not for long.
import { fail } from "../../kernel/failure.ts";
import { createGarbageCount } from "../../kernel/free-bytes.ts";
import type { Mutex } from "../../kernel/mutex.ts";
import type { SqliteConnection, SqliteResult, StatementMessage } from "./connection.ts";

/** Milliseconds: the other thread must speak again within `idle` and end within `whole`. */
export interface TransactionLimits {
  readonly idle: number;
  readonly whole: number;
}

export const TRANSACTION_LIMITS: TransactionLimits = { idle: 1000, whole: 5000 };

/** Characters of parameters, which are texts of up to megabytes, before they are collected. */
const MOST_GARBAGE_LENGTH = 4 * 1024 * 1024;

interface HeldTransaction {
  readonly number: number;
  readonly endsAt: number;
  release(): void;
  timer: ReturnType<typeof setTimeout>;
}

interface TransactionParts {
  readonly connection: SqliteConnection;
  readonly lock: Mutex;
  readonly limits: TransactionLimits;
  commit(): void;
  rollBack(): void;
  failed(error: unknown): void;
  /** After each transaction, when the writer is free again. */
  ended(): void;
}

/** The handlers `begin`, `executeIn`, `commit` and `rollback` of the writer. A transaction that is too slow is rolled back, and fails
 *  with kind `unavailable` when it speaks again. */
export function createForeignTransaction({
  connection,
  lock,
  limits,
  commit,
  rollBack,
  failed,
  ended,
}: TransactionParts) {
  let held: HeldTransaction | null = null;
  let lastNumber = 0;
  const countGarbage = createGarbageCount(MOST_GARBAGE_LENGTH, () => setImmediate(() => Bun.gc(true)));

  function end(how: "commit" | "rollback"): void {
    const ending = held;
    if (ending === null) return;
    held = null;
    clearTimeout(ending.timer);
    try {
      if (how === "commit") commit();
      else rollBack();
    } catch (error) {
      failed(error);
      rollBack();
      throw error;
    } finally {
      ending.release();
      ended();
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

  return {
    begin: async (): Promise<number> => {
      const release = await lock.acquire();
      try {
        connection.execute("begin immediate");
      } catch (error) {
        release();
        failed(error);
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
      for (const parameter of parameters ?? []) if (typeof parameter === "string") countGarbage(parameter.length);
      try {
        return connection.execute(sql, parameters);
      } catch (error) {
        failed(error);
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
}
