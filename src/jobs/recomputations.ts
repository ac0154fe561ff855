// Runs recomputations of costs, slice by slice: at the start those that a kill cut off, then those that are asked for; every ten seconds it
// looks for what another server left.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";

/** Milliseconds. `rest`: ingestion has its turn. */
const INTERVALS = { rest: 5, between: 10_000 };

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

  async function slice(): Promise<void> {
    let hasMore = false;
    try {
      hasMore = await runSlice(context());
    } catch (error) {
      if (!stopped) log.warning("costs could not be recomputed", { reason: messageOf(error) });
    }
    running = null;
    schedule(hasMore ? INTERVALS.rest : INTERVALS.between);
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
