// The jobs that this server runs: which it may run, and what others want of them.
import { randomUUID } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure, messageOf } from "../../../../kernel/failure.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { JobClaim } from "../experiment-jobs.schema.ts";
import type { Claimant, ClaimedJob, ExperimentJobsStore, WatchedJob } from "../experiment-jobs.store.ts";
import { EventQueue } from "./event-queue.rules.ts";
import type { JobEvent } from "./job-events.schema.ts";
import type { JobEnding, RunningJob } from "./running-job.service.ts";
import { createScheduler } from "./scheduler.rules.ts";

/** Of a server. */
const MOST_CALLS = 1000;
export const MOST_JOBS = 20;
/** Milliseconds. `valid`: a claim that is not renewed; a server stops starting calls so long before. `renew`: between two renewals.
 *  `orphans`: between two looks for jobs that no server runs. `drain`: what running calls get when the server stops. `end`: between two
 *  tries to write an ending. */
const INTERVALS = { valid: 15_000, margin: 3000, renew: 4000, orphans: 5000, drain: 10_000, end: 1000 };

/** How a job is made ready on this server. */
interface JobParts {
  readonly wake: () => void;
  readonly isHeld: () => boolean;
  readonly emit: (event: JobEvent) => void;
  readonly onEnd: (ending: JobEnding) => void;
}

interface Running {
  readonly job: RunningJob;
  readonly watchers: Set<EventQueue<JobEvent>>;
  readonly over: Promise<void>;
}

interface RunningJobsDependencies {
  readonly store: ExperimentJobsStore;
  /** Has a job that was claimed after its server was lost run here, or ends it where it cannot. */
  readonly resume: (claimed: ClaimedJob) => Promise<void>;
  readonly ownContext: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stops trying to write results while the database is away. */
  readonly giveUp: () => Promise<void>;
  /** A database with one server: claims of others are those of servers that have ended. */
  readonly isAlone: boolean;
}

export type RunningJobs = ReturnType<typeof createRunningJobs>;

