// One holder at a time, in order of asking: what guards the only writer of a SQLite file.

export interface Mutex {
  /** Resolves with the function that gives the lock back; calling it twice does nothing. */
  acquire(): Promise<() => void>;
  /** Runs `work` while holding the lock. */
  hold<Result>(work: () => Promise<Result> | Result): Promise<Result>;
  /** True while it is held or waited for. */
  readonly isHeld: boolean;
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  let holders = 0;
  const acquire = async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    holders++;
    void promise.then(() => void holders--);
    await before;
    return resolve;
  };
  return {
    acquire,
    async hold(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    get isHeld() {
      return holders > 0;
    },
  };
}
