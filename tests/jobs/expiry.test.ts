import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createExpiryJob } from "../../src/jobs/expiry.ts";
import { createLogger } from "../../src/kernel/logger.ts";

const PERIOD_MS = 10_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function jobThat(sweep: () => Promise<void>) {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  return { job: createExpiryJob(sweep, log), lines };
}

/** Lets everything that is already resolved take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

test("sweeps once a period, never twice at once, and a stop waits for the sweep", async () => {
  let sweeps = 0;
  let gate = Promise.withResolvers<void>();
  const { job } = jobThat(() => {
    sweeps++;
    return gate.promise;
  });
  job.start();
  job.start();
  expect(sweeps).toBe(0);
  jest.advanceTimersByTime(PERIOD_MS);
  expect(sweeps).toBe(1);
  jest.advanceTimersByTime(3 * PERIOD_MS);
  expect(sweeps).toBe(1);
  gate.resolve();
  await settled();
  gate = Promise.withResolvers<void>();
  jest.advanceTimersByTime(PERIOD_MS);
  expect(sweeps).toBe(2);
  let isStopped = false;
  const stopped = job.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopped;
  jest.advanceTimersByTime(5 * PERIOD_MS);
  expect(sweeps).toBe(2);
});

test("a database that is away is a warning, and the next period tries again", async () => {
  let sweeps = 0;
  const { job, lines } = jobThat(async () => {
    sweeps++;
    if (sweeps === 1) throw new Error("no database");
  });
  job.start();
  jest.advanceTimersByTime(PERIOD_MS);
  await settled();
  jest.advanceTimersByTime(PERIOD_MS);
  await settled();
  await job.stop();
  expect(sweeps).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/WARNING.*no database/)]);
});

test("a stop without a start does nothing", async () => {
  await jobThat(() => Promise.reject(new Error("never asked"))).job.stop();
});
