// Reads on a real streaming replica: never older than what was acknowledged, and answered when the replica fails in any way.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import postgres from "postgres";
import { createLogger } from "../../src/kernel/logger.ts";
import { requireOwnReplica } from "../../src/server/replica.ts";
import { inspectReplica, inspectStorage } from "../../src/storage/inspect.ts";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { createPostgresStorage } from "../../src/storage/postgres/storage.ts";
import type { CallContext, ReadClass, Storage } from "../../src/storage/storage.ts";
import { failureOf } from "../support/failures.ts";
import { freePort } from "../support/ports.ts";
import { missingPostgres, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type PostgresReplica, startReplica } from "../support/postgres-replica.ts";
import { ENDLESS_QUERY } from "../support/slow-queries.ts";
import { contextOf, locationOf } from "../support/storage.ts";
import { LOADED_MS, until } from "../support/until.ts";

setDefaultTimeout(30_000);

const missing = missingPostgres();

describe.skipIf(missing !== null && !process.env.CI)("reads with a replica", () => {
  let primary: PostgresCluster;
  let replica: PostgresReplica;
  let storage: Storage;
  let onReplica: PostgresPool;
  const served = { replica: 0, primary: 0 };

  beforeAll(async () => {
    primary = await startPostgres();
    const location = locationOf(primary.url) as PostgresLocation;
    await migrateStorage(location);
    replica = await startReplica(primary);
    storage = openWith(replica.url);
    onReplica = openPool(locationOf(replica.url) as PostgresLocation, {
      name: "test",
      connections: 1,
      statementTimeout: null,
    });
  });
  afterAll(async () => {
    await onReplica?.end({ timeout: 1 });
    await storage?.close();
    await replica?.dispose();
    await primary?.dispose();
  });
  beforeEach(() => {
    served.replica = 0;
    served.primary = 0;
  });

  function openWith(replicaUrl: string): Storage {
    return createPostgresStorage(
      { ...(locationOf(primary.url) as PostgresLocation), replicaUrl },
      { onReplicaRead: (byReplica) => void served[byReplica ? "replica" : "primary"]++ },
    );
  }
  const context = (given: Partial<CallContext> = {}) => ({ ...contextOf(storage), ...given });
  const within = (milliseconds: number) => context({ deadline: performance.now() + milliseconds });
  const inRecovery = async (readClass: ReadClass, given = context()) => {
    const { rows } = await sql<{ here: boolean }>`select pg_is_in_recovery() as here`.execute(
      given.database.read(given, readClass),
    );
    return rows[0]!.here;
  };
  const add = async (turn: number) => {
    const row = await storage.handle
      .write(context())
      .insertInto("pending_annotations")
      .values({ target: "span", target_key: `${turn}`, body: "x".repeat(500), received_us: turn })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const sees = async (id: number, readClass: ReadClass) => {
    const rows = await storage.handle
      .read(context(), readClass)
      .selectFrom("pending_annotations")
      .select("id")
      .where("id", "=", id)
      .execute();
    return rows.length === 1;
  };
  /** The replica is left alone for a while after it failed. */
  const untilServed = () => until(() => inRecovery("short"));

  test("reads of either class come from the replica once it has caught up", async () => {
    await untilServed();
    expect([await inRecovery("short"), await inRecovery("slow")]).toEqual([true, true]);
  });

  test("what was acknowledged is seen by the next read: no miss in a thousand, some of them on the replica", async () => {
    await untilServed();
    let misses = 0;
    const pair = async (turn: number) => {
      if (!(await sees(await add(turn), turn % 3 === 0 ? "slow" : "short"))) misses++;
    };
    for (let turn = 0; turn < 1000; turn += 5) await Promise.all([0, 1, 2, 3, 4].map((offset) => pair(turn + offset)));
    expect(misses).toBe(0);
    expect(served.replica).toBeGreaterThan(0);
  });

  test("a replica that is behind is not asked, and one that catches up in time is waited for", async () => {
    await untilServed();
    let id: number;
    await onReplica`select pg_wal_replay_pause()`;
    try {
      served.primary = 0;
      id = await add(1);
      expect(await sees(id, "short")).toBe(true);
      expect(served.primary).toBe(1);
    } finally {
      await onReplica`select pg_wal_replay_resume()`;
    }
    await untilServed();
    expect(await sees(id, "slow")).toBe(true);
  });

  test("transactions and writes never go there", async () => {
    await untilServed();
    const here = await storage.transaction(context(), async (inner) => [
      await inRecovery("short", inner),
      await inRecovery("slow", inner),
    ]);
    expect(here).toEqual([false, false]);
  });

  test("a slow read on the replica is stopped at its deadline and when its client goes away", async () => {
    await untilServed();
    const late = within(200);
    const gone = new AbortController();
    const left = context({ signal: gone.signal });
    const running = [late, left].map((given) => failureOf(ENDLESS_QUERY.execute(given.database.read(given, "slow"))));
    const onServer = async () => {
      const rows = await onReplica<{ running: number }[]>`
        select count(*)::int as running from pg_stat_activity where state = 'active' and query like 'with recursive counted%'`;
      return rows[0]!.running;
    };
    await until(async () => (await onServer()) === 2);
    expect((await running[0])?.code).toBe("storage.deadline");
    gone.abort();
    expect((await running[1])?.code).toBe("storage.client_gone");
    await until(async () => (await onServer()) === 0);
    await untilServed();
  });

  test("a read that a change on the primary takes the rows from is repeated there", async () => {
    await add(1);
    await untilServed();
    const slow = context();
    served.primary = 0;
    const reading = sql<{ rows: number; waited: string }>`
      select count(*)::int as rows, (select pg_sleep(1.5)::text) as waited from pending_annotations`.execute(
      slow.database.read(slow, "slow"),
    );
    await until(async () => {
      const rows =
        await onReplica`select 1 from pg_stat_activity where query like '%pg_sleep(1.5)%' and wait_event = 'PgSleep'`;
      return rows.length === 1;
    });
    const database = storage.handle.write(context());
    await database.deleteFrom("pending_annotations").execute();
    await sql`vacuum pending_annotations`.execute(database);
    expect((await reading).rows).toHaveLength(1);
    expect(served.primary).toBe(1);
    await untilServed();
  });

  test("an error of the statement is its own, wherever it ran", async () => {
    await untilServed();
    const given = context();
    const failure = await failureOf(sql`select * from not_there`.execute(given.database.read(given, "short")));
    expect([failure.kind, failure.message]).toEqual(["internal", 'relation "not_there" does not exist']);
    expect(await inRecovery("short")).toBe(true);
  });

  test("reads are answered while the replica is away, and come from it again when it is back", async () => {
    await untilServed();
    await replica.stop();
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => inRecovery("short")));
    expect(answers).toEqual(Array<boolean>(20).fill(false));
    expect(await inRecovery("slow")).toBe(false);
    expect(performance.now() - began).toBeLessThan(2000 + LOADED_MS);
    await replica.start();
    await untilServed();
  });

  test("a primary that is named as its own replica answers as a primary", async () => {
    const misled = openWith(primary.url);
    const given = { ...contextOf(misled) };
    expect(await inRecovery("short", given)).toBe(false);
    expect(served).toEqual({ replica: 0, primary: 1 });
    await misled.close();
  });

  test("an address that does not answer delays one read, not every read", async () => {
    // 192.0.2.0/24 is kept for documentation: nobody is there.
    const misled = openWith(primary.url.replace("127.0.0.1", "192.0.2.1"));
    const given = { ...contextOf(misled) };
    const began = performance.now();
    for (let turn = 0; turn < 10; turn++) expect(await inRecovery("short", given)).toBe(false);
    expect(performance.now() - began).toBeLessThan(1000 + LOADED_MS);
    await misled.close();
  });

  test("another database beside it is not read, however current", async () => {
    const beside = Object.assign(new URL(primary.url), { pathname: "/beside" }).href;
    const client = postgres(primary.url, { max: 1, onnotice: () => {} });
    await client`create database beside`;
    await client.end();
    await migrateStorage(locationOf(beside));
    const ofReplica = Object.assign(new URL(beside), { port: new URL(replica.url).port }).href;
    const misled = openWith(ofReplica);
    const given = { ...contextOf(misled) };
    for (let turn = 0; turn < 3; turn++) expect(await inRecovery("short", given)).toBe(false);
    expect(served).toEqual({ replica: 0, primary: 3 });
    await misled.close();
    const location = { ...(locationOf(primary.url) as PostgresLocation), replicaUrl: ofReplica };
    expect(await inspectReplica(location)).toMatchObject({ isReplica: true, isOfThisDatabase: false });
  });

  test("an inspection tells the replica, how far behind it is, and that it takes no writes", async () => {
    const location = { ...(locationOf(primary.url) as PostgresLocation), replicaUrl: replica.url };
    await until(async () => (await inspectReplica(location)).behindMs === 0);
    expect(await inspectReplica(location)).toEqual({ isReplica: true, isOfThisDatabase: true, behindMs: 0 });
    expect(await inspectStorage(location)).toMatchObject({ readOnly: false, pending: [] });
    expect(await inspectStorage(locationOf(replica.url))).toMatchObject({ readOnly: true, pending: [] });
  });

  test("a start goes on without a replica that is away or none, and says which", async () => {
    const started = async (replicaUrl: string) => {
      const lines: string[] = [];
      const log = createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) });
      await requireOwnReplica({ ...(locationOf(primary.url) as PostgresLocation), replicaUrl }, log);
      return lines.join("\n");
    };
    const away = Object.assign(new URL(primary.url), { port: String(await freePort()) }).href;
    expect(await started(away)).toContain("the read replica cannot be asked: reads go to the primary until it can");
    expect(await started(primary.url)).toContain("the server for reads accepts writes and is not a replica");
    expect(await started(replica.url)).toBe("");
  });

  // The last one: what was promoted is a replica no more.
  test("once it is promoted it is not asked any more, and what is written there is not seen", async () => {
    await untilServed();
    await onReplica`select pg_promote()`;
    await until(async () => (await onReplica`select pg_is_in_recovery() as here`)[0]!.here === false);
    await onReplica`insert into projects (name, created_us, updated_us) values ('of the promoted', 1, 1)`;
    served.replica = 0;
    const id = await add(1);
    for (const readClass of ["short", "slow"] as const) {
      expect(await sees(id, readClass)).toBe(true);
      const rows = await storage.handle.read(context(), readClass).selectFrom("projects").select("name").execute();
      expect(rows.map(({ name }) => name)).not.toContain("of the promoted");
    }
    expect(served.replica).toBe(0);
    const location = { ...(locationOf(primary.url) as PostgresLocation), replicaUrl: replica.url };
    expect(await inspectReplica(location)).toMatchObject({ isReplica: false, isOfThisDatabase: true });
  });
});
