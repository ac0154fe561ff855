// One server a SQLite file: a second one would summarise, migrate and count the same rows again, each with a memory of its own.
// The claim is a lock of the operating system on a file beside the database. It ends with the process, however that ends.
import { Database } from "bun:sqlite";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { SqliteLocation } from "../location.ts";
import { makeBackupsPrivate } from "./private-files.ts";

const ENDING = ".lock";

/** A server that waits for the file tries this often. */
const TRY_EVERY_MILLISECONDS = 100;

export interface ServerClaim {
  /** What an operator should know, a line each. */
  readonly warnings: readonly string[];
  release(): void;
}

/** Claims the file for this server and makes its backups private. Commands of the command line claim nothing and are not held
 *  up. Fails with kind `unavailable` while another server has the file; where no lock can be had, a warning says so. */
export function claimSqliteFile(location: SqliteLocation): ServerClaim {
  if (location.temporary) return { warnings: [], release: () => {} };
  const path = withoutLinks(location.path);
  const warnings = makeBackupsPrivate(path).map((name) => `${name} belongs to another user and others may read it`);
  let lock: Database | null = null;
  try {
    lock = new Database(`${path}${ENDING}`, { create: true, readwrite: true });
    // Nothing is ever written to it, so that it can be had on a full disk.
    lock.run("pragma journal_mode = memory");
    lock.run("begin exclusive");
  } catch (error) {
    lock?.close();
    lock = null;
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) throw inUse(path);
    warnings.push(`whether another server uses the database file is unknown: ${path}${ENDING}: ${messageOf(error)}`);
  }
  return { warnings, release: () => lock?.close() };
}

interface ClaimWait {
  readonly seconds: number;
  /** Called once, with a line for the log, when another server has the file. */
  readonly onWait: (line: string) => void;
}

/** The same, but waits for a server that is about to end: one that was abandoned by its stop, or by a supervisor that has not seen it end. */
export async function awaitSqliteClaim(location: SqliteLocation, { seconds, onWait }: ClaimWait): Promise<ServerClaim> {
  const until = performance.now() + seconds * 1000;
  for (let tries = 0; ; tries++) {
    try {
      return claimSqliteFile(location);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "storage.in_use" || performance.now() >= until) throw error;
      if (tries === 0)
        onWait(`${usedBy(withoutLinks(location.path))}: this one waits up to ${seconds} s for it to end`);
    }
    await Bun.sleep(TRY_EVERY_MILLISECONDS);
  }
}

/** Two names of one file are one file; of one that is not there yet, its own name. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function inUse(path: string) {
  return fail(
    "storage.in_use",
    "unavailable",
    `${usedBy(path)}: a SQLite file has one. Stop that server, or give this one a database of its own`,
  );
}

function usedBy(path: string): string {
  const holder = holderOf(`${path}${ENDING}`);
  return `The database file ${path} is in use by another server${holder === null ? "" : `, process ${holder}`}`;
}

/** The process that holds the lock, as Linux tells; null elsewhere, and for a process of another container. */
function holderOf(lockPath: string): number | null {
  try {
    const { ino } = statSync(lockPath, { bigint: true });
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      const holder = new RegExp(`POSIX +ADVISORY +WRITE +(\\d+) [0-9a-f]+:[0-9a-f]+:${ino} `).exec(line)?.[1];
      if (holder !== undefined && Number(holder) > 0) return Number(holder);
    }
  } catch {
    // No such list here.
  }
  return null;
}
