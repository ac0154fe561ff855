// Runs the jobs of the service: each by its own interval, one run at a time, and one server at a time where the job has a lease.
import type { Clock } from "../kernel/clock.ts";
import type { LifecyclePart } from "../kernel/lifecycle.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";
import { createAttempts } from "./attempts.ts";
import type { Job, JobRun, WakeJob } from "./job.ts";
import type { JobFailuresStore } from "./job-failures.store.ts";

/** Milliseconds. `round`: a run is asked to end after it. `rest`: before the next one where there is more to do. `retry`: from a failed
 *  run to the next try at most where a job says nothing, `longestRetry` after many in a row. `start`: a start waits for a job no longer. */
const INTERVALS = { round: 15_000, rest: 200, retry: 60_000, longestRetry: 300_000, start: 3000 };

interface JobRunnerNeeds {
  readonly jobs: readonly Job[];
  /** Jobs that change what is stored do not run, and no failure is recorded. */
  readonly isReadOnly: boolean;
  readonly failures: JobFailuresStore;
  /** Runs the work unless another server does. */
  readonly withLease: (context: CallContext, lease: string, work: () => Promise<void>) => Promise<boolean>;
  readonly context: () => CallContext;
  /** Called after every run. */
  readonly onRun: (run: JobRun) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

interface JobRunner extends LifecyclePart {
  readonly wake: WakeJob;
}

export function createJobRunner(
  { jobs, isReadOnly, ...given }: JobRunnerNeeds,
  longestStart = INTERVALS.start,
): JobRunner {
  const needs = isReadOnly ? { ...given, failures: withoutRecords(given.failures) } : given;
  const allowed = jobs.filter(({ changes }) => !(changes && isReadOnly));
  const loops = new Map(allowed.map((job) => [job.name, createLoop(job, needs)]));
  return {
    name: "jobs",
    async start() {
      for (const loop of loops.values()) loop.start();
      const awaited = allowed.filter(({ isAwaited }) => isAwaited).map(({ name }) => loops.get(name)!.firstRun);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestStart);
      await Promise.race([Promise.all(awaited), late]);
      clearTimeout(timer);
    },
    wake: (name) => loops.get(name)?.wake(),
    /** Resolves when the items that are being worked on are done. */
    async stop() {
      await Promise.all(Array.from(loops.values(), (loop) => loop.stop()));
    },
  };
}

function withoutRecords(failures: JobFailuresStore): JobFailuresStore {
  return { ...failures, record: async () => {}, remove: async () => {} };
}

type LoopNeeds = Omit<JobRunnerNeeds, "jobs" | "isReadOnly">;

function createLoop(job: Job, { withLease, onRun, ...needs }: LoopNeeds) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const firstRun = Promise.withResolvers<void>();
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** When the next run begins, and before when none may, as `performance.now()`. */
  let due = Number.POSITIVE_INFINITY;
  let earliest = 0;
  let ended = Number.NEGATIVE_INFINITY;
  let awakeUntil = Number.NEGATIVE_INFINITY;
  let failuresInRow = 0;
  /** Failures may be recorded, of this job by a server before this one. */
  let mayHaveFailures = true;

  async function pause(milliseconds: number): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const resting = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    await promise;
    clearTimeout(resting);
    signal.removeEventListener("abort", end);
  }

  /** Milliseconds to the next run; null for none. */
  async function run(): Promise<number | null> {
    const began = performance.now();
    const attempts = createAttempts(job.name, needs);
    let counted = 0;
    const report = (failure: unknown) => {
      const milliseconds = performance.now() - began;
      onRun({ job: job.name, milliseconds, done: attempts.done + counted, failedItems: attempts.failed, failure });
    };
    let isDone = true;
    const work = async () => {
      isDone = await job.run({
        context: needs.context,
        goOn: () => !signal.aborted && performance.now() - began < INTERVALS.round,
        pause,
        signal,
        attempt: attempts.attempt,
        count: (amount) => {
          counted += amount;
        },
      });
      if (isDone && !signal.aborted && (mayHaveFailures || job.lease !== undefined || attempts.failed > 0))
        mayHaveFailures = await attempts.finish();
    };
    try {
      await (job.lease === undefined ? work() : withLease(needs.context(), job.lease, work));
      failuresInRow = 0;
      report(null);
      return isDone ? intervalNow() : INTERVALS.rest;
    } catch (error) {
      const every = job.everyMilliseconds ?? 0;
      const first = job.retryMilliseconds ?? Math.min(every || INTERVALS.retry, INTERVALS.retry);
      const retry = Math.min(first * 2 ** failuresInRow++, Math.max(first, every, INTERVALS.longestRetry));
      mayHaveFailures = true;
      // What is cut off by the stop has not failed.
      if (!signal.aborted) await attempts.failRun(error, retry);
      report(signal.aborted ? null : error);
      earliest = performance.now() + first;
      return retry;
    } finally {
      if (job.restFactor !== undefined) {
        const now = performance.now();
        earliest = Math.max(earliest, now + job.restFactor * (now - began));
      }
    }
  }

  function intervalNow(): number | null {
    const again = job.woken?.again;
    return again !== undefined && performance.now() < awakeUntil ? again.everyMilliseconds : job.everyMilliseconds;
  }

  function begin(): void {
    timer = null;
    due = Number.POSITIVE_INFINITY;
    running = run().then((next) => {
      running = null;
      firstRun.resolve();
      ended = performance.now();
      schedule(Math.min(notTooOften(due), ended + (next ?? Number.POSITIVE_INFINITY)));
    });
  }

  /** When a job that is woken may run. */
  function notTooOften(at: number): number {
    return Math.max(at, ended + (job.woken?.again?.everyMilliseconds ?? 0));
  }

  /** The earlier of two times counts; what is asked for during a run comes after it. */
  function schedule(at: number): void {
    due = Math.max(Math.min(due, at), earliest);
    if (signal.aborted || running !== null || due === Number.POSITIVE_INFINITY) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, due - performance.now()));
    timer.unref?.();
  }

  return {
    firstRun: firstRun.promise,
    start: () => schedule(performance.now()),
    wake() {
      const now = performance.now();
      awakeUntil = now + (job.woken?.again?.forMilliseconds ?? 0);
      schedule(notTooOften(now + (job.woken?.afterMilliseconds ?? 0)));
    },
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      firstRun.resolve();
      await running;
    },
  };
}
