// A look at a PostgreSQL database, and at its replica.
import { pendingNames, type ReplicaInspection, type StorageInspection } from "../inspection.ts";
import type { PostgresLocation } from "../location.ts";
import { APPLIED_MIGRATIONS, appliedMigrationOf } from "../migrate.ts";
import { postgresFailure } from "./failure.ts";
import { requireUsableSessions } from "./pooler.ts";
import { openSession, type PostgresSql } from "./session.ts";

const STATEMENT_MILLISECONDS = 10_000;

interface Facts {
  readonly version: string;
  readonly number: string;
  readonly encoding: string;
  readonly collation: string;
  readonly readOnly: boolean;
  readonly bytes: number;
  readonly migrated: boolean;
  readonly mayCreate: boolean;
  readonly off: readonly string[];
}

/** Throws kind `unavailable` when the database cannot be reached, or does not fit this server. */
export async function inspectPostgres(location: PostgresLocation): Promise<StorageInspection> {
  await requireUsableSessions(location);
  return inSession(location, false, inspect);
}

/** Throws kind `unavailable` when one of the two cannot be reached. */
export async function inspectPostgresReplica(location: PostgresLocation): Promise<ReplicaInspection> {
  const [own, found] = await Promise.all([
    inSession(location, false, readReplication),
    inSession(location, true, readReplication),
  ]);
  return {
    isReplica: found.replica,
    isOfThisDatabase: found.system === own.system && found.database === own.database,
    behindMs: Math.round(found.behind ?? 0),
  };
}

interface Replication {
  readonly replica: boolean;
  readonly behind: number | null;
  readonly system: string;
  readonly database: number;
}

async function readReplication(sql: PostgresSql): Promise<Replication> {
  // After its restart a replica says that it received less than it replayed, until something new comes.
  const rows = await sql<Replication[]>`
    select pg_is_in_recovery() as replica, case
      when pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()
      then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 end as behind,
      (select system_identifier::text from pg_control_system()) as system,
      (select oid::bigint from pg_database where datname = current_database()) as database`;
  return rows[0]!;
}

async function inSession<Result>(
  location: PostgresLocation,
  replica: boolean,
  work: (sql: PostgresSql) => Promise<Result>,
): Promise<Result> {
  const { sql, end } = openSession(location, {
    name: "doctor",
    statementTimeout: STATEMENT_MILLISECONDS,
    silenceLimit: 2 * STATEMENT_MILLISECONDS,
    replica,
  });
  try {
    await sql.unsafe(sql.begin);
    return await work(sql);
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    end();
  }
}

async function inspect(sql: PostgresSql): Promise<StorageInspection> {
  // The first statement also makes the connection; the clock is asked when that is done. A missing schema can be
  // created by a role that may create in the database.
  const [facts] = await sql<Facts[]>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      pg_encoding_to_char(d.encoding) as encoding, d.datcollate as collation,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "readOnly",
      pg_database_size(d.oid) as bytes, to_regclass('schema_migrations') is not null as migrated,
      coalesce(has_schema_privilege(current_schema(), 'create'), has_database_privilege(d.oid, 'create')) as "mayCreate",
      array(select name || '=' || setting from pg_settings
        where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off' order by name) as off
    from pg_database d where d.datname = current_database()`;
  const { version, number, encoding, collation, readOnly, bytes, migrated, mayCreate, off } = facts!;
  const askedMs = Date.now();
  const [clock] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  const answeredMs = Date.now();
  const applied = migrated ? (await sql.unsafe(APPLIED_MIGRATIONS)).map(appliedMigrationOf) : null;
  return {
    engine: `PostgreSQL ${version.split(" ", 1)[0]}`,
    major: Math.floor(Number(number) / 10_000),
    pending: pendingNames("postgres", applied),
    mayCreateTables: mayCreate,
    usedBytes: Number(bytes),
    freeBytes: null,
    encoding,
    collation,
    readOnly,
    careless: off,
    clockAheadMs: Math.round((clock?.ms ?? 0) - (askedMs + answeredMs) / 2),
    onNetworkDisk: false,
  };
}
