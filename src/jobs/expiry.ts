// Removes what has expired: tokens, keys, failed sign-ins that are long ago. Every server does it; the second one finds
// nothing. Nothing depends on it but the size of the tables: an expired row opens nothing.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";

interface ExpiryJob {
  start(): void;
  /** Resolves when a sweep that runs has ended. */
  stop(): Promise<void>;
}

/** An expired key leaves the lists within this time. */
const EVERY_MILLISECONDS = 10_000;

export function createExpiryJob(sweep: () => Promise<void>, log: Logger): ExpiryJob {
  let timer: ReturnType<typeof setInterval> | null = null;
  let running: Promise<void> | null = null;

  function run(): void {
    running ??= sweep()
      .catch((error) => log.warning("expired rows could not be removed", { reason: messageOf(error) }))
      .finally(() => {
        running = null;
      });
  }

  return {
    start() {
      timer ??= setInterval(run, EVERY_MILLISECONDS);
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await running;
    },
  };
}
