// A fail-over to a standby under load, by a list of hosts: senders see nothing of it, and nothing acknowledged is lost.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type PostgresReplica, startReplica } from "../support/postgres-replica.ts";
import { servicesOfSuite } from "../support/server.ts";
import { locationOf } from "../support/storage.ts";
import { expectNothingLost } from "../support/stored.ts";

setDefaultTimeout(60_000);

const HELD_MS = 7500;

forEachDriver("a fail-over", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  let primary: PostgresCluster;
  let standby: PostgresReplica;
  let url: URL;
  beforeAll(async () => {
    primary = await startPostgres({ durable: true });
    url = new URL((await createDatabaseIn(primary.url)).url);
    standby = await startReplica(primary);
  });
  afterAll(async () => {
    await standby?.dispose();
    await primary?.dispose();
  });

  test("that is over within 8 s: every export is answered with 200, what changes by a route too", async () => {
    const onStandby = new URL(url);
    onStandby.port = new URL(standby.url).port;
    const hosts = `127.0.0.1:${url.port},127.0.0.1:${onStandby.port}`;
    const { username, pathname } = url;
    const service = await startService({
      databaseUrl: `postgresql://${username}@${hosts}${pathname}?target_session_attrs=read-write`,
    });
    const client = createHttpClient(service.url);
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(300);
    const admin = openPool(locationOf(onStandby.href) as PostgresLocation, {
      name: "admin",
      connections: 1,
      statementTimeout: null,
    });
    await admin`select 1`;
    // It sends the standby all that it has before it ends.
    const began = performance.now();
    await primary.stop("fast");
    const created = client.post("/v1/projects", { json: { name: "made meanwhile" } });
    await admin`select pg_promote()`;
    await load.untilAcknowledged(300);
    // A loaded machine may take longer than exports are held.
    const isShort = performance.now() - began < HELD_MS;
    if (isShort) expect((await created).status).toBe(200);
    expect((await client.get("/readyz")).status).toBe(200);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    if (isShort) expect(Object.keys(load.answers())).toEqual(["200"]);
    expect(await service.stop()).toBe(0);
    await admin.end({ timeout: 1 });
    expect(await expectNothingLost({ url: onStandby.href }, batches)).toBe(load.acknowledged());
  });
});
