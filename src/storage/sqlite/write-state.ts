// Whether rows can be stored: the outcome of the last write, or of a trial write while the writer is idle.
import { Failure, fail } from "../../kernel/failure.ts";
import type { Mutex } from "../../kernel/mutex.ts";
import { unusableDatabase } from "../ingest-store.ts";
import type { StorageReadiness } from "../storage.ts";
import { isSqliteError, isUnusable, type SqliteConnection, sqliteFailure } from "./connection.ts";
import type { OpenFiles } from "./open-files.ts";
import { diskFull, type Reserve } from "./reserve.ts";

/** A try waits this long for another process that writes; short ones are common, and no probe may hold the writer. */
const BUSY_TIMEOUT_MILLISECONDS = 1000;
/** After a failed write the next try to write comes no sooner. */
const PAUSE_MILLISECONDS = 1000;
/** States of the store. Other failures, of a project that is being deleted say, tell nothing about the next write. */
const TROUBLES = /^storage\.(?:disk_full|read_only|busy|damaged|unusable)$/;

interface WriteState {
  succeeded(): void;
  failed(error: unknown): void;
  /** See `Storage.readiness`. Writes nothing unless the last write failed. */
  readiness(): Promise<StorageReadiness>;
}

export function createWriteState(
  connection: SqliteConnection,
  lock: Mutex,
  files: OpenFiles | null,
  reserve: Reserve | null,
): WriteState {
  let trouble: Failure | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;

  const state: WriteState = {
    succeeded() {
      trouble = null;
    },
    failed(error) {
      const failure = failureOf(error);
      if (failure === null || !TROUBLES.test(failure.code)) return;
      trouble = failure;
      if (failure.code === "storage.disk_full") reserve?.release();
    },
    async readiness() {
      files?.require();
      // The holder of the writer reports the outcome.
      if (!lock.isHeld) await lock.hold(trouble === null ? tryToBegin : tryToWrite);
      const isFull = reserve?.isOut ?? trouble?.code === "storage.disk_full";
      if (isFull) return { note: `${diskFull().message}: nothing is added` };
      if (trouble !== null && trouble.code !== "storage.disk_full") throw trouble;
      return { note: null };
    },
  };

  function tryToBegin(): void {
    const busyTimeout = connection.execute("pragma busy_timeout").rows[0]?.timeout;
    connection.execute(`pragma busy_timeout = ${BUSY_TIMEOUT_MILLISECONDS}`);
    try {
      connection.execute("begin immediate");
      connection.execute("rollback");
    } catch (error) {
      throw lockedByOthers(error);
    } finally {
      connection.execute(`pragma busy_timeout = ${busyTimeout}`);
    }
  }

  /** Finds out that writing works again where no other write would, because this server is not sent anything while it is not ready.
   *  Damage is somewhere else than where a small write looks. */
  function tryToWrite(): void {
    if (trouble?.code === "storage.damaged" || trouble?.code === "storage.unusable") return;
    if (performance.now() - triedAt < PAUSE_MILLISECONDS) return;
    triedAt = performance.now();
    try {
      tryToBegin();
      connection.execute("update schema_migrations set applied_us = applied_us where number = 1");
      state.succeeded();
    } catch (error) {
      state.failed(error);
    }
  }

  return state;
}

function failureOf(error: unknown): Failure | null {
  if (isUnusable(error)) return error instanceof Failure ? error : unusableDatabase(error);
  if (isSqliteError(error)) return sqliteFailure(error);
  return error instanceof Failure ? error : null;
}

function lockedByOthers(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== "storage.busy") return error;
  return fail("storage.busy", "unavailable", "Another process keeps the database file locked", {
    cause: error,
    retryAfterSeconds: 5,
  });
}
