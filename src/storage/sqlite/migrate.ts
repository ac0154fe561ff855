// Migrations on SQLite, by the process that is about to open the file: nobody else writes to it yet.
import { fail, messageOf } from "../../kernel/failure.ts";
import type { AppliedMigration, MigrationTarget } from "../migrate.ts";
import type { SqliteConnection } from "./connection.ts";

export function sqliteMigrationTarget(connection: SqliteConnection): MigrationTarget {
  return {
    // `begin immediate` of each step keeps a second process out; it then finds the step applied.
    exclusively: (work) => work(),
    async applied() {
      connection.script(`create table if not exists schema_migrations (
        number integer primary key, name text not null, checksum text not null,
        oldest_server integer not null, applied_us integer not null)`);
      return connection.execute(
        "select number, name, checksum, oldest_server as oldestServer from schema_migrations order by number",
      ).rows as unknown as AppliedMigration[];
    },
    async apply(migration, checksum, oldestServer) {
      connection.execute("begin immediate");
      try {
        const { rows } = connection.execute("select 1 from schema_migrations where number = ?", [migration.number]);
        if (rows.length === 0) {
          connection.script(migration.sql);
          connection.execute("insert into schema_migrations values (?, ?, ?, ?, ?)", [
            migration.number,
            migration.name,
            checksum,
            oldestServer,
            Date.now() * 1000,
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
