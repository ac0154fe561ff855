import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createBlocksJob } from "../../src/jobs/blocks.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import type { BlocksService } from "../../src/summaries/blocks/blocks.service.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { forEachDriver } from "../support/drivers.ts";
import { startLoad } from "../support/load.ts";
import { type RunningService, startService } from "../support/server.ts";
import { openTestStorage } from "../support/storage.ts";
import { expectVerified } from "../support/stored.ts";
import { until } from "../support/until.ts";

describe("the job that summarises blocks", () => {
  function jobThat(catchUp: BlocksService["catchUp"], intervals?: Parameters<typeof createBlocksJob>[3]) {
    const lines: string[] = [];
    const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
    return { job: createBlocksJob({ catchUp }, () => ({}) as CallContext, log, intervals), lines };
  }

  test("goes on while there is something to do, and a stop ends it after the block in hand", async () => {
    let rounds = 0;
    let blocks = 0;
    const { job, lines } = jobThat(async (_context, goOn) => {
      rounds++;
      do blocks++;
      while (await goOn!({ milliseconds: 0, spansArrive: true }));
      return 1;
    });
    job.start();
    await until(() => blocks > 3);
    await job.stop();
    expect(rounds).toBe(1);
    expect(lines).toEqual([]);
  });

  test("a stop does not wait for a rest", async () => {
    let asked = false;
    const { job } = jobThat(async (_context, goOn) => {
      asked = true;
      await goOn!({ milliseconds: 1e6, spansArrive: true });
      return 1;
    });
    job.start();
    await until(() => asked);
    await job.stop();
  });

  test("rests long when no spans come, and looks at once when some do", async () => {
    let lookedAt = 0;
    const intervals = { afterSpans: 1, otherwise: 1e9, awake: 20 };
    const { job } = jobThat(async () => {
      lookedAt = performance.now();
      return 0;
    }, intervals);
    job.start();
    const isAtRest = () => performance.now() - lookedAt > 200;
    await until(() => lookedAt > 0 && isAtRest());
    const wokenAt = performance.now();
    job.wake();
    // More than once: what has come may not be settled yet.
    await until(() => lookedAt > wokenAt + 5);
    await until(isAtRest);
    await job.stop();
  });

  test("a database that is away is a warning, and the job looks again later", async () => {
    const { job, lines } = jobThat(async () => {
      throw new Error("no database");
    });
    job.start();
    await until(() => lines.length > 0);
    await job.stop();
    expect(lines).toEqual([expect.stringMatching(/WARNING.*no database/)]);
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
