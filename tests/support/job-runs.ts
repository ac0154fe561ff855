// Jobs without a service: one run of one, or a runner whose failures are in memory.
import type { Job, JobContext, JobRun } from "../../src/jobs/job.ts";
import type { JobFailure } from "../../src/jobs/job-failures.store.ts";
import { createJobRunner } from "../../src/jobs/runner.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { CallContext } from "../../src/storage/storage.ts";

/** It has all the time it needs, and every item is attempted. What fails is thrown. */
export function wholeRun(context: () => CallContext): JobContext {
  return {
    context,
    goOn: () => true,
    pause: Bun.sleep,
    signal: new AbortController().signal,
    count: () => {},
    async attempt(_item, work) {
      await work();
      return true;
    },
  };
}

/** What the runner did and logged so far. */
export interface WatchedRunner extends ReturnType<typeof createJobRunner> {
  readonly runs: readonly JobRun[];
  readonly lines: readonly string[];
  readonly failures: ReadonlyMap<string, JobFailure>;
}

export function runnerInMemory(jobs: readonly Job[], isReadOnly = false, longestStart?: number): WatchedRunner {
  const runs: JobRun[] = [];
  const lines: string[] = [];
  const failures = new Map<string, JobFailure>();
  const needs: Parameters<typeof createJobRunner>[0] = {
    jobs,
    isReadOnly,
    failures: {
      list: async (_context, job) => [...failures.values()].filter((failure) => failure.job === job),
      listAll: async () => [...failures.values()],
      record: async (_context, failure) => void failures.set(failure.item, failure),
      async remove(_context, _job, items) {
        for (const item of items) failures.delete(item);
      },
    },
    withLease: async (_context, _lease, work) => work().then(() => true),
    context: () => ({}) as CallContext,
    onRun: (run) => void runs.push(run),
    clock: systemClock,
    log: createLogger({ level: "info", mode: "default", write: (line) => void lines.push(line) }),
  };
  const runner = createJobRunner(needs, longestStart);
  return { ...runner, runs, lines, failures };
}
