// When recomputations of costs run: what a kill left at the start, what is asked for at once, slice by slice to the end, a failure later.
import { expect, test } from "bun:test";
import { createRecomputationsJob } from "../../src/jobs/recomputations.ts";
import { createLogger, silentLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";

function jobOver(answers: readonly (boolean | Error)[]) {
  let slices = 0;
  const reached = answers.map(() => Promise.withResolvers<void>());
  const runSlice = async () => {
    const answer = answers[slices]!;
    reached[slices++]!.resolve();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const job = createRecomputationsJob(runSlice, () => ({}) as CallContext, silentLogger);
  return { job, slice: (number: number) => reached[number - 1]!.promise, count: () => slices };
}

test("runs to the end what was left, and what is asked for then", async () => {
  const { job, slice, count } = jobOver([true, true, false, false]);
  job.wake();
  job.start();
  await slice(3);
  expect(count()).toBe(3);
  await new Promise(setImmediate);
  job.wake();
  await slice(4);
  await job.stop();
  job.wake();
  expect(count()).toBe(4);
});

test("outlives a slice that fails", async () => {
  const { job, slice } = jobOver([new Error("the database is away"), false]);
  job.start();
  await slice(1);
  await new Promise(setImmediate);
  job.wake();
  await slice(2);
  await job.stop();
});

test("tries again by itself, later after each failure", async () => {
  const times: number[] = [];
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  const log = createLogger({ level: "debug", mode: "default", write: (line) => lines.push(line) });
  const job = createRecomputationsJob(
    async () => {
      times.push(performance.now());
      if (times.length < 3) throw new Error("the database is away");
      ended.resolve();
      return false;
    },
    () => ({}) as CallContext,
    log,
  );
  job.start();
  await ended.promise;
  await job.stop();
  expect(times[2]! - times[1]!).toBeGreaterThan(times[1]! - times[0]!);
  expect(lines.map((line) => line.slice(line.indexOf("costs")))).toEqual([
    'costs could not be recomputed reason="the database is away" retry_in_ms=1000',
    'costs could not be recomputed reason="the database is away" retry_in_ms=2000',
  ]);
});
