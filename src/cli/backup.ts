// `spanlight backup`: a checked copy of the SQLite file, also while the service runs. PostgreSQL has better tools of its own,
// which are named.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import { fail } from "../kernel/failure.ts";
import { backupProcess } from "../threads.ts";
import type { Command } from "./arguments.ts";

const MEBIBYTE = 1024 * 1024;

/** Status 0 when the copy is on disk and has passed its checks. */
export async function runBackup({ settings, to }: Extract<Command, { kind: "backup" }>): Promise<number> {
  const { config } = loadConfig(process.env, { ...settings, createsWorkingDirectory: false });
  const { location, printed } = config.database;
  process.stdout.write(`database: ${printed}\n`);
  if (location.kind === "postgres") throw postgresAnswer(location.url, location.schema);
  if (location.temporary) {
    throw fail(
      "backup.temporary",
      "unsupported",
      "A database in memory belongs to its server alone: nothing to back up",
    );
  }
  const target = resolve(to ?? `${location.path}.${stampOf(new Date())}.backup`);
  const began = performance.now();
  await backupProcess(location)(target, new AbortController().signal);
  const bytes = statSync(target).size;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`backup: ${target} (${(bytes / MEBIBYTE).toFixed(1)} MiB, checked, ${seconds} s)\n`);
  return 0;
}

/** `20261121T201530Z`: no colon, which some file systems refuse. */
export function stampOf(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The command that makes a backup of this database; without its password. */
function postgresAnswer(url: string, schema: string | null) {
  // No `URL`: there may be several hosts.
  const plain = url.replace(/\?.*$/s, "").replace(/^(postgresql:\/\/[^:@/]*):[^@/]*@/, "$1@");
  const ofSchema = schema === null ? "" : ` --schema='"${schema}"'`;
  const command = `pg_dump --format=custom --file=spanlight.dump${ofSchema} '${plain.replaceAll("'", "%27")}'`;
  return fail(
    "backup.postgres",
    "unsupported",
    `PostgreSQL is backed up with its own tools, also while the service runs: ${command}`,
  );
}
