import { expect, test } from "bun:test";
import { traceSumsJob } from "../../src/jobs/trace-sums.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { wholeRun } from "../support/job-runs.ts";

test("settles until nothing is pending, or its time is over", async () => {
  const left = [20, 20, 3, 0, 20, 20];
  const job = traceSumsJob({ settlePending: async () => left.shift()! });
  const done: number[] = [];
  const whole = { ...wholeRun(() => ({}) as CallContext), count: (amount: number) => void done.push(amount) };
  expect(await job.run(whole)).toBe(true);
  expect([left.length, done]).toEqual([2, [20, 20, 3]]);
  expect(await job.run({ ...whole, goOn: () => false })).toBe(false);
  expect(left.length).toBe(1);
});
