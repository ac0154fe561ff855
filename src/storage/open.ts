// From a location to an open store. The threads and processes are started by the composition root, which alone knows the
// entry points; this file knows what each driver needs of them.
import type { Link } from "../kernel/link.ts";
import type { StatementListener, StatementRunner } from "./kysely-driver.ts";
import type { StorageLocation } from "./location.ts";
import { type MigrationProgress, migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { postgresMigrationTarget } from "./postgres/migrate.ts";
import { createPostgresStorage } from "./postgres/storage.ts";
import { openSqlite } from "./sqlite/connection.ts";
import { sqliteMigrationTarget } from "./sqlite/migrate.ts";
import { createShortReaders, createSlowReaders, type ReaderStart } from "./sqlite/readers.ts";
import { createSqliteStorage, directRunner, linkedWriter } from "./sqlite/storage.ts";
import type { Storage } from "./storage.ts";

/** Reader threads for short reads (`storage.md` 6). */
const SHORT_READERS = 2;

export interface StorageThreads {
  /** The ingest worker, which owns the write connection of a SQLite file. */
  readonly writer: Link;
  readonly startReaderThread: ReaderStart;
  readonly startReaderProcess: ReaderStart;
}

/** Brings the database to the newest schema and returns the numbers of the migrations applied. Fails with one line for a
 *  database that is away, read-only, or newer than this server. */
export async function migrateStorage(location: StorageLocation, progress?: MigrationProgress): Promise<number[]> {
  if (location.kind === "sqlite") {
    const connection = openSqlite(location, "writer");
    try {
      return await migrate(sqliteMigrationTarget(connection), migrations.sqlite, progress);
    } finally {
      connection.close();
    }
  }
  const target = await postgresMigrationTarget(location);
  try {
    return await migrate(target, migrations.postgres, progress);
  } finally {
    await target.close();
  }
}

/** Opens a migrated SQLite file for a server: its threads and processes read and write. */
export function openSqliteStorage(threads: StorageThreads, onStatement?: StatementListener): Storage {
  const shortReaders = createShortReaders(threads.startReaderThread, SHORT_READERS);
  const slowReaders = createSlowReaders(threads.startReaderProcess);
  return createSqliteStorage({
    writer: linkedWriter(threads.writer),
    shortReaders,
    slowReaders,
    onStatement,
    async close() {
      shortReaders.close();
      slowReaders.close();
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
    shortReaders: { run, close: () => {} },
    slowReaders: { run, processes: 0, close: () => {} },
    async close() {
      reader.close();
      writer.close();
    },
  });
}
