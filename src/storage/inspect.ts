// What an operator wants to know of a database before a server opens it. Nothing is created or changed.
import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { PostgresLocation, SqliteLocation, StorageLocation } from "./location.ts";
import { type AppliedMigration, pendingMigrations } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { postgresFailure } from "./postgres/failure.ts";
import { openSession, type PostgresSession } from "./postgres/session.ts";
import { openSqlite } from "./sqlite/connection.ts";

export interface StorageInspection {
  /** Name and version of the database. */
  readonly engine: string;
  /** Its major version. */
  readonly major: number;
  /** Names of migrations that a start will apply; null where none was applied yet. */
  readonly pending: readonly string[] | null;
  readonly usedBytes: number;
  /** Bytes left on the disk; null where only the database's own machine knows. */
  readonly freeBytes: number | null;
  /** Of texts: `UTF8` or another one. */
  readonly encoding: string;
  /** How the database sorts texts where a query does not say it. */
  readonly collation: string;
  /** True where nothing can be written: a replica, a database set so, a file of somebody else. */
  readonly readOnly: boolean;
  /** Milliseconds by which the clock of the database is ahead of ours; null where they are the same. */
  readonly clockAheadMs: number | null;
  /** True where the file lies on another machine's disk. */
  readonly onNetworkDisk: boolean;
}

/** Types of file systems (`statfs`) on which SQLite's locks cannot be relied on: NFS, SMB, CIFS. */
const NETWORK_DISKS = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42]);
const STATEMENT_MILLISECONDS = 10_000;

/** Looks at the database. Throws kind `unavailable` when it cannot be opened, or does not fit this server (`migrate.ts`). */
export async function inspectStorage(location: StorageLocation): Promise<StorageInspection> {
  return location.kind === "sqlite" ? inspectSqlite(location) : inspectPostgres(location);
}

function pendingNames(kind: "sqlite" | "postgres", applied: readonly AppliedMigration[] | null) {
  if (applied === null) return null;
  return pendingMigrations(migrations[kind], applied).map(({ name }) => name);
}

function inspectSqlite(location: SqliteLocation): StorageInspection {
  const connection = openSqlite(location, "reader");
  try {
    const rows = (sql: string) => connection.execute(sql).rows;
    const [facts] =
      rows(`select sqlite_version() as version, encoding, (page_count - freelist_count) * page_size as bytes
      from pragma_encoding(), pragma_page_count(), pragma_freelist_count(), pragma_page_size()`);
    const [known] = rows("select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'");
    const applied = known === undefined ? null : (rows(APPLIED) as unknown as AppliedMigration[]);
    const version = String(facts?.version);
    const { bavail, bsize, type } = statfsSync(dirname(location.path));
    return {
      engine: `SQLite ${version}`,
      major: Number.parseInt(version, 10),
      pending: pendingNames("sqlite", applied),
      usedBytes: Number(facts?.bytes),
      freeBytes: bavail * bsize,
      encoding: String(facts?.encoding).replace("-", ""),
      collation: "binary",
      readOnly: !mayWrite(location.path) || !mayWrite(dirname(location.path)),
      clockAheadMs: null,
      onNetworkDisk: NETWORK_DISKS.has(type),
    };
  } finally {
    connection.close();
  }
}

/** The log of a SQLite file is made beside it: the folder counts too. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const APPLIED = 'select number, name, checksum, oldest_server as "oldestServer" from schema_migrations order by number';

async function inspectPostgres(location: PostgresLocation): Promise<StorageInspection> {
  const session = openSession(location, {
    name: "doctor",
    statementTimeout: STATEMENT_MILLISECONDS,
    silenceLimit: 2 * STATEMENT_MILLISECONDS,
  });
  try {
    return await askPostgres(session);
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    session.end();
  }
}

interface PostgresFacts {
  readonly version: string;
  readonly number: string;
  readonly encoding: string;
  readonly collation: string;
  readonly readOnly: boolean;
  readonly bytes: number;
  readonly migrated: boolean;
}

async function askPostgres({ sql }: PostgresSession): Promise<StorageInspection> {
  // The first statement also makes the connection; the clock is asked when that is done.
  const [facts] = await sql<PostgresFacts[]>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      pg_encoding_to_char(d.encoding) as encoding, d.datcollate as collation,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "readOnly",
      pg_database_size(d.oid) as bytes, to_regclass('schema_migrations') is not null as migrated
    from pg_database d where d.datname = current_database()`;
  const { version, number, encoding, collation, readOnly, bytes, migrated } = facts!;
  const askedMs = Date.now();
  const [clock] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  const answeredMs = Date.now();
  const applied = migrated ? await sql.unsafe<AppliedMigration & object>(APPLIED) : null;
  return {
    engine: `PostgreSQL ${version.split(" ", 1)[0]}`,
    major: Math.floor(Number(number) / 10_000),
    pending: pendingNames("postgres", applied),
    usedBytes: Number(bytes),
    freeBytes: null,
    encoding,
    collation,
    readOnly,
    clockAheadMs: Math.round((clock?.ms ?? 0) - (askedMs + answeredMs) / 2),
    onNetworkDisk: false,
  };
}
