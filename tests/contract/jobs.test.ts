// The runner of background jobs over both databases: failing items are kept apart, recorded, and tried again later.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Job } from "../../src/jobs/job.ts";
import { createJobFailuresStore } from "../../src/jobs/job-failures.store.ts";
import { createJobRunner } from "../../src/jobs/runner.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { withLease } from "../../src/storage/lease.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";
import { until } from "../support/until.ts";

const MINUTE_US = 60_000_000;

forEachDriver("jobs", (driver) => {
  let store: TestStorage;
  let url: string;
  let nowUs = 0;
  let lines: string[] = [];
  let runners: ReturnType<typeof createJobRunner>[] = [];
  beforeAll(async () => {
    url = await driver.createDatabase();
    store = await openTestStorage(url);
  });
  beforeEach(() => {
    nowUs = 1_800_000_000_000_000;
    lines = [];
    runners = [];
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop?.();
    await sql`delete from job_failures`.execute(store.storage.handle.write(store.context()));
  });
  afterAll(() => store.close());

  const failures = () => createJobFailuresStore(store.storage.dialect).list(store.context(), "expiry");

  function runnerOf(job: Partial<Job> & Pick<Job, "run">, given = store) {
    const runner = createJobRunner({
      jobs: [{ name: "expiry", changes: true, everyMilliseconds: 3_600_000, retryMilliseconds: 1, ...job }],
      failures: createJobFailuresStore(given.storage.dialect),
      withLease: (context, lease, work) => withLease(given.storage, context, lease, work),
      context: () => given.context(),
      onRun: () => {},
      isReadOnly: false,
      clock: { now: () => nowUs },
      log: createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) }),
    });
    runners.push(runner);
    return runner;
  }

  test("an item that fails stops no other, is recorded, and waits twice as long after each failure, an hour at most", async () => {
    const done: string[] = [];
    let tries = 0;
    let runs = 0;
    let isMended = false;
    const runner = runnerOf({
      async run({ attempt }) {
        for (const item of ["one", "broken", "other"])
          await attempt(item, async () => {
            if (item === "broken") {
              tries++;
              if (!isMended) throw new Error(`no ${tries}`);
            }
            done.push(item);
          });
        runs++;
        return true;
      },
    });
    const look = async () => {
      const before = runs;
      runner.wake("expiry");
      await until(() => runs > before);
    };
    await runner.start?.();
    await until(() => runs === 1);
    expect(done).toEqual(["one", "other"]);
    const firstUs = nowUs;
    const common = { job: "expiry", item: "broken", firstUs };
    expect(await failures()).toEqual([
      { ...common, attempts: 1, reason: "no 1", lastUs: nowUs, retryUs: nowUs + MINUTE_US },
    ]);
    expect(lines).toEqual([expect.stringMatching(/WARNING .*a job failed .*item=broken .*no 1/)]);

    const waits: number[] = [];
    for (const _ of Array.from({ length: 8 })) {
      const [{ retryUs } = { retryUs: 0 }] = await failures();
      waits.push((retryUs - nowUs) / MINUTE_US);
      nowUs = retryUs - 1;
      const before = tries;
      await look();
      expect(tries).toBe(before);
      nowUs = retryUs;
      await look();
      expect(tries).toBe(before + 1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);

    isMended = true;
    nowUs += 60 * MINUTE_US;
    await look();
    await until(async () => (await failures()).length === 0);
    expect(done.filter((item) => item === "broken")).toEqual(["broken"]);
  });

  test("what failed and is gone is forgotten; a run that fails is recorded until one does not", async () => {
    let items = ["broken"];
    let isAway = false;
    const runner = runnerOf({
      async run({ attempt }) {
        if (isAway) throw new Error("cannot list");
        for (const item of items) await attempt(item, () => Promise.reject(new Error("never")));
        return true;
      },
    });
    const named = async () => (await failures()).map(({ item, reason }) => [item, reason]);
    const all = () => createJobFailuresStore(store.storage.dialect).listAll(store.context(), 10);
    await runner.start?.();
    await until(async () => (await named()).length === 1);
    items = [];
    isAway = true;
    runner.wake("expiry");
    await until(async () => (await named()).length === 2);
    expect(await named()).toContainEqual(["", "cannot list"]);
    expect((await all()).map(({ job, item }) => [job, item])).toEqual([
      ["expiry", ""],
      ["expiry", "broken"],
    ]);
    isAway = false;
    runner.wake("expiry");
    await until(async () => (await named()).length === 0);
  });

  test("a job that is not done runs again soon, one that is asked for during a run too, and a stop waits for the item", async () => {
    let runs = 0;
    let gate = Promise.withResolvers<void>();
    const runner = runnerOf({
      async run() {
        runs++;
        await gate.promise;
        return runs !== 1;
      },
    });
    await runner.start?.();
    await until(() => runs === 1);
    gate.resolve();
    gate = Promise.withResolvers<void>();
    await until(() => runs === 2);
    runner.wake("expiry");
    gate.resolve();
    gate = Promise.withResolvers<void>();
    await until(() => runs === 3);
    let isStopped = false;
    const stopped = Promise.resolve(runner.stop?.()).then(() => {
      isStopped = true;
    });
    await Bun.sleep(0);
    expect(isStopped).toBe(false);
    gate.resolve();
    await stopped;
    expect(runs).toBe(3);
  });

  test("a job without an interval runs once, and one server at a time does what has a lease", async () => {
    let runs = 0;
    const once = runnerOf({ everyMilliseconds: null, run: async () => ++runs > 0 });
    await once.start?.();
    await until(() => runs === 1);
    if (driver.name === "sqlite") return;
    const other = await openTestStorage(url);
    let isHeld = false;
    const gate = Promise.withResolvers<void>();
    const held = runnerOf({
      lease: "datasetDeletions",
      async run() {
        isHeld = true;
        await gate.promise;
        return true;
      },
    });
    await held.start?.();
    await until(() => isHeld);
    expect(await withLease(other.storage, other.context(), "datasetDeletions", async () => {})).toBe(false);
    gate.resolve();
    await until(() => withLease(other.storage, other.context(), "datasetDeletions", async () => {}));
    await other.close();
    expect(runs).toBe(1);
  });
});
