// A database of traces holds prompts of all users: only the owner of its files may read it. New files are private by the
// umask that main.ts sets; here are those that an older version, a restore or another program has made.
import { chmodSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Rights of the group and of everybody else. */
const OTHERS = 0o077;

/** Takes the rights of others from the database file and what SQLite keeps beside it. Returns the paths that stay open to others,
 *  because they belong to another user. */
export function makePrivate(path: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((ending) => `${path}${ending}`).filter(isLeftOpen);
}

/** The same for the backups beside the database file, whole ones and those that were not finished. */
export function makeBackupsPrivate(path: string): string[] {
  const begin = `${basename(path)}.`;
  const isBackup = (name: string) => name.startsWith(begin) && /\.(?:backup|partial)$/.test(name);
  return namesIn(dirname(path))
    .filter(isBackup)
    .map((name) => join(dirname(path), name))
    .filter(isLeftOpen);
}

function isLeftOpen(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode & 0o777 & ~OTHERS);
    return false;
  } catch {
    return true;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder may let its files be opened without telling their names.
    return [];
  }
}
