// `kill -9` under ingest load: an acknowledgement survives the death of the process. SPANLIGHT_TEST_KILLS sets the
// number of kills a database (default 4) for long runs.
import { expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { startLoad } from "../support/load.ts";
import { freePort } from "../support/ports.ts";
import { startService } from "../support/server.ts";
import { expectNoHalves, expectNothingLost } from "../support/stored.ts";

setDefaultTimeout(30_000);

const KILLS = Number(process.env.SPANLIGHT_TEST_KILLS ?? 4);

forEachDriver("kill -9", (driver) => {
  test(
    "every acknowledged span is there after each restart, none twice, and all sums agree",
    async () => {
      const database = { url: await driver.createDatabase() };
      const [port, grpcPort] = [await freePort(), await freePort()];
      const start = () => startService({ databaseUrl: database.url, port, grpcPort });
      let service = await start();
      const load = startLoad({ urls: [service.url] });
      for (let kills = 0; kills < KILLS; kills++) {
        // At no particular moment of a batch: somewhere in the next hundreds of spans.
        await load.untilAcknowledged(200 + Math.floor(Math.random() * 800));
        await service.kill();
        service = await start();
      }
      await load.untilAcknowledged(200);
      const batches = await load.finish();
      expect(load.complaints).toEqual([]);
      expect(load.answers().unreachable).toBeGreaterThanOrEqual(KILLS);
      expect(await service.stop()).toBe(0);
      const stored = await expectNothingLost(database, batches);
      expect(stored).toBe(load.acknowledged());
    },
    60_000 + KILLS * 20_000,
  );

  test("what was not acknowledged is stored by whole transactions or not at all", async () => {
    const database = { url: await driver.createDatabase() };
    const service = await startService({ databaseUrl: database.url });
    const load = startLoad({ urls: [service.url], spansPerRequest: 300 });
    await load.untilAcknowledged(2_000);
    await service.kill();
    const batches = await load.abandon();
    await expectNothingLost(database, batches);
    await expectNoHalves(database, batches);
  });
});
