// Watches how full the database is against the capacity that the operator allotted. Above the threshold, routes that add
// data answer 507 until usage has fallen (`ingestion.md` 16).
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Storage } from "../storage/storage.ts";

const INTERVAL_MILLISECONDS = 60_000;
const GIBIBYTE = 1024 ** 3;

export interface StorageLimits {
  readonly capacityGibibytes: number | null;
  /** Percent of the capacity above which nothing is added; null and 0 never block. */
  readonly blockingPercentage: number | null;
}

export interface StorageGuard {
  /** Measures once; then every minute if there is a limit at all. */
  start(): Promise<void>;
  readonly isLocked: () => boolean;
  stop(): void;
}

export function createStorageGuard(storage: Storage, limits: StorageLimits, log: Logger): StorageGuard {
  const { capacityGibibytes, blockingPercentage } = limits;
  let locked = false;
  let timer: ReturnType<typeof setInterval> | null = null;

  async function measure(capacity: number, threshold: number): Promise<void> {
    try {
      const percentage = ((await storage.usedBytes()) / (capacity * GIBIBYTE)) * 100;
      const full = percentage > threshold;
      if (full !== locked) {
        const fields = { percent_used: Math.round(percentage * 10) / 10, percent_allowed: threshold };
        if (full) log.warning("the database is fuller than allowed: nothing is added until it shrinks", fields);
        else log.info("the database is below its limit again", fields);
      }
      locked = full;
    } catch (error) {
      log.warning("the size of the database could not be measured", { reason: messageOf(error) });
    }
  }

  return {
    async start() {
      if (capacityGibibytes === null || !blockingPercentage) return;
      await measure(capacityGibibytes, blockingPercentage);
      timer = setInterval(() => void measure(capacityGibibytes, blockingPercentage), INTERVAL_MILLISECONDS);
    },
    isLocked: () => locked,
    stop() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
