// A real streaming replica of a cluster of the tests. The package has no pg_basebackup, so the data of the stopped primary are
// copied: what a base backup is, without its ways to copy a running one.
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { type PostgresCluster, startServer } from "./postgres.ts";
import { disposeFolder, guardFolder, unpackNative } from "./postgres-installation.ts";

export interface PostgresReplica {
  /** Superuser URL of the same database as the primary's. */
  readonly url: string;
  /** As a crash; its folder stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

const SETTINGS = `
# A read that the primary has taken the rows from is ended soon, so that a test can see it.
max_standby_streaming_delay = 100ms
hot_standby_feedback = off
wal_receiver_status_interval = 1s
`;

/** Stops the primary, copies it, starts both. */
export async function startReplica(primary: PostgresCluster): Promise<PostgresReplica> {
  const folder = await unpackNative();
  const guard = await guardFolder(folder);
  const data = join(folder, "data");
  await primary.stop("fast");
  await rm(data, { recursive: true });
  // `cp` keeps the owner: the server runs as another user when the tests run as root.
  await Bun.$`cp -a ${join(primary.folder, "data")} ${data}`.quiet();
  await primary.start();
  const { username, hostname } = new URL(primary.url);
  await appendFile(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${hostname} port=${primary.port} user=${username}'\n${SETTINGS}`,
  );
  await writeFile(join(data, "standby.signal"), "");
  const port = await freePort();
  let server = await startServer(folder, port, false);
  const url = new URL(primary.url);
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      server.kill("SIGQUIT");
      await server.exited;
    },
    start: async () => {
      server = await startServer(folder, port, false);
    },
    dispose: () => disposeFolder(guard),
  };
}
