// A SQLite file as the version before this one left it.
import type { SqliteLocation } from "../../src/storage/location.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { sqliteMigrationTarget } from "../../src/storage/sqlite/migrate.ts";

/** Makes the file without the last migration, with one project named `old`. */
export async function makeOlderDatabase(location: SqliteLocation): Promise<void> {
  const connection = openSqlite(location, "writer");
  await migrate(sqliteMigrationTarget(connection), migrations.sqlite.slice(0, -1));
  connection.script("insert into projects (name, created_us, updated_us) values ('old', 1, 1)");
  connection.close();
}
