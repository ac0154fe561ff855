// Statistics for the planner on PostgreSQL while nobody else makes any: autovacuum is off for these tables.
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres, { type Sql } from "postgres";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { lockKeys } from "../../src/storage/lock-keys.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { forEachDriver } from "../support/drivers.ts";
import { startLoad } from "../support/load.ts";
import { startService } from "../support/server.ts";
import { incomingSpan } from "../support/spans.ts";
import { locationOf, openTestStorage, type TestStorage } from "../support/storage.ts";
import { until } from "../support/until.ts";

const TABLES = ["spans", "span_payloads"];

forEachDriver("statistics", (driver) => {
  if (driver.name === "sqlite") {
    test("are nothing that anybody asks for", async () => {
      const store = await openTestStorage(await driver.createDatabase());
      expect(await store.storage.refreshStatistics()).toEqual([]);
      await store.close();
    });
    return;
  }

  let url: string;
  let client: Sql;
  let store: TestStorage;
  beforeAll(async () => {
    url = await driver.createDatabase();
    await migrateStorage(locationOf(url));
    client = postgres(url, { max: 1, onnotice: () => {} });
    for (const table of TABLES) await client.unsafe(`alter table ${table} set (autovacuum_enabled = off)`);
    store = await openTestStorage(url);
  });
  afterAll(async () => {
    await store.close();
    await client.end();
  });

  /** Tables of which anything is known about the values. */
  const analysed = async () => {
    const rows = await client<{ name: string }[]>`
      select distinct tablename::text as name from pg_stats where schemaname = current_schema() and tablename = any(${TABLES})`;
    return rows.map(({ name }) => name).sort();
  };

  async function addSpans(spans: number): Promise<void> {
    for (let stored = 0; stored < spans; stored += 500)
      await ingestBatch(
        store.ingest,
        Array.from({ length: 500 }, (_, number) =>
          incomingSpan({
            traceKey: `trace ${(stored + number) % 1000} of ${spans}`,
            attributes: JSON.stringify({ text: "some words ".repeat(60) }),
          }),
        ),
      );
  }

  test("are there after a load without an analysis of the tables", async () => {
    const service = await startService({ databaseUrl: url });
    expect(await analysed()).toEqual([]);
    const load = startLoad({ urls: [service.url], senders: 4, spansPerRequest: 200 });
    await load.untilAcknowledged(4000);
    await load.finish();
    await until(async () => (await analysed()).length === TABLES.length, 30_000);
    expect(await service.stop()).toBe(0);
    const others = await client`
      select relname from pg_stat_user_tables where relname = any(${TABLES}) and autoanalyze_count > 0`;
    expect(others.length).toBe(0);
  });

  test("are renewed when a table has grown by a factor, and not before", async () => {
    await store.storage.refreshStatistics();
    expect(await store.storage.refreshStatistics()).toEqual([]);
    await addSpans(500);
    expect(await store.storage.refreshStatistics()).not.toContain("spans");
    await addSpans(10_000);
    expect(await store.storage.refreshStatistics()).toContain("spans");
    expect(await store.storage.refreshStatistics()).toEqual([]);
  });

  test("are left to another server that makes them, and to the holder of the table", async () => {
    await addSpans(25_000);
    await client.begin(async (other) => {
      await other`select pg_advisory_xact_lock(${lockKeys.statistics}::integer, hashtext(current_schema()))`;
      expect(await store.storage.refreshStatistics()).toEqual([]);
    });
    await client.begin(async (other) => {
      await other`lock table spans in share update exclusive mode`;
      const renewed = await store.storage.refreshStatistics();
      expect(renewed).not.toContain("spans");
      expect(renewed).toContain("span_payloads");
    });
    expect(await store.storage.refreshStatistics()).toContain("spans");
  });
});
