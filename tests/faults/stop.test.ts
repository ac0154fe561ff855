// A signal to stop under ingest load: what was accepted is stored, the rest is refused, and the process ends in time.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { startLoad } from "../support/load.ts";
import { servicesOfSuite } from "../support/server.ts";
import { expectNoHalves, expectNothingLost } from "../support/stored.ts";

setDefaultTimeout(30_000);

const STOP_LIMIT_MS = 25_000;

forEachDriver("a service that is asked to stop", (driver) => {
  const startService = servicesOfSuite();

  for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT"] as const) {
    test(`by ${signal} drains what it took and ends with status 0 within 25 seconds`, async () => {
      const database = { url: await driver.createDatabase() };
      const service = await startService({ databaseUrl: database.url });
      const load = startLoad({ urls: [service.url], senders: 12, spansPerRequest: 100 });
      await load.untilAcknowledged(2_000);
      const began = performance.now();
      process.kill(service.pid, signal);
      expect(await service.exited).toBe(0);
      expect(performance.now() - began).toBeLessThan(STOP_LIMIT_MS);
      const batches = await load.abandon();
      expect(load.complaints).toEqual([]);
      expect(service.log()).not.toContain(" ERROR ");
      await expectNothingLost(database, batches);
      await expectNoHalves(database, batches);
    });
  }
});
