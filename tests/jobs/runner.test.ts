// When jobs run: by their intervals, by what wakes them, after failures, and no more once the service stops. What is recorded of failing
// items is in tests/contract/jobs.test.ts.
import { afterEach, expect, test } from "bun:test";
import type { Job } from "../../src/jobs/job.ts";
import { runnerInMemory, type WatchedRunner } from "../support/job-runs.ts";
import { until } from "../support/until.ts";

const NEVER = 3_600_000;
let runners: WatchedRunner[] = [];
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  runners = [];
});

/** A job that notes when it began. */
function started(given: Partial<Job> = {}, isReadOnly = false) {
  const began: number[] = [];
  const job: Job = {
    name: "expiry",
    changes: true,
    everyMilliseconds: NEVER,
    ...given,
    async run(context) {
      began.push(performance.now());
      return (await given.run?.(context)) ?? true;
    },
  };
  const runner = runnerInMemory([job], isReadOnly);
  runners.push(runner);
  void runner.start?.();
  return { began, runner, wake: () => runner.wake("expiry") };
}
const gaps = (times: readonly number[]) => times.slice(1).map((time, at) => time - times[at]!);

test("a job runs after the start, then by its interval, and when it is woken", async () => {
  const often = started({ everyMilliseconds: 5 });
  await until(() => often.began.length > 4);
  const seldom = started();
  await until(() => seldom.runner.runs.length === 1);
  seldom.wake();
  await until(() => seldom.runner.runs.length === 2);
});

test("one that is woken runs some time later for all that came meanwhile, one run at a time", async () => {
  const gates: (() => void)[] = [];
  const { began, runner, wake } = started({
    woken: { afterMilliseconds: 30 },
    async run() {
      await new Promise<void>((resolve) => gates.push(resolve));
      return true;
    },
  });
  await until(() => gates.length === 1);
  wake();
  wake();
  gates[0]!();
  await until(() => gates.length === 2);
  gates[1]!();
  await until(() => runner.runs.length === 2);
  const wokenAt = performance.now();
  wake();
  await until(() => gates.length === 3);
  expect(began[2]! - wokenAt).toBeGreaterThanOrEqual(29);
  gates[2]!();
  await until(() => runner.runs.length === 3);
});

test("one that is to look again does so for a while after it was woken, and never more often", async () => {
  const again = { everyMilliseconds: 20, forMilliseconds: 100 };
  const { began, wake } = started({ woken: { afterMilliseconds: 0, again } });
  await until(() => began.length === 1);
  const wokenAt = performance.now();
  wake();
  await until(() => performance.now() - began.at(-1)! > 200);
  expect(began.length).toBeGreaterThan(2);
  expect(began.at(-1)! - wokenAt).toBeLessThan(1000);
  for (const before = began.length; began.length < before + 3; await Bun.sleep(1)) wake();
  expect(Math.min(...gaps(began))).toBeGreaterThanOrEqual(19);
});

test("a long run is followed by a long pause, also when the job is woken", async () => {
  let left = 3;
  const { began, runner, wake } = started({
    restFactor: 5,
    async run({ pause }) {
      await pause(20);
      return --left < 0;
    },
  });
  await until(() => runner.runs.length === 1);
  wake();
  await until(() => began.length === 3);
  expect(Math.min(...gaps(began))).toBeGreaterThanOrEqual(110);
});

test("after a failure it is tried again, later after each, and not at once when it is woken", async () => {
  const failing = started({
    retryMilliseconds: 20,
    run: () => Promise.reject(new Error("no database")),
  });
  failing.wake();
  await until(() => failing.runner.runs.length === 1);
  failing.wake();
  await until(() => failing.began.length === 4);
  const [first, second, third] = gaps(failing.began);
  expect([first! >= 19, second! >= 39, third! >= 79]).toEqual([true, true, true]);
  expect(failing.runner.runs[0]).toMatchObject({ job: "expiry", done: 0, failure: new Error("no database") });
  expect(failing.runner.lines[0]).toMatch(/WARNING .*a job failed .*job=expiry .*no database/);
  expect(failing.runner.failures.get("")).toMatchObject({ job: "expiry", reason: "no database" });
});

test("a start waits for the first run where a job asks for it, also for one that fails, and not for long", async () => {
  let isOver = false;
  const slow: Job = {
    name: "default-project",
    changes: true,
    everyMilliseconds: null,
    isAwaited: true,
    async run({ pause }) {
      await pause(20);
      isOver = true;
      throw new Error("taken");
    },
  };
  const silent: Job = { ...slow, name: "expiry", isAwaited: false, run: ({ pause }) => pause(NEVER).then(() => true) };
  const runner = runnerInMemory([slow, silent]);
  runners.push(runner);
  await runner.start?.();
  expect(isOver).toBe(true);
  const stuck = runnerInMemory([{ ...silent, isAwaited: true }], false, 20);
  runners.push(stuck);
  await stuck.start?.();
  expect(stuck.runs).toEqual([]);
});

test("with `--read-only` nothing runs that changes anything, and no failure is recorded", async () => {
  const changing = started({}, true);
  const reading = started({ changes: false, run: () => Promise.reject(new Error("away")) }, true);
  changing.wake();
  await until(() => reading.runner.runs.length === 1);
  expect([changing.began, [...reading.runner.failures]]).toEqual([[], []]);
});

test("a stop ends pauses, waits for the run, and what it cut off has not failed", async () => {
  const { began, runner, wake } = started({
    async run({ pause, signal }) {
      await pause(NEVER);
      throw signal.reason;
    },
  });
  await until(() => began.length === 1);
  wake();
  await runner.stop();
  wake();
  expect(runner.runs).toMatchObject([{ failure: null }]);
  expect([runner.lines, began.length]).toEqual([[], 1]);
});

test("a run says what it did, item by item and together", async () => {
  const { runner } = started({
    async run({ attempt, count }) {
      count(5);
      await attempt("one", async () => {});
      await attempt("two", () => Promise.reject(new Error("no")));
      return true;
    },
  });
  await until(() => runner.runs.length === 1);
  expect(runner.runs).toMatchObject([{ done: 6, failedItems: 1, failure: null }]);
});
