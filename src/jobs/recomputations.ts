// Runs recomputations of costs, slice by slice: at the start those that a kill cut off, then those that are asked for; every ten seconds it
// looks for what another server left.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";

/** Milliseconds. `rest`: ingestion has its turn. After failures in a row it is twice as long each time, from `firstRetry` to `lastRetry`. */
const INTERVALS = { rest: 5, between: 10_000, firstRetry: 1000, lastRetry: 60_000 };

interface RecomputationsJob {
  start(): void;
  /** One was asked for. */
  wake(): void;
  /** Resolves when a slice that runs has ended. */
  stop(): Promise<void>;
}

export function createRecomputationsJob(
  runSlice: (context: CallContext) => Promise<boolean>,
  context: () => CallContext,
  log: Logger,
): RecomputationsJob {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let stopped = true;
  /** In a row. */
  let failures = 0;

  async function slice(): Promise<void> {
    let next: number = INTERVALS.between;
    try {
      if (await runSlice(context())) next = INTERVALS.rest;
      failures = 0;
    } catch (error) {
      next = Math.min(INTERVALS.lastRetry, INTERVALS.firstRetry * 2 ** failures++);
      if (!stopped) log.warning("costs could not be recomputed", { reason: messageOf(error), retry_in_ms: next });
    }
    running = null;
    schedule(next);
  }

  function schedule(milliseconds: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (stopped || running !== null) return;
    timer = setTimeout(() => {
      timer = null;
      running = slice();
    }, milliseconds);
    timer.unref?.();
  }

  return {
    start() {
      stopped = false;
      schedule(0);
    },
    wake: () => schedule(0),
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
