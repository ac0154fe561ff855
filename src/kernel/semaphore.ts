// A semaphore: so many holders at a time, in order of asking.

interface Semaphore {
  /** Runs `work` once there is a place for it; fails with the signal's reason when that aborts before. */
  take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function createSemaphore(most: number): Semaphore {
  let free = most;
  const waiting = new Set<() => void>();

  const give = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };

  function acquire(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      waiting.delete(begin);
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(begin);
      reject(signal.reason);
    };
    waiting.add(begin);
    signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  return {
    async take(signal, work) {
      signal.throwIfAborted();
      await acquire(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
