// Why a slow read was stopped: the same failures on both databases.
import { type Failure, fail } from "../kernel/failure.ts";

/** When a read must end: milliseconds of `performance.now()`, and a signal that is aborted when the client goes away. */
export interface ReadLimits {
  readonly deadline: number;
  readonly signal: AbortSignal | null;
}

/** Code of the failure of a read that was stopped at its deadline. */
export const DEADLINE = "storage.deadline";

/** The query was stopped because its time was over; the caller should ask for less. */
export function deadlinePassed(cause?: unknown): Failure {
  return fail(
    DEADLINE,
    "unavailable",
    "The query took too long and was stopped: narrow the time range or the filters",
    { retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) },
  );
}

/** The database stopped a statement by itself, before its time was over: a limit that was set there, or an administrator. `reason`
 *  is what it says. */
export function stoppedByDatabase(reason: string, cause: unknown): Failure {
  return fail(
    "storage.stopped_by_database",
    "unavailable",
    `The database stopped the query by itself: ${reason}. Ask for less, or raise statement_timeout in the database for the user of this server`,
    { retryAfterSeconds: 1, cause },
  );
}

/** The query never began: others that take long were before it. */
export function waitedTooLong(): Failure {
  return fail(DEADLINE, "unavailable", `${BUSY}: this one waited until its time was over`, {
    retryAfterSeconds: BUSY_SECONDS,
    hint: { waited: true },
  });
}

/** The query was refused at once: as many as may wait do. */
export function tooManyWaiting(): Failure {
  return fail("storage.too_many_waiting", "unavailable", `${BUSY}: try again in a few seconds, or ask for less`, {
    retryAfterSeconds: BUSY_SECONDS,
  });
}

const BUSY = "Too many queries that take long are waiting";
const BUSY_SECONDS = 5;
/** Slow reads that wait for one of the few places: a page asks for some twenty at once; more are refused with a time to come
 *  back. */
export const MOST_WAITING = 100;

export function clientGone(): Failure {
  return fail("storage.client_gone", "unavailable", "The client went away before the query ended");
}

const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls `stop` once, with the reason, when the first limit is reached; `end` stops watching. */
export function watchLimits(
  limits: ReadLimits,
  stop: (reason: Failure) => void,
  late: () => Failure = deadlinePassed,
): { end(): void } {
  const gone = () => stopWith(clientGone());
  const milliseconds = Math.max(0, limits.deadline - performance.now());
  // A longer timer would fire at once.
  const timer = setTimeout(() => stopWith(late()), Math.min(milliseconds, LONGEST_TIMER));
  const end = () => {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", gone);
  };
  const stopWith = (reason: Failure) => {
    end();
    stop(reason);
  };
  limits.signal?.addEventListener("abort", gone, { once: true });
  // A signal that was aborted before fires no event.
  if (limits.signal?.aborted) queueMicrotask(gone);
  return { end };
}
