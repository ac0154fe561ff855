// A real pooler: PgBouncer from Debian's packages, as a process of its own before the PostgreSQL of the tests.
import { describe, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardProcess } from "./guarded-process.ts";
import { installPackage } from "./packages.ts";
import { answers, freePort } from "./ports.ts";
import { missingPostgres } from "./postgres.ts";
import { until } from "./until.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
/** `nobody`: it refuses to run as root. */
const UNPRIVILEGED = 65534;
/** For a machine whose cores are shared. */
const TIMEOUT_MS = 60_000;

/** Why there is no PgBouncer here, or null. A reason is a failure under `CI=true` and a named skip elsewhere. */
export function missingPgbouncer(): string | null {
  return existsSync(PROGRAM) ? null : `no pgbouncer at ${PROGRAM}`;
}

/** Installs PgBouncer where that is a matter of one command. Resolves to the reason why not. */
export function installPgbouncer(): Promise<string | null> {
  return installPackage("pgbouncer", "PgBouncer", missingPgbouncer);
}

/** A suite that needs a pooler; where there is none, a skip that says so. */
export function describeWithPgbouncer(name: string, suite: () => void): void {
  setDefaultTimeout(TIMEOUT_MS);
  const missing = missingPgbouncer() ?? missingPostgres();
  if (missing === null || process.env.CI) describe(name, suite);
  else describe.skip(`${name} (left out: ${missing})`, suite);
}

export type PoolMode = "session" | "transaction" | "statement";

export interface RunningPgbouncer {
  /** The same database by way of the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Before the database at `url`; all other settings are those that PgBouncer has by itself. */
export async function startPgbouncer(
  url: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<RunningPgbouncer> {
  const { hostname, port, username, password } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "spanlight-pgbouncer-"));
  await chmod(folder, 0o755);
  const ownPort = await freePort();
  const users = join(folder, "users.txt");
  await writeFile(users, `"${username}" "${password}"\n`);
  const given = {
    listen_addr: "127.0.0.1",
    listen_port: ownPort,
    unix_socket_dir: "",
    auth_type: "trust",
    auth_file: users,
    pool_mode: mode,
    ...settings,
  };
  const lines = Object.entries(given).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, ["[databases]", `* = host=${hostname} port=${port}`, "[pgbouncer]", ...lines, ""].join("\n"));
  const child = Bun.spawn([PROGRAM, file], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "pgbouncer.log")),
    ...(process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
  });
  const ended = guardProcess(child, folder);
  await until(() => child.exitCode !== null || answers(ownPort));
  const own = new URL(url);
  own.port = String(ownPort);
  return {
    url: own.href,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
