// /readyz is 503 with a reason while nothing can be stored, and 200 with a note while people must get in to delete.
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { open } from "node:fs/promises";
import { openSession } from "../../src/storage/postgres/session.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const readinessOf = async (service: RunningService) => {
  const { status, text } = await createHttpClient(service.url).get("/readyz");
  return `${status} ${text}`;
};

forEachDriver("readiness", (driver) => {
  const startService = servicesOfSuite();

  test("the operator's own limit leaves the service ready and is told", async () => {
    const service = await startService({
      databaseUrl: await driver.createEmptyDatabase(),
      env: {
        SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: "0.0001",
        SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: "50",
      },
    });
    const told = {
      note: "The database is fuller than its operator allows: nothing is added until something is deleted",
    };
    expect(await readinessOf(service)).toBe(`200 ${JSON.stringify(told)}`);
    const client = createHttpClient(service.url);
    expect((await client.post("/v1/projects", { json: { name: "too much" } })).status).toBe(507);
    expect(await service.stop()).toBe(0);
  });

  if (driver.name === "postgres") {
    test("a database that became read-only is not ready, and ready again when it is not", async () => {
      const url = await driver.createEmptyDatabase();
      const service = await startService({ databaseUrl: url });
      expect(await readinessOf(service)).toBe("200 {}");
      const location = locationOf(url);
      if (location.kind !== "postgres") throw new Error("Not PostgreSQL");
      const other = openSession(location, { name: "test", statementTimeout: null });
      const change = async (how: string) => {
        await other.sql.unsafe(`do $$ begin execute format('alter database %I ${how}', current_database()); end $$`);
        await other.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
      };
      await change("set default_transaction_read_only = on");
      await until(async () => (await readinessOf(service)) === "503 The database is read-only");
      await other.sql.unsafe("set default_transaction_read_only = off");
      await change("reset default_transaction_read_only");
      await until(async () => (await readinessOf(service)) === "200 {}");
      other.end();
      expect(await service.stop()).toBe(0);
    });
    return;
  }

  test("a file that another process keeps locked is not ready, and ready again when it is let go", async () => {
    const url = await driver.createEmptyDatabase();
    const service = await startService({ databaseUrl: url });
    const other = new Database(url.slice("sqlite:///".length), { readwrite: true });
    other.run("begin immediate");
    expect(await readinessOf(service)).toBe("503 Another process keeps the database file locked");
    // Exports that wait for the lock hold up the writer itself.
    const load = startLoad({ urls: [service.url], senders: 1 });
    await until(async () => (await readinessOf(service)) === "503 database unreachable");
    expect((await createHttpClient(service.url).get("/healthz")).status).toBe(200);
    other.run("rollback");
    await load.untilAcknowledged(100);
    expect(await readinessOf(service)).toBe("200 {}");
    await load.finish();
    other.close();
    expect(await service.stop()).toBe(0);
  });

  test("a damaged file is not ready", async () => {
    const url = await driver.createEmptyDatabase();
    const path = url.slice("sqlite:///".length);
    const before = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [before.url] });
    await load.untilAcknowledged(200);
    await load.finish();
    expect(await before.stop()).toBe(0);
    await damage(path, "spans");
    const service = await startService({ databaseUrl: url });
    const refused = startLoad({ urls: [service.url] });
    await refused.untilAnswered((since) => (since["503"] ?? 0) >= 5);
    await refused.abandon();
    expect(await readinessOf(service)).toMatch(/^503 The database cannot store spans: .*malformed/);
    await service.kill();
  });
});

/** Overwrites the first page of the tree of a table. */
async function damage(path: string, table: string): Promise<void> {
  const database = new Database(path, { readonly: true });
  const { page } = database.query("select rootpage as page from sqlite_master where name = ?").get(table) as {
    page: number;
  };
  const { size } = database.query("select page_size as size from pragma_page_size()").get() as { size: number };
  database.close();
  const file = await open(path, "r+");
  await file.write(new Uint8Array(size).fill(0xa5), 0, size, (page - 1) * size);
  await file.close();
}
