// Work on the main thread in slices: after some milliseconds everything else of the process goes first.

/** A slice at most; what is done between two looks at the clock comes on top. */
const SLICE_MILLISECONDS = 10;

export interface TimeSlices {
  /** Null while the slice goes on, else the beginning of the next one. */
  next(): Promise<void> | null;
}

/** The slices of one request. The first begins now. */
export function createTimeSlices(): TimeSlices {
  let beganMs = performance.now();
  let waiting: Promise<void> | null = null;
  const isOver = () => performance.now() - beganMs >= SLICE_MILLISECONDS;

  /** Many may wait for the same slice: what finds it used up by others waits again. */
  async function wait(): Promise<void> {
    do {
      waiting ??= new Promise((resolve) => {
        setImmediate(() => {
          beganMs = performance.now();
          waiting = null;
          resolve();
        });
      });
      await waiting;
    } while (isOver());
  }

  return { next: () => (isOver() ? wait() : null) };
}
