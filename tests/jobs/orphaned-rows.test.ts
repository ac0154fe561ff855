import { expect, test } from "bun:test";
import { createOrphanedRowsJob } from "../../src/jobs/orphaned-rows.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";

function jobThat(sweepEmptyTraces: (context: CallContext) => Promise<number>) {
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) });
  return { job: createOrphanedRowsJob({ sweepEmptyTraces }, () => ({}) as CallContext, log), lines };
}

test("leftovers are swept once, and a stop waits for the sweep", async () => {
  let sweeps = 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  const { job, lines } = jobThat(() => {
    sweeps++;
    return promise;
  });
  job.start();
  job.start();
  const stopped = job.stop();
  expect(lines).toEqual([]);
  resolve(3);
  await stopped;
  expect(sweeps).toBe(1);
  expect(lines).toEqual([expect.stringContaining("traces=3")]);
});

test("without leftovers nothing is said; a database that is away is a warning, not a crash", async () => {
  const quiet = jobThat(async () => 0);
  quiet.job.start();
  await quiet.job.stop();
  expect(quiet.lines).toEqual([]);
  const away = jobThat(async () => {
    throw new Error("no database");
  });
  away.job.start();
  await away.job.stop();
  expect(away.lines).toEqual([expect.stringMatching(/WARNING.*no database/)]);
});
