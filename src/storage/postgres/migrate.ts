// Migrations on PostgreSQL: each transaction takes an advisory lock, so that of several servers that start at once one works at a time.
// Nothing is locked longer than a transaction: a pooler would keep the lock of a session that has gone.
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
  const { sql, begin, end } = openSession(location, { name: "migrate", statementTimeout: null });
  // A server that is frozen in the middle of a migration must not keep the others from starting.
  try {
    await begin();
  } catch (error) {
    end();
    throw postgresFailure(error);
  }

  async function transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await sql.unsafe(sql.begin);
      // Two schemas of one database do not wait for each other.
      await sql`select pg_advisory_xact_lock(
        ${lockKeys.migration}, hashtext(coalesce(${location.schema}::text, current_schema(), '')))`;
      const result = await work();
      await sql.unsafe("commit");
      return result;
    } catch (error) {
      await sql.unsafe("rollback").catch(() => {});
      throw error;
    }
  }

  return {
    async applied() {
      const listing = transaction(async () => {
        if (location.schema !== null) await createSchema(sql, location.schema);
        await sql`create table if not exists schema_migrations (
          number bigint primary key, name text not null, checksum text not null,
          oldest_server bigint not null, applied_us bigint not null)`;
        return sql.unsafe(APPLIED_MIGRATIONS);
      });
      const rows = await listing.catch((error) => {
        throw postgresFailure(error);
      });
      return rows.map(appliedMigrationOf);
    },
    async apply(migration, checksum, onBegin) {
      try {
        return await transaction(async () => {
          const { number, name, oldestServer } = migration;
          const done = await sql`select 1 from schema_migrations where number = ${number}`;
          if (done.length > 0) return false;
          onBegin();
          await sql.unsafe(migration.sql);
          await sql`insert into schema_migrations (number, name, checksum, oldest_server, applied_us) values
            (${number}, ${name}, ${checksum}, ${oldestServer?.level ?? 1}, ${Date.now() * 1000})`;
          // Apart, because the first migration that asks for a level also makes the column.
          if (oldestServer !== undefined)
            await sql`update schema_migrations set oldest_version = ${oldestServer.version} where number = ${number}`;
          return true;
        });
      } catch (error) {
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
