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
const WHOLE_RUN = "";

interface AttemptsNeeds {
  readonly failures: JobFailuresStore;
  readonly context: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Attempts {
  attempt(item: string, work: () => Promise<void>): Promise<boolean>;
  /** Records that the whole run failed, and logs it. It is tried again after so many milliseconds. */
  failRun(error: unknown, retryMilliseconds: number): Promise<void>;
  /** After a run that went through all items: forgets failures of those that were not attempted, which are gone, and of the run.
   *  Resolves to whether any failure is left. */
  finish(): Promise<boolean>;
  /** Items that were done, and that failed. */
  readonly done: number;
  readonly failed: number;
}

/** Of one run. Failures of earlier runs, also by other servers, are read when they matter. */
export function createAttempts(job: string, { failures, context, clock, log }: AttemptsNeeds): Attempts {
  let reading: Promise<Map<string, JobFailure>> | null = null;
  const known = () => {
    reading ??= failures.list(context(), job).then((found) => new Map(found.map((failure) => [failure.item, failure])));
    return reading;
  };
  const attempted = new Set<string>();
  let done = 0;
  let failed = 0;

  async function record(item: string, error: unknown, waitUs: (attempts: number) => number): Promise<void> {
    // A database that is away can neither tell what is known nor take what is new. The log has it.
    const before = (await known().catch(() => new Map<string, JobFailure>())).get(item);
    const lastUs = clock.now();
    const attempts = (before?.attempts ?? 0) + 1;
    const reason = messageOf(error).slice(0, REASON_LENGTH);
    log.warning("a job failed", { job, ...(item === WHOLE_RUN ? {} : { item }), attempts, reason });
    const times = { firstUs: before?.firstUs ?? lastUs, lastUs, retryUs: lastUs + waitUs(attempts) };
    attempted.add(item);
    await failures.record(context(), { job, item, reason, attempts, ...times }).catch(() => {});
  }

  return {
    get done() {
      return done;
    },
    get failed() {
      return failed;
    },
    async attempt(item, work) {
      attempted.add(item);
      const before = (await known()).get(item);
      if (before !== undefined && clock.now() < before.retryUs) return false;
      try {
        await work();
      } catch (error) {
        failed++;
        await record(item, error, (attempts) => Math.min(FIRST_WAIT_US * 2 ** (attempts - 1), LONGEST_WAIT_US));
        return false;
      }
      done++;
      if (before !== undefined) {
        await failures.remove(context(), job, [item]);
        (await known()).delete(item);
      }
      return true;
    },
    failRun: (error, retryMilliseconds) => record(WHOLE_RUN, error, () => retryMilliseconds * 1000),
    async finish() {
      const items = [...(await known()).keys()];
      const gone = items.filter((item) => !attempted.has(item));
      if (gone.length > 0) await failures.remove(context(), job, gone);
      return failed > 0 || items.length > gone.length;
    },
  };
}
