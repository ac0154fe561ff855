// Runs the jobs of the service: each by its own interval, one run at a time, and one server at a time where the job has a lease.
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { LifecyclePart } from "../kernel/lifecycle.ts";
import type { Logger } from "../kernel/logger.ts";
import type { LeaseName } from "../storage/lock-keys.ts";
import type { CallContext } from "../storage/storage.ts";
import { type Attempts, openAttempts, WHOLE_RUN } from "./attempts.ts";
import type { Job, WakeJob } from "./job.ts";
import type { JobFailuresStore } from "./job-failures.store.ts";
import type { WatchJob } from "./job-runs.ts";

/** Milliseconds. `round`: a run is asked to end after it. `rest`: before the next one where there is more to do. `retry`: before a job
 *  without an interval is tried again. */
const INTERVALS = { round: 15_000, rest: 200, retry: 60_000 };

interface JobRunnerNeeds {
  readonly jobs: readonly Job[];
  readonly failures: JobFailuresStore;
  /** Runs the work unless another server does. */
  readonly withLease: (context: CallContext, lease: LeaseName, work: () => Promise<void>) => Promise<boolean>;
  readonly context: () => CallContext;
  readonly watch: WatchJob;
  readonly clock: Clock;
  readonly log: Logger;
}

interface JobRunner extends LifecyclePart {
  readonly wake: WakeJob;
}

export function createJobRunner({ jobs, ...needs }: JobRunnerNeeds): JobRunner {
  const loops = new Map(jobs.map((job) => [job.name, createLoop(job, needs)]));
  return {
    name: "jobs",
    start() {
      for (const loop of loops.values()) loop.start();
    },
    wake: (name) => loops.get(name)?.wake(),
    /** Resolves when the items that are being worked on are done. */
    async stop() {
      await Promise.all(Array.from(loops.values(), (loop) => loop.stop()));
    },
  };
}

function createLoop(job: Job, { withLease, watch, ...needs }: Omit<JobRunnerNeeds, "jobs">) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let stopped = false;

  async function run(attempts: Attempts): Promise<boolean> {
    const end = performance.now() + INTERVALS.round;
    const goOn = () => !stopped && performance.now() < end;
    const isDone = await job.run({ context: needs.context, goOn, attempt: attempts.attempt });
    if (isDone && !stopped) await attempts.forgetOthers();
    return isDone;
  }

  /** Resolves to false when there is more to do at once. */
  async function runRecorded(): Promise<boolean> {
    let isDone = true;
    await watch(job.name, async () => {
      let attempts: Attempts | null = null;
      try {
        const opened = await openAttempts(job.name, needs);
        attempts = opened;
        const work = async () => {
          isDone = await run(opened);
        };
        await (job.lease === undefined ? work() : withLease(needs.context(), job.lease, work));
        return opened.done;
      } catch (error) {
        if (attempts !== null) await attempts.fail(WHOLE_RUN, error);
        else if (!stopped) needs.log.warning("a job failed", { job: job.name, reason: messageOf(error) });
        throw error;
      }
    });
    return isDone;
  }

  /** Resolves to the milliseconds until the next look; null for a job that is over. */
  async function look(): Promise<number | null> {
    wokenMeanwhile = false;
    try {
      if (!(await runRecorded()) || wokenMeanwhile) return INTERVALS.rest;
      return job.everyMilliseconds;
    } catch {
      return job.everyMilliseconds ?? INTERVALS.retry;
    }
  }

  function schedule(milliseconds: number | null): void {
    if (stopped || milliseconds === null) return;
    timer = setTimeout(() => {
      timer = null;
      running = look().then((rest) => {
        running = null;
        schedule(rest);
      });
    }, milliseconds);
    timer.unref?.();
  }

  return {
    start: () => schedule(0),
    wake() {
      wokenMeanwhile = true;
      if (timer === null) return;
      clearTimeout(timer);
      schedule(0);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
