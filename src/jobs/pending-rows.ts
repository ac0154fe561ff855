// Applies pending rows, annotations and messages that came before their target: looks after spans were stored, every minute for
// those that another server stored, and drops each hour what has waited too long.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";

/** Milliseconds. `soon`: from stored spans to the look; `rest`: a look that took long is followed by a pause so many times as long;
 *  `drop`: between two looks for what is too old. */
const INTERVALS = { soon: 20, rest: 10, between: 60_000, drop: 3600_000 };

interface PendingRowsJob {
  start(): void;
  /** Spans were stored by this server. */
  wake(): void;
  /** Resolves when a look that runs has ended. */
  stop(): Promise<void>;
}

interface PendingRows {
  apply(context: CallContext): Promise<number>;
  dropOld(context: CallContext): Promise<number>;
}

/** `what` is what is pending, for the log. */
export function createPendingRowsJob(
  what: string,
  pending: PendingRows,
  context: () => CallContext,
  log: Logger,
  intervals = INTERVALS,
): PendingRowsJob {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let due = Number.POSITIVE_INFINITY;
  let earliest = 0;
  let lastDrop = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  let stopped = false;

  async function look(): Promise<void> {
    const began = performance.now();
    try {
      const applied = await pending.apply(context());
      if (applied > 0) log.debug(`${what} found their targets`, { [what]: applied });
      if (began - lastDrop >= intervals.drop) {
        lastDrop = began;
        const dropped = await pending.dropOld(context());
        if (dropped > 0) log.warning(`dropped ${what} whose target never came`, { [what]: dropped });
      }
    } catch (error) {
      if (!stopped) log.warning(`${what} that wait could not be looked at`, { reason: messageOf(error) });
    }
    const ended = performance.now();
    earliest = ended + intervals.rest * (ended - began);
  }

  function schedule(milliseconds: number): void {
    const at = Math.max(performance.now() + milliseconds, earliest);
    if (stopped || running !== null || at >= due) {
      // While one runs, what it may have missed is looked for after it.
      if (running !== null) due = Math.min(due, at);
      return;
    }
    if (timer !== null) clearTimeout(timer);
    due = at;
    timer = setTimeout(run, Math.max(0, at - performance.now()));
    timer.unref?.();
  }

  function run(): void {
    timer = null;
    due = Number.POSITIVE_INFINITY;
    running = look().finally(() => {
      running = null;
      const next = Math.min(due, performance.now() + intervals.between);
      due = Number.POSITIVE_INFINITY;
      schedule(next - performance.now());
    });
  }

  return {
    start: () => schedule(0),
    wake: () => schedule(intervals.soon),
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
