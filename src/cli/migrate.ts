// `spanlight migrate`: brings the database to the newest schema and ends; used as init container.
import { loadConfig } from "../config/load.ts";
import { migrateStorage } from "../storage/open.ts";
import { VERSION } from "../version.ts";
import type { Command } from "./arguments.ts";

export async function runMigrate(command: Extract<Command, { kind: "migrate" }>): Promise<number> {
  const { config } = loadConfig(process.env, command.settings);
  process.stdout.write(`database: ${config.database.printed}\n`);
  const began = performance.now();
  const applied = await migrateStorage(
    config.database.location,
    ({ number, name, of }) => process.stdout.write(`migration ${number} of ${of}: ${name}\n`),
    config.database.backupBeforeMigration
      ? { version: VERSION, onBackup: (path, state) => process.stdout.write(`backup ${state}: ${path}\n`) }
      : undefined,
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(
    applied.length === 0 ? "already up to date\n" : `${applied.length} migrations applied in ${seconds} s\n`,
  );
  return 0;
}
