// Migrations on SQLite, by the process that is about to open the file: no other process writes to it yet.
import { fail, messageOf } from "../../kernel/failure.ts";
import { APPLIED_MIGRATIONS, appliedMigrationOf, type MigrationTarget } from "../migrate.ts";
import type { SqliteConnection } from "./connection.ts";

export function sqliteMigrationTarget(connection: SqliteConnection): MigrationTarget {
  return {
    async applied() {
      connection.script(`create table if not exists schema_migrations (
        number integer primary key, name text not null, checksum text not null,
        oldest_server integer not null, applied_us integer not null)`);
      return connection.execute(APPLIED_MIGRATIONS).rows.map(appliedMigrationOf);
    },
    async apply(migration, checksum, onBegin) {
      connection.execute("begin immediate");
      try {
        const { rows } = connection.execute("select 1 from schema_migrations where number = ?", [migration.number]);
        if (rows.length === 0) {
          onBegin();
          connection.script(migration.sql);
          const { number, name, oldestServer } = migration;
          connection.execute(
            "insert into schema_migrations (number, name, checksum, oldest_server, applied_us) values (?, ?, ?, ?, ?)",
            [number, name, checksum, oldestServer?.level ?? 1, Date.now() * 1000],
          );
          // Apart, because the first migration that asks for a level also makes the column.
          if (oldestServer !== undefined)
            connection.execute("update schema_migrations set oldest_version = ? where number = ?", [
              oldestServer.version,
              number,
            ]);
        }
        connection.execute("commit");
        return rows.length === 0;
      } catch (error) {
        if (connection.inTransaction) connection.execute("rollback");
        throw fail(
          "storage.migration_failed",
          "unavailable",
          `Migration ${migration.number} (${migration.name}) failed and was rolled back; the database is as it was before: ${messageOf(error)}`,
          { cause: error },
        );
      }
    },
  };
}
