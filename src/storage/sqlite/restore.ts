// Puts a copy in the place of a SQLite file. The file that was there is kept under another name, and at every moment there is a whole
// database in its place: a log of one is never beside another.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { SqliteLocation } from "../location.ts";
import { checkCopy, removeCopy, syncFile } from "./backup.ts";
import { openSqlite } from "./connection.ts";
import { inspectSqlite } from "./inspect.ts";
import { claimSqliteFile } from "./server-claim.ts";

interface Restored {
  readonly bytes: number;
  /** Where the file is that was there; null where there was none. */
  readonly replaced: string | null;
}

/** Puts a checked copy of `source` in the place of the database. Fails, and leaves everything as it was, with kind `unavailable` while a
 *  server has the file, without room, and for a source that is damaged or made by a newer version; with `not_found` without a source;
 *  with `conflict` for a source that is in use. `stamp` is part of the name of what was there. */
export function restoreSqlite(location: SqliteLocation, source: string, stamp: string): Restored {
  requireSource(location, source);
  const claim = claimSqliteFile(location);
  const partial = `${location.path}.${process.pid}.partial`;
  try {
    requireRoom(location, source);
    copyFileSync(source, partial);
    requireOurs({ ...location, path: partial }, source);
    checkCopy({ ...location, path: source }, partial);
    removeLogs(partial);
    syncFile(partial);
    const replaced = existsSync(location.path) ? keep(location, `${location.path}.${stamp}.replaced`) : null;
    renameSync(partial, location.path);
    syncFile(dirname(location.path));
    return { bytes: statSync(location.path).size, replaced };
  } catch (error) {
    removeCopy(partial);
    throw error instanceof Failure ? error : restoreFailure(source, error);
  } finally {
    claim.release();
  }
}

function requireSource({ path }: SqliteLocation, source: string): void {
  if (!existsSync(source) || !statSync(source).isFile()) {
    throw fail("restore.no_source", "not_found", `There is no file ${source} to restore`);
  }
  if (resolve(source) === resolve(path)) {
    throw fail("restore.same_file", "conflict", `${source} is the database itself: name a copy of it`);
  }
  if (existsSync(`${source}-wal`) && statSync(`${source}-wal`).size > 0) {
    throw fail(
      "restore.source_in_use",
      "conflict",
      `${source} is in use or was not closed: ${source}-wal holds a part of it. Make a copy with spanlight backup and restore that`,
    );
  }
}

function requireRoom({ path }: SqliteLocation, source: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const needed = statSync(source).size;
  if (bavail * bsize >= needed) return;
  throw fail(
    "restore.no_room",
    "unavailable",
    `There is no room in ${dirname(path)}: ${needed} bytes are needed, ${bavail * bsize} are free`,
  );
}

/** Fails for what is no database of this program, and for one of a newer version. */
function requireOurs(copy: SqliteLocation, source: string): void {
  let isOurs: boolean;
  try {
    isOurs = inspectSqlite(copy).pending !== null;
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith("storage.newer")) throw error;
    throw fail("restore.unreadable", "unavailable", `${source} cannot be read as a database: ${messageOf(error)}`);
  }
  if (!isOurs) throw fail("restore.foreign", "unavailable", `${source} is no database of Spanlight`);
}

/** Keeps the file under another name, with what its log holds. It stays in its place until it is replaced. */
function keep(location: SqliteLocation, name: string): string {
  writeBack(location);
  linkSync(location.path, name);
  for (const ending of ["-wal", "-shm"]) {
    if (existsSync(`${location.path}${ending}`)) renameSync(`${location.path}${ending}`, `${name}${ending}`);
  }
  syncFile(dirname(name));
  return name;
}

/** Writes the log back into the file, so that the file alone is whole. A damaged one keeps its log beside it, under the same new name. */
function writeBack(location: SqliteLocation): void {
  try {
    const connection = openSqlite(location, "writer");
    try {
      connection.script("pragma wal_checkpoint(truncate)");
    } finally {
      connection.close();
    }
  } catch {
    // That may be the reason why it is restored.
  }
}

function removeLogs(path: string): void {
  for (const ending of ["-journal", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
}

function restoreFailure(source: string, error: unknown): Failure {
  const isFull = (error as { code?: unknown }).code === "ENOSPC";
  const reason = isFull ? "the disk is full" : messageOf(error);
  return fail("restore.failed", "unavailable", `${source} could not be restored: ${reason}`, { cause: error });
}
