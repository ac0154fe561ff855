// Keeps the items of a job apart: one that fails is recorded and waits, longer after each failure, while the others are done.
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";
import type { JobFailure, JobFailuresStore } from "./job-failures.store.ts";

/** Microseconds that an item waits after its first failure. Doubled by each further one, up to the longest. */
const FIRST_WAIT_US = 60_000_000;
const LONGEST_WAIT_US = 3_600_000_000;
/** Characters of a reason that are kept. */
const REASON_LENGTH = 1000;
/** The item that stands for a whole run. */
export const WHOLE_RUN = "";

interface AttemptsNeeds {
  readonly failures: JobFailuresStore;
  readonly context: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Attempts {
  attempt(item: string, work: () => Promise<void>): Promise<boolean>;
  /** Records a failure of the item, and says so in the log. */
  fail(item: string, error: unknown): Promise<void>;
  /** Forgets failures of items that were not attempted: they are gone. Only after a run that went through all items. */
  forgetOthers(): Promise<void>;
  /** Items that were done. */
  readonly done: number;
}

/** Of one run. Reads the failures of earlier runs, also of other servers. */
export async function openAttempts(job: string, { failures, context, clock, log }: AttemptsNeeds): Promise<Attempts> {
  const known = new Map<string, JobFailure>();
  for (const failure of await failures.list(context(), job)) known.set(failure.item, failure);
  const attempted = new Set<string>();
  let done = 0;

  async function fail(item: string, error: unknown): Promise<void> {
    const before = known.get(item);
    const lastUs = clock.now();
    const attempts = (before?.attempts ?? 0) + 1;
    const waitUs = Math.min(FIRST_WAIT_US * 2 ** (attempts - 1), LONGEST_WAIT_US);
    const reason = messageOf(error).slice(0, REASON_LENGTH);
    log.warning("a job failed", { job, ...(item === WHOLE_RUN ? {} : { item }), attempts, reason });
    const failure = {
      job,
      item,
      reason,
      attempts,
      firstUs: before?.firstUs ?? lastUs,
      lastUs,
      retryUs: lastUs + waitUs,
    };
    known.set(item, failure);
    attempted.add(item);
    // A database that is away cannot take it. The log has it.
    await failures.record(context(), failure).catch(() => {});
  }

  return {
    fail,
    get done() {
      return done;
    },
    async attempt(item, work) {
      attempted.add(item);
      const before = known.get(item);
      if (before !== undefined && clock.now() < before.retryUs) return false;
      try {
        await work();
      } catch (error) {
        await fail(item, error);
        return false;
      }
      done++;
      if (before !== undefined) await failures.remove(context(), job, [item]);
      known.delete(item);
      return true;
    },
    async forgetOthers() {
      const gone = [...known.keys()].filter((item) => !attempted.has(item));
      if (gone.length > 0) await failures.remove(context(), job, gone);
    },
  };
}
