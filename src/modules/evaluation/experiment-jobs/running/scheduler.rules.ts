// Shares the calls of a server between its jobs: the one that was served least recently comes next.

/** Runs one item. Never rejects. */
export type StartedWork = Promise<void>;

export interface WorkSource {
  /** Begins its next item; null while it has none, or has as many running as it may. */
  startNext(): StartedWork | null;
}

interface Scheduler {
  add(source: WorkSource): void;
  remove(source: WorkSource): void;
  /** Looks again at what can be started. */
  wake(): void;
  /** Starts nothing more. */
  close(): void;
}

/** `most` items run at once. */
export function createScheduler(most: number): Scheduler {
  /** Least recently served first. */
  const sources = new Set<WorkSource>();
  let running = 0;
  let isClosed = false;
  let isWaking = false;

  function startOne(): boolean {
    for (const source of sources) {
      const work = source.startNext();
      if (work === null) continue;
      sources.delete(source);
      sources.add(source);
      running++;
      void work.finally(() => {
        running--;
        wake();
      });
      return true;
    }
    return false;
  }

  /** What is woken together looks once. */
  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    queueMicrotask(() => {
      isWaking = false;
      while (!isClosed && running < most && startOne());
    });
  }

  return {
    add(source) {
      sources.add(source);
      wake();
    },
    remove: (source) => void sources.delete(source),
    wake,
    close() {
      isClosed = true;
    },
  };
}
