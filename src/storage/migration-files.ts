// Reads the migrations when the code is built, or started from source: a macro, so that a new file in the folder is all it takes.
// The binary carries their text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../kernel/failure.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Servers below this level must not use the database once the migration is applied. */
  readonly oldestServer?: OldestServer;
}

interface OldestServer {
  readonly level: number;
  /** The first version of Spanlight with that level. */
  readonly version: string;
}

const FILE = /^(\d{4})_(\w+)\.sql$/;
const OLDEST_SERVER = /^-- Oldest server: level (\d+), version (\S+)$/m;

/** In the order of their numbers. Throws for a file that has no number and name. */
export function migrationFiles(database: "sqlite" | "postgres"): Migration[] {
  const folder = join(import.meta.dir, "../../migrations", database);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, number, name] = FILE.exec(file) ?? [];
      if (number === undefined || name === undefined)
        throw fail("storage.migration_unnamed", "internal", `migrations/${database}/${file} has no number and name`);
      const sql = readFileSync(join(folder, file), "utf8");
      const [, level, version] = OLDEST_SERVER.exec(sql) ?? [];
      const migration = { number: Number(number), name, sql };
      return level === undefined || version === undefined
        ? migration
        : { ...migration, oldestServer: { level: Number(level), version } };
    });
}
