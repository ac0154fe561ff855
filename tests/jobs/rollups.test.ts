import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createRollupsJob } from "../../src/jobs/rollups.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import type { RollupsService } from "../../src/summaries/rollups/rollups.service.ts";

/** Longer than the pause after a failure. */
const PAUSE_MS = 5_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function jobThat(settlePending: () => Promise<number>) {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  const rollups = { settlePending } as unknown as RollupsService;
  return { job: createRollupsJob(rollups, () => ({}) as CallContext, log), lines };
}

/** Lets everything that is already resolved take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("settles until nothing is pending", async () => {
  const left = [20, 20, 3, 0];
  let asked = 0;
  const { job } = jobThat(async () => left[asked++]!);
  job.wake();
  await settled();
  expect(asked).toBe(4);
  await job.stop();
});

test("woken while it runs it looks once more, whatever the number of calls", async () => {
  let asked = 0;
  let gate = Promise.withResolvers<number>();
  const { job } = jobThat(() => {
    asked++;
    return gate.promise;
  });
  job.wake();
  job.wake();
  job.wake();
  expect(asked).toBe(1);
  const first = gate;
  gate = Promise.withResolvers<number>();
  first.resolve(0);
  await settled();
  expect(asked).toBe(2);
  gate.resolve(0);
  await settled();
  expect(asked).toBe(2);
  await job.stop();
});

test("after a failure it warns, pauses and begins again by itself", async () => {
  let asked = 0;
  const { job, lines } = jobThat(async () => {
    asked++;
    if (asked === 1) throw new Error("no database");
    return 0;
  });
  job.wake();
  await settled();
  job.wake();
  await settled();
  expect([asked, lines]).toEqual([1, [expect.stringMatching(/WARNING.*no database/)]]);
  jest.advanceTimersByTime(PAUSE_MS);
  await settled();
  expect(asked).toBe(2);
  await job.stop();
});

test("a stop waits for what runs, and ends a pause", async () => {
  const gate = Promise.withResolvers<number>();
  let asked = 0;
  const busy = jobThat(() => {
    asked++;
    return gate.promise;
  });
  busy.job.wake();
  let isStopped = false;
  const stopped = busy.job.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(isStopped).toBe(false);
  // More is pending: the next start settles it.
  gate.resolve(20);
  await stopped;
  busy.job.wake();
  expect(asked).toBe(1);

  let failures = 0;
  const pausing = jobThat(async () => {
    failures++;
    throw new Error("no database");
  });
  pausing.job.wake();
  await settled();
  await pausing.job.stop();
  jest.advanceTimersByTime(10 * PAUSE_MS);
  await settled();
  expect(failures).toBe(1);
});
