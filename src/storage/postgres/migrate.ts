// Migrations on PostgreSQL, under an advisory lock: of several servers that start at once one migrates, the others wait.
import { fail, messageOf } from "../../kernel/failure.ts";
import type { PostgresLocation } from "../location.ts";
import { lockKeys } from "../lock-keys.ts";
import { APPLIED_MIGRATIONS, appliedMigrationOf, type MigrationTarget } from "../migrate.ts";
import { postgresFailure } from "./failure.ts";
import { openSession, type PostgresSql } from "./session.ts";

/** Opens a session of its own for the migrations; `close` ends it. */
export async function postgresMigrationTarget(
  location: PostgresLocation,
): Promise<MigrationTarget & { close(): Promise<void> }> {
  const { sql, end } = openSession(location, { name: "migrate", statementTimeout: null });
  return {
    async exclusively(work) {
      // Held by the session: it ends with the session, also when this process dies. Two schemas of one database do not wait for
      // each other.
      await stating(
        sql`select pg_advisory_lock(${lockKeys.migration}, hashtext(coalesce(${location.schema}::text, current_schema(), '')))`,
      );
      if (location.schema !== null) await stating(createSchema(sql, location.schema));
      return work();
    },
    async applied() {
      await stating(sql`create table if not exists schema_migrations (
        number bigint primary key, name text not null, checksum text not null,
        oldest_server bigint not null, applied_us bigint not null)`);
      return (await stating(sql.unsafe(APPLIED_MIGRATIONS))).map(appliedMigrationOf);
    },
    async apply(migration, checksum) {
      try {
        await sql.unsafe("begin");
        await sql.unsafe(migration.sql);
        const { number, name, oldestServer } = migration;
        await sql`insert into schema_migrations (number, name, checksum, oldest_server, applied_us) values
          (${number}, ${name}, ${checksum}, ${oldestServer?.level ?? 1}, ${Date.now() * 1000})`;
        // Apart, because the first migration that asks for a level also makes the column.
        if (oldestServer !== undefined)
          await sql`update schema_migrations set oldest_version = ${oldestServer.version} where number = ${number}`;
        await sql.unsafe("commit");
        return true;
      } catch (error) {
        await sql.unsafe("rollback").catch(() => {});
        throw fail(
          "storage.migration_failed",
          "unavailable",
          `Migration ${migration.number} (${migration.name}) failed and was rolled back; the database is as it was before: ${messageOf(error)}`,
          { cause: error },
        );
      }
    },
    close: async () => end(),
  };
}

async function createSchema(sql: PostgresSql, schema: string): Promise<void> {
  const existing = await sql`select 1 from pg_namespace where nspname = ${schema}`;
  // Looked up first: a role may use a schema that it may not create.
  if (existing.length === 0) await sql.unsafe(`create schema if not exists "${schema.replace(/"/g, '""')}"`);
}

async function stating<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw postgresFailure(error);
  }
}
