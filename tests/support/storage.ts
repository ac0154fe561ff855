// A migrated store of a fresh database inside the test's own process, with the ingest store beside it.

import { openPrincipal } from "../../src/access/principal.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { IngestStore } from "../../src/storage/ingest-store.ts";
import type { StorageLocation } from "../../src/storage/location.ts";
import { migrateStorage, openStorageAlone } from "../../src/storage/open.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { createPostgresIngestStore } from "../../src/storage/postgres/ingest-store.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { createSqliteIngestStore } from "../../src/storage/sqlite/ingest-store.ts";
import { createSqliteWriter } from "../../src/storage/sqlite/writer.ts";
import type { CallContext, Storage } from "../../src/storage/storage.ts";

export interface TestStorage {
  readonly location: StorageLocation;
  readonly storage: Storage;
  readonly ingest: IngestStore;
  /** Deadlocks that ingestion met; every test that runs writers at once demands 0. */
  readonly deadlocks: () => number;
  context(): CallContext;
  close(): Promise<void>;
}

/** Without fsync: what a process leaves behind outlives it all the same, and no test here cuts the power. */
export function locationOf(url: string): StorageLocation {
  if (url.startsWith("sqlite:///"))
    return { kind: "sqlite", path: url.slice("sqlite:///".length), temporary: false, synchronous: "OFF" };
  const alone = { tls: null, schema: null, replicaUrl: null, replicaTls: null };
  return { kind: "postgres", url, ...alone, poolSize: 5, poolMode: "session" };
}

export async function openTestStorage(url: string): Promise<TestStorage> {
  const location = locationOf(url);
  await migrateStorage(location);
  const storage = openStorageAlone(location);
  const { ingest, deadlocks } = openIngestStore(location);
  return {
    location,
    storage,
    ingest,
    deadlocks,
    context: () => contextOf(storage),
    async close() {
      await ingest.close();
      await storage.close();
    },
  };
}

export function openIngestStore(location: StorageLocation): { ingest: IngestStore; deadlocks: () => number } {
  if (location.kind === "sqlite") {
    const connection = openSqlite(location, "writer");
    const ingest = createSqliteIngestStore(createSqliteWriter(connection), systemClock);
    return { ingest: { run: ingest.run, close: async () => connection.close() }, deadlocks: () => 0 };
  }
  const pool = openPool(location, { name: "ingest", connections: 4, statementTimeout: null });
  let deadlocks = 0;
  return {
    ingest: createPostgresIngestStore(pool, { clock: systemClock, onDeadlock: () => void deadlocks++ }),
    deadlocks: () => deadlocks,
  };
}

/** A context outside any transaction, as the open principal, with a minute to go. */
export function contextOf(storage: Storage): CallContext {
  return {
    principal: openPrincipal,
    requestId: "test",
    deadline: performance.now() + 60_000,
    signal: null,
    database: storage.handle,
  };
}
