// Connections to PostgreSQL that are lost as soon as they are made, as in a fail-over: the service stays, tells its clients to
// come back, does not storm the database, and works again as soon as it can.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { locationOf } from "../support/storage.ts";
import { expectNothingLost } from "../support/stored.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { LOADED_MS } from "../support/until.ts";

setDefaultTimeout(30_000);

/** Of each fault. */
const SECONDS = Number(process.env.SPANLIGHT_TEST_FAULT_SECONDS ?? 8);
/** A read is answered in this time, with data or with 503, however often its connection is lost. */
const ANSWER_LIMIT_MS = 5_000 + LOADED_MS;
/** Five pools, each of which tries again every 0.2 to 0.4 s at the longest. */
const MOST_ATTEMPTS_A_SECOND = 5 * 5;

forEachDriver("connections that are lost at once", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres({ durable: true });
  });
  afterAll(async () => {
    await cluster.dispose();
  });

  /** Reads without pause until `ended`; returns the longest that any of them took. */
  async function readUntil(service: RunningService, ended: () => boolean): Promise<number> {
    const client = createHttpClient(service.url);
    let longest = 0;
    const reader = async (path: string) => {
      while (!ended()) {
        const began = performance.now();
        const { status } = await client.get(path);
        longest = Math.max(longest, performance.now() - began);
        expect([200, 503]).toContain(status);
        await Bun.sleep(5);
      }
    };
    // A short read and one of those that may take long: each has connections of its own.
    const slow = "/v1/projects/default/spans?limit=1&attribute=llm.model_name:nothing";
    await Promise.all([reader("/v1/projects"), reader("/v1/projects"), reader(slow)]);
    return longest;
  }

  async function endless(service: RunningService): Promise<"goes on" | number> {
    return Promise.race([service.exited, Bun.sleep(0).then(() => "goes on" as const)]);
  }

  test("sessions that are ended again and again", async () => {
    const { url } = await createDatabaseIn(cluster.url);
    const service = await startService({ databaseUrl: url });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(100);
    const admin = openPool(locationOf(cluster.url) as PostgresLocation, {
      name: "admin",
      connections: 1,
      statementTimeout: null,
    });
    const database = new URL(url).pathname.slice(1);
    const seen = new Set<number>();
    const until = performance.now() + SECONDS * 1000;
    const over = () => performance.now() > until;
    const reads = readUntil(service, over);
    while (!over()) {
      const ended = await admin<{ pid: number; ended: boolean }[]>`
        select pid, pg_terminate_backend(pid) as ended from pg_stat_activity where datname = ${database}`;
      for (const { pid } of ended) seen.add(pid);
    }
    const back = performance.now();
    await load.untilAcknowledged(1);
    const recovered = performance.now() - back;
    const longest = await reads;
    await admin.end({ timeout: 1 });
    report("sessions ended", { recovered, longest, attempts: seen.size });
    expect(await endless(service)).toBe("goes on");
    expect(longest).toBeLessThan(ANSWER_LIMIT_MS);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(service.log()).not.toContain(" ERROR ");
    expect(await service.stop()).toBe(0);
    await expectNothingLost({ url }, batches);
  }, 120_000);

  for (const how of ["end", "reset"] as const) {
    test(`connections that are cut at their first statement (${how})`, async () => {
      const { url } = await createDatabaseIn(cluster.url);
      const proxy = await startTcpProxy({ host: "127.0.0.1", port: cluster.port });
      const proxied = new URL(url);
      proxied.port = String(proxy.port);
      const service = await startService({ databaseUrl: proxied.href });
      const load = startLoad({ urls: [service.url] });
      await load.untilAcknowledged(100);
      proxy.cutAtFirstQuery(how);
      // The first second holds the attempts before the pauses have grown.
      await readUntil(service, after(1000));
      const [before, began] = [proxy.connections, performance.now()];
      const longest = await readUntil(service, after(SECONDS * 1000));
      const attempts = proxy.connections - before;
      const seconds = (performance.now() - began) / 1000;
      proxy.cutAtFirstQuery(null);
      const back = performance.now();
      await load.untilAcknowledged(1);
      const recovered = performance.now() - back;
      report(`cut (${how})`, { recovered, longest, attempts, perSecond: attempts / seconds });
      expect(await endless(service)).toBe("goes on");
      expect(attempts).toBeGreaterThan(0);
      expect(attempts / seconds).toBeLessThan(MOST_ATTEMPTS_A_SECOND);
      expect(longest).toBeLessThan(ANSWER_LIMIT_MS);
      const batches = await load.finish();
      expect(load.complaints).toEqual([]);
      expect(await service.stop()).toBe(0);
      proxy.close();
      await expectNothingLost({ url }, batches);
    }, 120_000);
  }
});

function after(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() > until;
}

/** Figures of a run that was asked to be longer than usual. */
function report(what: string, figures: Readonly<Record<string, number>>): void {
  if (process.env.SPANLIGHT_TEST_FAULT_SECONDS === undefined) return;
  console.log(
    what,
    Object.entries(figures)
      .map(([name, value]) => `${name}=${value.toFixed(1)}`)
      .join(" "),
  );
}
