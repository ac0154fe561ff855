// Copies of a SQLite file, made while it may be in use: `vacuum into` reads one snapshot and blocks no writer. A copy appears
// under its name only when it is whole, checked and on disk.
import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { SqliteLocation } from "../location.ts";
import { partialCopy } from "./partial-copy.ts";
import { isAlive } from "./temporary-directory.ts";

/** Complaints of the integrity check that are reported. */
const COMPLAINTS = 3;
const MEBIBYTE = 1024 * 1024;

interface BackupOptions {
  /** True replaces a file of that name; false refuses. */
  readonly replace: boolean;
}

/** Writes a copy of the database to `target` and returns its size in bytes. The copy has passed SQLite's integrity check and
 *  the check of foreign keys. Fails with kind `unavailable` (`storage.backup_…`) and leaves nothing behind when there is no
 *  database, no disk space, no right to write, or the copy is not sound; with `conflict` when the target exists. */
export function backupSqlite(location: SqliteLocation, target: string, { replace }: BackupOptions): number {
  if (!existsSync(location.path)) {
    throw fail("storage.backup_no_database", "unavailable", `There is no database file ${location.path} to back up`);
  }
  if (!replace && existsSync(target)) {
    throw fail("storage.backup_exists", "conflict", `${target} exists: name another file, a backup replaces none`);
  }
  const partial = partialCopy(target, process.pid);
  try {
    removeAbandoned(target);
    writeCopy(location, partial);
    checkCopy(location, partial);
    syncFile(partial);
    renameSync(partial, target);
    syncFile(dirname(target));
    return statSync(target).size;
  } catch (error) {
    removeCopy(partial);
    throw error instanceof Failure ? error : backupFailure(target, error);
  }
}

function writeCopy({ path }: SqliteLocation, partial: string): void {
  // No pragma of a reader: `query_only` forbids `vacuum into` as well.
  const source = new Database(path, { readwrite: true });
  try {
    source.run("pragma busy_timeout = 10000");
    requireSpace(source, partial);
    // A statement that is not disposed of keeps the file open beyond `close`.
    using copy = source.prepare<unknown, [string]>("vacuum into ?");
    copy.run(partial);
  } finally {
    source.close();
  }
}

/** The copy holds the pages in use and no more. */
function requireSpace(source: Database, partial: string): void {
  const number = (pragma: string) => Number(Object.values(rowsOf(source, `pragma ${pragma}`)[0] ?? {})[0]);
  const needed = (number("page_count") - number("freelist_count")) * number("page_size");
  const { bavail, bsize } = statfsSync(dirname(partial));
  const free = bavail * bsize;
  if (free < needed) throw noSpace(dirname(partial), `${mebibytes(needed)} are needed, ${mebibytes(free)} are free`);
}

/** Fails with kind `unavailable` where the copy of the location is not sound. */
export function checkCopy({ path }: SqliteLocation, partial: string): void {
  const copy = new Database(partial, { readwrite: true });
  try {
    const rows = rowsOf(copy, `pragma integrity_check(${COMPLAINTS})`);
    const complaints = rows.map((row) => String(row.integrity_check)).filter((text) => text !== "ok");
    const orphans = rowsOf(copy, "pragma foreign_key_check");
    for (const table of new Set(orphans.map((row) => row.table))) complaints.push(`rows of ${table} point at none`);
    if (complaints.length === 0) return;
    const shown = complaints.slice(0, COMPLAINTS).join("; ");
    throw fail(
      "storage.backup_unsound",
      "unavailable",
      `The copy of ${path} failed its check (${shown}): it was removed`,
    );
  } finally {
    copy.close();
  }
}

function rowsOf(database: Database, sql: string): Record<string, unknown>[] {
  using statement = database.prepare<Record<string, unknown>, []>(sql);
  return statement.all();
}

/** Removes copies to this target that a process which is gone did not finish, and one of this process's id from a time before.
 *  Names that differ in digits alone, times and numbers, are of one series. */
export function removeAbandoned(target: string): void {
  const series = seriesOf(basename(target));
  for (const name of readdirSync(dirname(target))) {
    const [, of, processId] = /^(.+)\.(\d+)\.partial(?:-journal|-wal|-shm)?$/.exec(name) ?? [];
    if (of === undefined || seriesOf(of) !== series) continue;
    if (Number(processId) !== process.pid && isAlive(Number(processId))) continue;
    removeCopy(join(dirname(target), `${of}.${processId}.partial`));
  }
}

function seriesOf(name: string): string {
  return name.replace(/\d+/g, "0");
}

export function removeCopy(partial: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(`${partial}${ending}`, { force: true });
}

/** Files, and folders with their entries, as far as the system lets them be synchronised. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function noSpace(folder: string, detail: string, cause?: unknown): Failure {
  return fail(
    "storage.backup_no_room",
    "unavailable",
    `There is not enough space for a backup in ${folder}: ${detail}`,
    {
      cause,
    },
  );
}

function backupFailure(target: string, error: unknown): Failure {
  const code = String((error as { code?: unknown }).code ?? "");
  if (code === "ENOSPC" || code.startsWith("SQLITE_FULL")) return noSpace(dirname(target), "the disk is full", error);
  return fail(
    "storage.backup_failed",
    "unavailable",
    `The backup ${target} could not be written: ${messageOf(error)}`,
    {
      cause: error,
    },
  );
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}
