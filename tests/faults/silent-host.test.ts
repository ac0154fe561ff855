// A service whose database URL begins with a host that takes connections and says nothing.
import { expect, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import { startLoad } from "../support/load.ts";
import { servicesOfSuite } from "../support/server.ts";
import { startSilentHost } from "../support/silent-host.ts";
import { expectNothingLost } from "../support/stored.ts";

forEachDriver("a silent host before the primary", (driver) => {
  if (driver.name === "sqlite") return;
  const startService = servicesOfSuite();

  test("costs its time once: exports and reads go on, and nothing is lost", async () => {
    const silent = await startSilentHost();
    const url = await driver.createDatabase();
    const { host } = new URL(url);
    const databaseUrl = `${url.replace(host, `127.0.0.1:${silent.port},${host}`)}?target_session_attrs=read-write`;
    const service = await startService({ databaseUrl });
    const client = createHttpClient(service.url);
    const load = startLoad({ urls: [service.url] });
    await load.untilAcknowledged(500);
    expect((await client.get("/readyz")).status).toBe(200);
    expect((await client.get("/v1/projects")).status).toBe(200);
    // Each thread learns of it by itself, with its first connections; one that makes summaries may begin late.
    const learned = silent.connections;
    await load.untilAcknowledged(1000);
    expect(silent.connections).toBeLessThanOrEqual(learned + 2);
    const batches = await load.finish();
    expect(load.complaints).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(await expectNothingLost({ url }, batches)).toBe(load.acknowledged());
    silent.close();
  }, 120_000);
});
