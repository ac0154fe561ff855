import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { blocksJob } from "../../src/jobs/blocks.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import type { BlocksService } from "../../src/summaries/blocks/blocks.service.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { forEachDriver } from "../support/drivers.ts";
import { wholeRun } from "../support/job-runs.ts";
import { startLoad } from "../support/load.ts";
import { type RunningService, startService } from "../support/server.ts";
import { openTestStorage } from "../support/storage.ts";
import { expectVerified } from "../support/stored.ts";
import { until } from "../support/until.ts";

describe("the job that summarises blocks", () => {
  test("rests after each block, longer while spans arrive, until its time is over", async () => {
    const pauses: number[] = [];
    let left = 3;
    const catchUp: BlocksService["catchUp"] = async (_context, goOn) => {
      let written = 0;
      do written++;
      while (await goOn!({ milliseconds: 10, spansArrive: left > 1 }));
      return written;
    };
    const run = {
      ...wholeRun(() => ({}) as CallContext),
      pause: async (milliseconds: number) => void pauses.push(milliseconds),
      goOn: () => --left > 0,
    };
    expect(await blocksJob({ catchUp }, silentLogger).run(run)).toBe(false);
    expect(pauses).toEqual([40, 40, 5]);
    expect(await blocksJob({ catchUp: async () => 0 }, silentLogger).run(run)).toBe(true);
  });
});

forEachDriver("blocks of a running service", (driver) => {
  let service: RunningService;
  let url: string;
  beforeAll(async () => {
    url = await driver.createDatabase();
    service = await startService({ databaseUrl: url });
  });
  afterAll(() => service.stop());

  test("are summarised by themselves once they are full", async () => {
    const load = startLoad({ urls: [service.url], senders: 4, spansPerRequest: 200 });
    await load.untilAcknowledged(4600);
    await load.finish();
    const store = await openTestStorage(url);
    const blocks = createBlocksStore(store.storage);
    await until(async () => (await blocks.countBlocks(store.context())) > 0, 30_000);
    await store.close();
    await service.stop();
    await expectVerified({ url });
  });
});
