// For how long nothing could be stored although there was something to store.

/** Senders that were refused come back sooner than this. Where none does, nothing waits any more: a balancer that sends no requests
 *  to a server which is not ready must find it ready again. */
const FORGET_MILLISECONDS = 30_000;

interface Stall {
  began(): void;
  /** What began has ended; `isBlocked` when the database could not store it for now. */
  ended(isBlocked: boolean): void;
  progressed(): void;
  readonly milliseconds: number;
}

export function createStall(now: () => number = () => performance.now()): Stall {
  let waiting = 0;
  let since: number | null = null;
  let lastBlocked = -Infinity;

  function progressed(): void {
    since = waiting > 0 ? now() : null;
  }

  return {
    began() {
      waiting++;
      since ??= now();
    },
    ended(isBlocked) {
      waiting--;
      if (isBlocked) lastBlocked = now();
      else progressed();
    },
    progressed,
    get milliseconds() {
      if (waiting === 0 && now() - lastBlocked > FORGET_MILLISECONDS) since = null;
      return since === null ? 0 : now() - since;
    },
  };
}
