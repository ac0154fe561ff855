// Storage as a server has it: reader threads and processes beside a writer behind a link on SQLite, pools on PostgreSQL.
import { type Channel, createLink, serveLink } from "../../src/kernel/link.ts";
import { migrateStorage, openPostgresStorage, openSqliteStorage } from "../../src/storage/open.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { createSqliteWriter } from "../../src/storage/sqlite/writer.ts";
import type { CallContext, Storage } from "../../src/storage/storage.ts";
import { readerProcess, readerThread } from "../../src/threads.ts";
import { contextOf, locationOf, openIngestStore, type TestStorage } from "./storage.ts";

export interface ServerStorage {
  readonly storage: Storage;
  context(given?: Partial<CallContext>): CallContext;
  close(): Promise<void>;
}

/** Two ends of a pipe inside this thread; values cross as copies, in order, as between threads. */
export function channelPair(): readonly [Channel, Channel] {
  const handlers: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const end = (own: 0 | 1): Channel => ({
    post(message) {
      const copy = structuredClone(message);
      setImmediate(() => {
        for (const handler of handlers[own === 0 ? 1 : 0]) handler(copy);
      });
    },
    receive: (handler) => void handlers[own].push(handler),
  });
  return [end(0), end(1)];
}

/** Opens the database at `url`, migrated. On SQLite the writer belongs to this thread; its reader processes are real. */
export async function openServerStorage(url: string): Promise<ServerStorage> {
  const location = locationOf(url);
  await migrateStorage(location);
  const parts = location.kind === "postgres" ? { storage: openPostgresStorage(location) } : openSqliteServer(location);
  return {
    storage: parts.storage,
    context: (given = {}) => ({ ...contextOf(parts.storage), ...given }),
    async close() {
      await parts.storage.close();
      if ("connection" in parts) parts.connection.close();
    },
  };
}

/** The same with an ingest store beside it, for an API whose slow reads can be stopped. */
export async function openServedTestStorage(url: string): Promise<TestStorage> {
  const location = locationOf(url);
  const server = await openServerStorage(url);
  const { ingest, deadlocks } = openIngestStore(location);
  return {
    location,
    storage: server.storage,
    ingest,
    deadlocks,
    context: () => server.context(),
    async close() {
      await ingest.close();
      await server.close();
    },
  };
}

function openSqliteServer(location: Extract<ReturnType<typeof locationOf>, { kind: "sqlite" }>) {
  const connection = openSqlite(location, "writer");
  const [near, far] = channelPair();
  serveLink(far, createSqliteWriter(connection).handlers);
  const storage = openSqliteStorage({
    writer: createLink(near),
    startReaderThread: readerThread(location),
    startReaderProcess: readerProcess(location),
  });
  return { storage, connection };
}
