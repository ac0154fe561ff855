// `spanlight restore`: puts a copy in the place of the SQLite file, while no server has it.
import { resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import { fail } from "../kernel/failure.ts";
import { restoreDatabaseFile } from "../storage/open.ts";
import type { Command } from "./arguments.ts";
import { stampOf } from "./backup.ts";

const MEBIBYTE = 1024 * 1024;

/** Status 0 when the copy is in its place and has passed its checks. */
export async function runRestore({ settings, from }: Extract<Command, { kind: "restore" }>): Promise<number> {
  const { config } = loadConfig(process.env, settings);
  const { location, printed } = config.database;
  process.stdout.write(`database: ${printed}\n`);
  if (location.kind === "postgres") {
    throw fail(
      "restore.postgres",
      "unsupported",
      "PostgreSQL is restored with its own tools, while no server runs: pg_restore --clean --if-exists --dbname=<url> <file>",
    );
  }
  if (location.temporary) throw fail("restore.temporary", "unsupported", "A database in memory begins empty");
  const { bytes, replaced } = restoreDatabaseFile(location, resolve(from), stampOf(new Date()));
  for (const path of replaced) process.stdout.write(`what was there: ${path}\n`);
  process.stdout.write(`restored: ${resolve(from)} (${(bytes / MEBIBYTE).toFixed(1)} MiB, checked)\n`);
  return 0;
}
