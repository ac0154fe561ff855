// From a location to an open store. The threads and processes are started by the composition root, which alone knows the
// entry points; this file knows what each driver needs of them.
import { fail, messageOf } from "../kernel/failure.ts";
import type { Link } from "../kernel/link.ts";
import type { StatementListener, StatementRunner } from "./kysely-driver.ts";
import type { SqliteLocation, StorageLocation } from "./location.ts";
import { type AppliedMigration, type MigrationProgress, migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { postgresMigrationTarget } from "./postgres/migrate.ts";
import { requireUsableSessions } from "./postgres/pooler.ts";
import { createPostgresStorage } from "./postgres/storage.ts";
import { backupSqlite } from "./sqlite/backup.ts";
import { openSqlite } from "./sqlite/connection.ts";
import { sqliteMigrationTarget } from "./sqlite/migrate.ts";
import { createShortReaders, createSlowReaders, type ReaderStart } from "./sqlite/readers.ts";
import { restoreSqlite } from "./sqlite/restore.ts";
import { awaitSqliteClaim, type ServerClaim } from "./sqlite/server-claim.ts";
import { createSqliteStorage, directRunner, linkedWriter } from "./sqlite/storage.ts";
import type { Storage } from "./storage.ts";

/** Reader threads for short reads. */
const SHORT_READERS = 2;

interface StorageThreads {
  /** The ingest worker, which owns the write connection of a SQLite file. */
  readonly writer: Link;
  readonly startReaderThread: ReaderStart;
  readonly startReaderProcess: ReaderStart;
}

/** A copy of an existing SQLite file before its first change. PostgreSQL has tools of its own. */
export interface BackupBeforeMigration {
  /** Of this program; part of the name of the copy. */
  readonly version: string;
  /** Gets the path of the copy, before it is made and when it is there: of a large file it takes minutes. */
  readonly onBackup: (path: string, state: "begun" | "done") => void;
}

/** Makes this process the one server of a SQLite file; see `awaitSqliteClaim`. PostgreSQL has any number of servers. */
export async function claimStorage(
  location: StorageLocation,
  waiting: Parameters<typeof awaitSqliteClaim>[1],
): Promise<ServerClaim> {
  return location.kind === "sqlite" ? awaitSqliteClaim(location, waiting) : { warnings: [], release: () => {} };
}

/** Brings the database to the newest schema and returns the numbers of the migrations applied. Fails with one line for a
 *  database that is away, read-only, or newer than this server. */
export async function migrateStorage(
  location: StorageLocation,
  progress?: MigrationProgress,
  backup?: BackupBeforeMigration,
): Promise<number[]> {
  if (location.kind === "sqlite") {
    const connection = openSqlite(location, "writer");
    try {
      return await migrate(sqliteMigrationTarget(connection), migrations.sqlite, progress, (applied) => {
        // A file that was just made holds nothing, and one in memory is lost at exit anyway.
        if (applied.length === 0 || location.temporary || backup === undefined) return;
        backupBeforeMigration(location, applied, backup);
      });
    } finally {
      connection.close();
    }
  }
  await requireUsableSessions(location);
  const target = await postgresMigrationTarget(location);
  try {
    return await migrate(target, migrations.postgres, progress);
  } finally {
    await target.close();
  }
}

/** The name says which program was about to change which state, so that a start that fails again and again replaces one file. */
function backupBeforeMigration(
  location: SqliteLocation,
  applied: readonly AppliedMigration[],
  { version, onBackup }: BackupBeforeMigration,
): void {
  const target = `${location.path}.before-${version}.migration-${applied.at(-1)?.number}.backup`;
  try {
    onBackup(target, "begun");
    backupSqlite(location, target, { replace: true });
    onBackup(target, "done");
  } catch (cause) {
    throw fail(
      "storage.no_backup_before_migration",
      "unavailable",
      `The database was not changed, because it could not be backed up first. ${messageOf(cause)}. Free some space, or set SERVICE_SQLITE_BACKUP_BEFORE_MIGRATION=false to go on without`,
      { cause },
    );
  }
}

/** Puts a copy in the place of the file (`restoreSqlite`). */
export const restoreDatabaseFile = restoreSqlite;

/** Opens a migrated SQLite file for a server: its threads and processes read and write. */
export function openSqliteStorage(threads: StorageThreads, onStatement?: StatementListener): Storage {
  const shortReaders = createShortReaders(threads.startReaderThread, SHORT_READERS);
  const slowReaders = createSlowReaders(threads.startReaderProcess);
  return createSqliteStorage({
    writer: linkedWriter(threads.writer),
    shortReaders,
    slowReaders,
    writerReadiness: () => threads.writer.call("readiness", null),
    onStatement,
    async close() {
      await Promise.all([shortReaders.close(), slowReaders.close()]);
    },
  });
}

/** Opens a migrated PostgreSQL database for a server: pools by purpose, and the replica when there is one. */
export const openPostgresStorage = createPostgresStorage;

/** Opens a migrated store for a command that works alone: on SQLite everything runs on this thread. */
export function openStorageAlone(location: StorageLocation): Storage {
  if (location.kind === "postgres") return createPostgresStorage(location);
  const writer = openSqlite(location, "writer");
  // Reads on the write connection would see what an open transaction has not committed.
  const reader = openSqlite(location, "reader");
  const run: StatementRunner["run"] = async (text, parameters) => reader.execute(text, parameters);
  return createSqliteStorage({
    writer: directRunner(writer),
    shortReaders: { run, close: async () => {} },
    slowReaders: { run, processes: 0, close: async () => {} },
    async close() {
      reader.close();
      writer.close();
    },
  });
}

/** Opens a migrated store that is only read, by a thread of its own. */
export function openStorageForReading(location: StorageLocation): Storage {
  if (location.kind === "postgres") return createPostgresStorage({ ...location, replicaUrl: null, poolSize: 1 });
  const reader = openSqlite(location, "reader");
  const run: StatementRunner["run"] = async (text, parameters) => reader.execute(text, parameters);
  return createSqliteStorage({
    // `query_only` is set on the connection: a statement that writes fails.
    writer: directRunner(reader),
    shortReaders: { run, close: async () => {} },
    slowReaders: { run, processes: 0, close: async () => {} },
    close: async () => reader.close(),
  });
}
