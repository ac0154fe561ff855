// Clears what uploads have left that nobody goes on with: at the start, and every hour what servers that died since have left.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";

const HOUR_MS = 3_600_000;

interface LeftUploads {
  sweepAtStart(context: CallContext): Promise<void>;
  sweep(context: CallContext): Promise<void>;
}

export function createLeftUploadsJob(
  uploads: LeftUploads,
  context: () => CallContext,
  log: Logger,
  betweenMilliseconds = HOUR_MS,
) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = uploads
        .sweep(context())
        .catch((error) => {
          if (!stopped) log.warning("what uploads have left could not be cleared", { reason: messageOf(error) });
        })
        .then(schedule);
    }, betweenMilliseconds);
    timer.unref?.();
  }

  return {
    async start(): Promise<void> {
      await uploads.sweepAtStart(context());
      schedule();
    },
    /** Resolves when a sweep that runs has ended. */
    async stop(): Promise<void> {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
