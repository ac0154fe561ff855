// Looks every minute whether a retention policy is due, and serves it in rounds that end soon, so that a stop need not wait.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";

/** Milliseconds between two looks, of a round, and between two rounds. */
const INTERVALS = { between: 60_000, round: 15_000, rest: 200 };

interface RetentionJob {
  start(): void;
  /** A sweep was asked for. */
  wake(): void;
  /** Resolves when the traces that are being deleted are gone. */
  stop(): Promise<void>;
}

/** `serve` resolves to true when nothing is left to do now. */
export function createRetentionJob(
  serve: (goOn: () => boolean) => Promise<boolean>,
  log: Logger,
  intervals = INTERVALS,
): RetentionJob {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let stopped = false;

  async function look(): Promise<number> {
    const end = performance.now() + intervals.round;
    try {
      return (await serve(() => !stopped && performance.now() < end)) ? intervals.between : intervals.rest;
    } catch (error) {
      if (!stopped) log.warning("old traces could not be deleted", { reason: messageOf(error) });
      return intervals.between;
    }
  }

  function schedule(milliseconds: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      timer = null;
      running = look().then((rest) => {
        running = null;
        schedule(rest);
      });
    }, milliseconds);
    timer.unref?.();
  }

  return {
    start() {
      schedule(0);
    },
    wake() {
      // One that runs looks again by itself, at the latest a minute later.
      if (timer === null) return;
      clearTimeout(timer);
      schedule(0);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
