// Puts a copy in the place of a SQLite file. The file that was there is kept under another name, and at any time there is a whole
// database in its place: a log of one is never beside another.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import type { SqliteLocation } from "../location.ts";
import { checkCopy, removeAbandoned, removeCopy, syncFile } from "./backup.ts";
import { openSqlite } from "./connection.ts";
import { inspectSqlite } from "./inspect.ts";
import { partialCopy } from "./partial-copy.ts";
import { claimSqliteFile } from "./server-claim.ts";

interface Restored {
  readonly bytes: number;
  /** Where the files are that were there: the database, and a log that was without one or could not be written back. */
  readonly replaced: readonly string[];
}

/** What SQLite keeps beside a database. Beside another one it would be played into that. */
const LOGS = ["-wal", "-shm", "-journal"] as const;

/** Puts a checked copy of `source` in the place of the database, and opens it there as a start would. Fails, and leaves everything as
 *  it was, with kind `unavailable` while a server has the file, without disk space, and for a source that is damaged or made by a newer
 *  version; with `not_found` without a source; with `conflict` for a source that is in use. `stamp` is part of the name of what was there. */
export function restoreSqlite(location: SqliteLocation, source: string, stamp: string): Restored {
  requireSource(location, source);
  const claim = claimSqliteFile(location);
  const partial = partialCopy(location.path, process.pid);
  try {
    removeAbandoned(location.path);
    requireSpace(location, source);
    copyFileSync(source, partial);
    requireOurs({ ...location, path: partial }, source);
    checkCopy({ ...location, path: source }, partial);
    for (const ending of LOGS) rmSync(`${partial}${ending}`, { force: true });
    syncFile(partial);
    const replaced = replace(location, partial, `${location.path}.${stamp}.replaced`);
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
  for (const ending of ["-wal", "-journal"]) {
    if (!existsSync(`${source}${ending}`) || statSync(`${source}${ending}`).size === 0) continue;
    throw fail(
      "restore.source_in_use",
      "conflict",
      `${source} is in use or was not closed: ${source}${ending} holds a part of it. Make a copy with spanlight backup and restore that`,
    );
  }
}

function requireSpace({ path }: SqliteLocation, source: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const needed = statSync(source).size;
  if (bavail * bsize >= needed) return;
  throw fail(
    "restore.no_room",
    "unavailable",
    `There is not enough space in ${dirname(path)}: ${needed} bytes are needed, ${bavail * bsize} are free`,
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

/** Puts the copy in the place of the database and keeps what is there under `name`. Returns the files kept; puts them back when the copy
 *  cannot be opened in its place. */
function replace(location: SqliteLocation, partial: string, name: string): string[] {
  const { path } = location;
  // What an earlier restore kept is as precious as what is there now.
  const taken = ["", ...LOGS].map((ending) => `${name}${ending}`).find(existsSync);
  if (taken !== undefined) throw fail("restore.name_taken", "conflict", `${taken} exists already: restore again`);
  const moved: string[] = [];
  let kept = false;
  let placed = false;
  try {
    if (existsSync(path)) {
      writeBack(location);
      // A second name: the first one stays a whole database until the copy takes it.
      linkSync(path, name);
      kept = true;
    }
    for (const ending of LOGS) {
      if (!existsSync(`${path}${ending}`)) continue;
      renameSync(`${path}${ending}`, `${name}${ending}`);
      moved.push(ending);
    }
    syncFile(dirname(path));
    renameSync(partial, path);
    placed = true;
    syncFile(dirname(path));
    requireOpening(location);
  } catch (error) {
    if (placed) removeCopy(path);
    if (kept && placed) renameSync(name, path);
    else if (kept) rmSync(name);
    for (const ending of moved) renameSync(`${name}${ending}`, `${path}${ending}`);
    throw error;
  }
  return [...(kept ? [name] : []), ...moved.map((ending) => `${name}${ending}`)];
}

/** Opens the database in its place as a start does. The file is the one that was checked only if no log is played into it. */
function requireOpening(location: SqliteLocation): void {
  const log = LOGS.find((ending) => existsSync(`${location.path}${ending}`));
  if (log !== undefined) {
    throw fail("restore.log_appeared", "conflict", `Another program made ${location.path}${log}: stop it first`);
  }
  openSqlite(location, "writer").close();
  requireOurs(location, location.path);
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

function restoreFailure(source: string, error: unknown): Failure {
  const isFull = (error as { code?: unknown }).code === "ENOSPC";
  const reason = isFull ? "the disk is full" : messageOf(error);
  return fail("restore.failed", "unavailable", `${source} could not be restored: ${reason}`, { cause: error });
}
