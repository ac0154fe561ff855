import { expect, test } from "bun:test";
import { createStatisticsJob } from "../../src/jobs/statistics.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { until } from "../support/until.ts";

function jobThat(refresh: () => Promise<string[]>, intervals = { between: 1, awake: 30 }) {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  return { job: createStatisticsJob(refresh, log, intervals), lines };
}

test("looks again and again while spans come, and not at all otherwise", async () => {
  let looks = 0;
  let lookedAt = 0;
  const { job, lines } = jobThat(async () => {
    looks++;
    lookedAt = performance.now();
    return ["spans"];
  });
  expect(looks).toBe(0);
  job.wake();
  job.wake();
  await until(() => looks > 2);
  await until(() => performance.now() - lookedAt > 200);
  const before = looks;
  job.wake();
  await until(() => looks > before);
  await job.stop();
  expect(lines).toEqual([]);
});

test("one look at a time, and a stop waits for it", async () => {
  let looks = 0;
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const { job } = jobThat(() => {
    looks++;
    return promise;
  });
  job.wake();
  await until(() => looks > 0);
  job.wake();
  let stopped = false;
  const stopping = job.stop().then(() => {
    stopped = true;
  });
  await Bun.sleep(0);
  expect([looks, stopped]).toEqual([1, false]);
  resolve([]);
  await stopping;
  expect(looks).toBe(1);
});

test("a database that is away is a warning, and the job looks again", async () => {
  const { job, lines } = jobThat(async () => {
    throw new Error("no database");
  });
  job.wake();
  await until(() => lines.length > 1);
  await job.stop();
  expect(lines[0]).toMatch(/WARNING.*no database/);
});
