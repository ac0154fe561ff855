// A fail-over of a real primary to its synchronous standby under ingest load: the URL names both.
import { afterAll, beforeAll, expect, test } from "bun:test";
import postgres from "postgres";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { createDatabaseIn, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type PostgresReplica, startReplica } from "../support/postgres-replica.ts";
import { servicesOfSuite } from "../support/server.ts";
import { expectNothingLost } from "../support/stored.ts";
import { until } from "../support/until.ts";

forEachDriver("fail-over to another host", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();
  let primary: PostgresCluster;
  let standby: PostgresReplica;
  beforeAll(async () => {
    primary = await startPostgres({ durable: true });
    standby = await startReplica(primary);
  });
  afterAll(async () => {
    await standby?.dispose();
    await primary?.dispose();
  });

  async function ask(url: string, statement: string): Promise<Record<string, unknown>> {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    const [row] = await client.unsafe(statement).finally(() => client.end());
    return row as Record<string, unknown>;
  }

  test("the service finds the new primary by itself, and nothing acknowledged is lost", async () => {
    const { url } = await createDatabaseIn(primary.url);
    await ask(primary.url, "alter system set synchronous_standby_names = '*'");
    await ask(primary.url, "select pg_reload_conf()");
    const { created } = await ask(primary.url, "select pg_current_wal_lsn()::text as created");
    // The service asks the standby first: it must know the database.
    const caughtUp = `select sync_state = 'sync' and replay_lsn >= '${created}' as done from pg_stat_replication`;
    await until(async () => (await ask(primary.url, caughtUp))?.done === true);
    const hosts = [standby.url, primary.url].map((each) => new URL(each).host).join(",");
    const service = await startService({
      databaseUrl: `${url.replace(new URL(url).host, hosts)}?target_session_attrs=read-write`,
    });
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(300);
    await primary.stop("immediate");
    await ask(standby.url, "select pg_promote()");
    await load.untilAcknowledged(300);
    expect((await createHttpClient(service.url).get("/readyz")).status).toBe(200);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(await service.stop()).toBe(0);
    const promoted = url.replace(new URL(url).host, new URL(standby.url).host);
    expect(await expectNothingLost({ url: promoted }, batches)).toBe(load.acknowledged());
  }, 120_000);
});
