// Sessions of PostgreSQL that hold rows and say nothing: of a person, of a server that is frozen, of one whose network is gone. Only what
// needs these rows waits, no longer than PostgreSQL lets them be held, and the service is whole soon after.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { type Load, startLoad } from "../support/load.ts";
import { encodeOtlp, otlpExport } from "../support/otlp-encode.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { locationOf } from "../support/storage.ts";
import { expectNothingLost, expectVerified } from "../support/stored.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { LOADED_MS, until } from "../support/until.ts";

setDefaultTimeout(30_000);

/** Of each fault; half-open connections are found after 30 s. */
const SECONDS = Number(process.env.SPANLIGHT_TEST_FAULT_SECONDS ?? 10);
const SILENT_SECONDS = Math.max(SECONDS, 32);
/** A queue waits for a lock this long before it stores the others. */
const LOCK_LIMIT_MS = 5000;
const WHOLE_AGAIN_MS = 5000;
/** PostgreSQL ends a transaction that asks nothing after this time. */
const IDLE_LIMIT_MS = 15_000;
const SHARED = "e".repeat(32);

forEachDriver("silent sessions", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  let cluster: PostgresCluster;
  const pools: PostgresPool[] = [];
  beforeAll(async () => {
    cluster = await startPostgres({ durable: true });
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    await cluster.dispose();
  });

  function openAdmin(url: string): PostgresPool {
    const pool = openPool(locationOf(url) as PostgresLocation, {
      name: "admin",
      connections: 2,
      statementTimeout: null,
    });
    pools.push(pool);
    return pool;
  }

  /** Runs `work` while a transaction holds what the statement locks: without a limit, as one of a person. */
  const holding = (url: string, text: string, work: () => Promise<void>) =>
    openAdmin(url).begin(async (sql) => {
      await sql.unsafe("set local idle_in_transaction_session_timeout = 0");
      await sql.unsafe(text);
      await work();
    });

  /** The longest time without an acknowledgement until `ended`. */
  async function longestGap(load: Load, ended: () => boolean): Promise<number> {
    let [last, at, longest] = [load.acknowledged(), performance.now(), 0];
    while (!ended()) {
      await Bun.sleep(20);
      longest = Math.max(longest, performance.now() - at);
      if (load.acknowledged() === last) continue;
      [last, at] = [load.acknowledged(), performance.now()];
    }
    return longest;
  }

  /** Spans of one trace, which every server adds to. */
  async function exportShared(service: RunningService, serial: number): Promise<number> {
    const spans = Array.from({ length: 20 }, (_, position) => ({
      traceId: SHARED,
      spanId: (serial * 20 + position).toString(16).padStart(16, "f"),
      name: "step",
      kind: 1,
      startTimeUnixNano: "1704067200000000000",
      endTimeUnixNano: "1704067200005000000",
    }));
    const headers = { "content-type": "application/x-protobuf" };
    const body = encodeOtlp(otlpExport(spans));
    const { status } = await fetch(`${service.url}/v1/traces`, { method: "POST", headers, body });
    return status;
  }

  const held = (sql: PostgresPool) =>
    sql<{ pid: number }[]>`select pid from pg_stat_activity
      where application_name = 'spanlight ingest' and state = 'idle in transaction' and datname = current_database()`;

  test("the row of one session that somebody holds: all others go on, and it does when it is free", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const service = await startService({ databaseUrl: url });
    const waiting = startLoad({ urls: [service.url] });
    await waiting.untilAcknowledged(100);
    const free = startLoad({ urls: [service.url] });
    await free.untilAcknowledged(100);
    const [{ key }] = (await openAdmin(url)<{ key: string }[]>`
      select session_key as key from sessions order by id limit 1`) as [{ key: string }];
    await holding(url, `select id from sessions where session_key = '${key}' for update`, async () => {
      const acknowledged = waiting.acknowledged();
      const over = after(SECONDS * 1000);
      expect(await longestGap(free, over)).toBeLessThan(LOCK_LIMIT_MS + LOADED_MS);
      // What was under way when the row was taken.
      expect(waiting.acknowledged() - acknowledged).toBeLessThan(500);
      expect((await createHttpClient(service.url).get("/readyz")).status).toBe(200);
    });
    const back = performance.now();
    await waiting.untilAcknowledged(100);
    expect(performance.now() - back).toBeLessThan(WHOLE_AGAIN_MS + LOADED_MS);
    const batches = [...(await waiting.finish()), ...(await free.finish())];
    expect([...waiting.complaints, ...free.complaints]).toEqual([]);
    // One line a minute, not one a request.
    const lines = service.log().match(/some spans cannot be stored.*Another transaction in the database holds/g) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(Math.ceil(SECONDS / 60));
    expect(await service.stop()).toBe(0);
    await expectNothingLost({ url }, batches);
  }, 180_000);

  test("a server that is frozen with locks keeps the others waiting no longer than PostgreSQL lets it", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const admin = openAdmin(url);
    const [frozen, live] = [await startService({ databaseUrl: url }), await startService({ databaseUrl: url })];
    let [serial, sending] = [0, true];
    const senders = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (sending) await exportShared(frozen, serial++).catch(() => 0);
      }),
    );
    let left: readonly { pid: number }[] = [];
    await until(async () => {
      process.kill(frozen.pid, "SIGSTOP");
      // Statements that were sent before are answered first.
      for (let look = 0; look < 5; look++) {
        await Bun.sleep(10);
        const free = await admin`select id from traces where trace_key = ${SHARED} for update skip locked`;
        left = await held(admin);
        if (serial > 20 && free.length === 0 && left.length > 0) return true;
      }
      process.kill(frozen.pid, "SIGCONT");
      await Bun.sleep(Math.random() * 20);
      return false;
    });
    const began = performance.now();
    const others = startLoad({ urls: [live.url] });
    const gap = longestGap(others, () => !sending);
    await until(async () => (await exportShared(live, 1_000_000)) === 200, 60_000);
    expect(performance.now() - began).toBeLessThan(IDLE_LIMIT_MS + LOCK_LIMIT_MS + LOADED_MS);
    // The other server has transactions of its own.
    const pids = left.map(({ pid }) => pid);
    expect((await held(admin)).filter(({ pid }) => pids.includes(pid))).toEqual([]);
    process.kill(frozen.pid, "SIGCONT");
    sending = false;
    expect(await gap).toBeLessThan(LOCK_LIMIT_MS + LOADED_MS);
    await senders;
    // It goes on where it was.
    await until(async () => (await exportShared(frozen, serial++)) === 200);
    const batches = await others.finish();
    expect(others.complaints).toEqual([]);
    expect([await frozen.stop(), await live.stop()]).toEqual([0, 0]);
    await expectVerified({ url });
    expect(batches.length).toBeGreaterThan(0);
  }, 180_000);

  test("a network that is gone without a word: the others go on, and all is whole soon after it is back", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: cluster.port });
    const proxied = new URL(url);
    proxied.port = String(proxy.port);
    const cut = await startService({ databaseUrl: proxied.href });
    const other = await startService({ databaseUrl: url });
    const [ofCut, ofOther] = [startLoad({ urls: [cut.url] }), startLoad({ urls: [other.url] })];
    await Promise.all([ofCut.untilAcknowledged(200), ofOther.untilAcknowledged(200)]);
    // Some connections that nobody uses meanwhile.
    const client = createHttpClient(cut.url);
    await Promise.all(Array.from({ length: 8 }, () => client.get("/v1/projects")));
    proxy.fallSilent();
    // Whatever the server that is cut off was about to settle, traces of the other load among it, is held until PostgreSQL ends it; a batch
    // that needs it has then waited, and waits once more.
    const longest = IDLE_LIMIT_MS + LOCK_LIMIT_MS + LOADED_MS;
    expect(await longestGap(ofOther, after(SILENT_SECONDS * 1000))).toBeLessThan(longest);
    expect((await client.get("/readyz")).status).toBe(503);
    proxy.speakAgain();
    const back = performance.now();
    await ofCut.untilAcknowledged(100);
    await until(async () => (await client.get("/readyz")).status === 200);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.get("/v1/projects")));
    const whole = performance.now() - back;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(whole).toBeLessThan(WHOLE_AGAIN_MS + LOADED_MS);
    const batches = [...(await ofCut.finish()), ...(await ofOther.finish())];
    expect(await held(openAdmin(url))).toEqual([]);
    expect([await cut.stop(), await other.stop()]).toEqual([0, 0]);
    proxy.close();
    await expectNothingLost({ url }, batches);
  }, 240_000);

  test("/readyz says so when spans come and none can be stored for half a minute, until one can", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const service = await startService({ databaseUrl: url });
    const client = createHttpClient(service.url);
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(100);
    await holding(url, "lock table spans in share mode", async () => {
      expect((await client.get("/readyz")).status).toBe(200);
      await until(async () => {
        const { status, text } = await client.get("/readyz");
        if (status === 200) return false;
        expect(`${status} ${text}`).toMatch(/^503 The database answers, but no span could be stored for 3\d s$/);
        return true;
      }, 60_000);
    });
    await load.untilAcknowledged(1);
    await until(async () => (await client.get("/readyz")).status === 200);
    const batches = await load.finish();
    expect(await service.stop()).toBe(0);
    await expectNothingLost({ url }, batches);
  }, 180_000);
});

function after(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() > until;
}