export function createRunningJobs(dependencies: RunningJobsDependencies) {
  const { store, resume, giveUp, ownContext, log, isAlone } = dependencies;
  const claimant: Claimant = { server: randomUUID(), validUs: INTERVALS.valid * 1000 };
  const scheduler = createScheduler(MOST_CALLS);
  const running = new Map<number, Running>();
  let [renewedMs, lookedMs] = [performance.now(), Number.NEGATIVE_INFINITY];
  let isDraining = false;
  let drained: Promise<void> | null = null;
  let isAway = false;
  let isFirstLook = true;

  const isHeld = () => performance.now() - renewedMs < INTERVALS.valid - INTERVALS.margin;

  function run(id: number, make: (parts: JobParts) => RunningJob): void {
    const watchers = new Set<EventQueue<JobEvent>>();
    const over = Promise.withResolvers<void>();
    const emit = (event: JobEvent) => {
      for (const watcher of watchers) watcher.push(event);
    };
    const onEnd = (ending: JobEnding) => {
      scheduler.remove(job);
      void writeEnding(dependencies, isHeld, job.claim, ending).then(() => {
        running.delete(id);
        if (ending.type === "ended" && ending.message !== null) {
          emit({ type: "stopped", reason: ending.reason!, message: ending.message });
        }
        for (const watcher of watchers) watcher.end();
        over.resolve();
      });
    };
    const job = make({ wake: scheduler.wake, isHeld, emit, onEnd });
    running.set(id, { job, watchers, over: over.promise });
    // Claims are not renewed while nothing runs.
    if (running.size === 1) renewedMs = performance.now();
    scheduler.add(job);
  }

  async function watchOwn(): Promise<void> {
    if (running.size === 0) return;
    const nowMs = performance.now();
    if (nowMs - renewedMs > INTERVALS.renew) {
      await store.renew(ownContext(), claimant, [...running.keys()]);
      renewedMs = nowMs;
      scheduler.wake();
    }
    follow(running, await store.listHeld(ownContext(), claimant.server));
  }

  async function takeOrphans(): Promise<void> {
    if (performance.now() - lookedMs < INTERVALS.orphans || running.size >= MOST_JOBS) return;
    lookedMs = performance.now();
    if (isFirstLook && isAlone) await store.voidOtherClaims(ownContext(), claimant.server);
    isFirstLook = false;
    for (const id of await store.listUnclaimed(ownContext(), MOST_JOBS - running.size)) {
      if (isDraining) return;
      if (running.has(id)) continue;
      const claimed = await store.claim(ownContext(), id, claimant);
      if (claimed !== null) await resume(claimed);
    }
  }

  async function drain(): Promise<void> {
    isDraining = true;
    scheduler.close();
    const all = [...running.values()];
    for (const { job } of all) job.end({ type: "released" }, false);
    const over = Promise.all(all.map((each) => each.over));
    await Promise.race([over, Bun.sleep(INTERVALS.drain)]);
    for (const { job } of running.values()) job.end({ type: "released" }, true);
    await giveUp();
    await over;
  }

  return {
    claimant,
    /** True while this server runs as many jobs as it may. */
    isFull: () => isDraining || running.size >= MOST_JOBS,
    run,

    /** Events from now on; null where the job does not run here. `onLeave` is called when the reader leaves before the end. */
    watch(id: number, onLeave: () => void): EventQueue<JobEvent> | null {
      const found = running.get(id);
      return found === undefined ? null : addWatcher(found.watchers, onLeave);
    },

    /** Looks at the row of a job that was just stopped or paused. Of one that was stopped it resolves when its calls here have ended. */
    async settle(id: number, isPause: boolean): Promise<void> {
      const found = running.get(id);
      if (found === undefined) return;
      follow(running, await store.listHeld(ownContext(), claimant.server));
      if (!isPause) await Promise.race([found.over, Bun.sleep(INTERVALS.drain)]);
    },

    /** True where there is something to look at. */
    isDue: () => !isDraining && (running.size > 0 || performance.now() - lookedMs >= INTERVALS.orphans),

    /** Follows what others did to the jobs, and takes over those that no server runs. To be called every second. */
    async look(): Promise<void> {
      try {
        await watchOwn();
        await takeOrphans();
        isAway = false;
      } catch (error) {
        if (!(error instanceof Failure && error.kind === "unavailable")) throw error;
        if (!isAway) log.warning("experiments wait for the database", { reason: error.message });
        isAway = true;
      }
    },

    /** Starts no more calls, gives the running ones ten seconds, and leaves the jobs to the next server. May be called again. */
    drain: () => (drained ??= drain()),
  };
}

/** Ends what others have stopped, paused, deleted or taken over. */
function follow(running: ReadonlyMap<number, Running>, rows: readonly WatchedJob[]): void {
  const held = new Map(rows.map((row) => [row.claim.jobId, row]));
  for (const [id, { job }] of running) {
    const row = held.get(id);
    if (row?.claim.number !== job.claim.number || row.status !== "RUNNING") job.end({ type: "lost" }, true);
    else if (row.isPausing) {
      job.end({ type: "ended", status: "STOPPED", reason: "paused", message: null }, false);
    }
  }
}

/** While the database is away it is tried again, until another server could have taken the job over. */
async function writeEnding(
  { store, ownContext, clock, log }: RunningJobsDependencies,
  isHeld: () => boolean,
  claim: JobClaim,
  ending: JobEnding,
): Promise<void> {
  for (;;) {
    try {
      if (ending.type === "ended") await store.end(ownContext(), claim, { ...ending, nowUs: clock.now() });
      else await store.release(ownContext(), claim);
      return;
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "unavailable") || !isHeld()) {
        log.error("the end of an experiment could not be written", {
          experiment: claim.jobId,
          reason: messageOf(error),
        });
        return;
      }
      await Bun.sleep(INTERVALS.end);
    }
  }
}

function addWatcher(watchers: Set<EventQueue<JobEvent>>, onLeave: () => void): EventQueue<JobEvent> {
  const queue: EventQueue<JobEvent> = new EventQueue({
    subjectOf: (event) => ("exampleId" in event ? `${event.exampleId} ${event.repetition}` : ""),
    textOf: (event) => (event.type === "text" ? event.text : null),
    withText: (event, text) => ({ ...event, text }) as JobEvent,
    onLeave() {
      watchers.delete(queue);
      onLeave();
    },
  });
  watchers.add(queue);
  return queue;
}
