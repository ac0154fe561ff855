// Work that one of several servers does at a time: each kind has a lock of its own.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { withLease } from "../../src/storage/lease.ts";
import { leaseKeyOf, lockKeys } from "../../src/storage/lock-keys.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";
import { until } from "../support/until.ts";

const LEASES: readonly string[] = [
  "blocks",
  "retention",
  "datasetDeletions",
  "dismissedExperiments",
  "of a later version",
];

test("no two locks have one key", () => {
  const keys = [...Object.values(lockKeys), leaseKeyOf("of a later version"), leaseKeyOf("of another version")];
  for (const key of keys) expect(key).toBeLessThan(2 ** 31);
  expect(new Set(keys).size).toBe(keys.length);
});

forEachDriver("leases", (driver) => {
  let store: TestStorage;
  let other: TestStorage;
  const withoutSessions = ({ storage }: TestStorage) => ({ ...storage, keepsSessions: false });
  beforeAll(async () => {
    const url = await driver.createDatabase();
    store = await openTestStorage(url);
    other = await openTestStorage(url);
  });
  afterAll(async () => {
    await other.close();
    await store.close();
  });

  /** Whether another server gets the lease meanwhile. */
  const isFree = async (lease: string) => withLease(other.storage, other.context(), lease, async () => {});

  test("a lease that is held keeps no other kind of work back", async () => {
    const free: string[] = [];
    await withLease(store.storage, store.context(), "retention", async () => {
      for (const lease of LEASES) if (await isFree(lease)) free.push(lease);
    });
    // A SQLite file has one server, which holds no leases.
    const kept: readonly string[] = driver.name === "sqlite" ? [] : ["retention"];
    expect(free).toEqual(LEASES.filter((lease) => !kept.includes(lease)));
    expect(await isFree("retention")).toBe(true);
  });

  if (driver.name === "sqlite") return;

  test("where no session is kept, a lease is a row: had by one server, as long as it renews it", async () => {
    const pooled = { held: withoutSessions(store), other: withoutSessions(other) };
    const tryIn = (storage: typeof pooled.other, lease: string = "retention") =>
      withLease(storage, other.context(), lease, async () => {});
    const quick = { valid: 300, renew: 50 };
    const work = async () => {
      // Longer than it is valid without being renewed.
      await Bun.sleep(2 * quick.valid);
      expect(await tryIn(pooled.other)).toBe(false);
      expect(await tryIn(pooled.other, "blocks")).toBe(true);
      // Nor by a server that keeps its sessions.
      expect(await tryIn(other.storage)).toBe(false);
    };
    expect(await withLease(pooled.held, store.context(), "retention", work, quick)).toBe(true);
    expect([await tryIn(pooled.other), await tryIn(other.storage)]).toEqual([true, true]);
    const failing = withLease(pooled.held, store.context(), "retention", () => Promise.reject(new Error("no")), quick);
    expect(await failing.catch(String)).toBe("Error: no");
    expect(await tryIn(pooled.other)).toBe(true);
    await withLease(store.storage, store.context(), "retention", async () => {
      expect(await tryIn(pooled.other)).toBe(false);
    });
  });

  test("the row of a server that is gone is free when its time is over", async () => {
    const frozen = { valid: 200, renew: 60_000 };
    await withLease(
      withoutSessions(store),
      store.context(),
      "retention",
      async () => {
        await until(() => withLease(withoutSessions(other), other.context(), "retention", async () => {}));
      },
      frozen,
    );
  });

  test("statistics are renewed while a sweep of retention runs", async () => {
    await sql`insert into projects (name, created_us, updated_us)
      select 'project ' || n, 0, 0 from generate_series(1, 20000) as n`.execute(
      store.storage.handle.write(store.context()),
    );
    let renewed: readonly string[] = [];
    await withLease(store.storage, store.context(), "retention", async () => {
      renewed = await other.storage.refreshStatistics();
    });
    expect(renewed).toContain("projects");
  });

  test("a server that is frozen gives its lease back after five minutes", async () => {
    await store.storage.transaction(store.context(), (inner) =>
      withLease(store.storage, inner, "retention", async () => {
        const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(inner.database.write(inner));
        expect(rows).toEqual([{ idle_in_transaction_session_timeout: "5min" }]);
      }),
    );
  });
});
