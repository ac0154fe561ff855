// Watches how full the database is against the capacity that the operator allotted. Above one threshold, routes that add data
// answer 507 until usage has fallen; above another, administrators are warned.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Storage } from "../storage/storage.ts";

const INTERVAL_MILLISECONDS = 60_000;
const GIBIBYTE = 1024 ** 3;

export interface StorageLimits {
  readonly capacityGibibytes: number | null;
  /** Percent of the capacity above which nothing is added; null and 0 never block. */
  readonly blockingPercentage: number | null;
  /** Percent above which administrators are warned; null and 0 never warn. */
  readonly mailPercentage: number | null;
}

export interface MeasuredUsage {
  readonly usedBytes: number;
  readonly capacityBytes: number;
  /** Percent that was exceeded. */
  readonly threshold: number;
}

export interface StorageGuard {
  /** Measures once; then every minute if there is a limit at all. */
  start(): Promise<void>;
  readonly isLocked: () => boolean;
  stop(): void;
}

/** Null where nothing is allotted. */
export function capacityBytesOf({ capacityGibibytes }: StorageLimits): number | null {
  return capacityGibibytes === null ? null : capacityGibibytes * GIBIBYTE;
}

/** `warn` is called with every measurement above the threshold of warnings; null when no mail can be sent. */
export function createStorageGuard(
  storage: Pick<Storage, "usedBytes">,
  limits: StorageLimits,
  log: Logger,
  warn: ((usage: MeasuredUsage) => Promise<void>) | null = null,
): StorageGuard {
  const { capacityGibibytes } = limits;
  const blocking = limits.blockingPercentage || null;
  const warning = warn === null ? null : limits.mailPercentage || null;
  const capacityBytes = capacityBytesOf(limits) ?? 0;
  let locked = false;
  let timer: ReturnType<typeof setInterval> | null = null;
  let warningRuns = false;

  async function measure(): Promise<void> {
    let usedBytes: number;
    try {
      usedBytes = await storage.usedBytes();
    } catch (error) {
      log.warning("the size of the database could not be measured", { reason: messageOf(error) });
      return;
    }
    const percentage = (usedBytes / capacityBytes) * 100;
    if (blocking !== null) lock(percentage, blocking);
    if (warning !== null && percentage > warning) void warnOnce({ usedBytes, capacityBytes, threshold: warning });
  }

  function lock(percentage: number, threshold: number): void {
    const full = percentage > threshold;
    if (full !== locked) {
      const fields = { percent_used: Math.round(percentage * 10) / 10, percent_allowed: threshold };
      if (full) log.warning("the database is fuller than allowed: nothing is added until it shrinks", fields);
      else log.info("the database is below its limit again", fields);
    }
    locked = full;
  }

  /** Not waited for: a mail server that is slow delays no start and no measurement. */
  async function warnOnce(usage: MeasuredUsage): Promise<void> {
    if (warningRuns || warn === null) return;
    warningRuns = true;
    await warn(usage).catch((error) => {
      log.warning("administrators could not be warned that the database fills up", { reason: messageOf(error) });
    });
    warningRuns = false;
  }

  return {
    async start() {
      if (capacityGibibytes === null || (blocking === null && warning === null)) return;
      await measure();
      timer = setInterval(() => void measure(), INTERVAL_MILLISECONDS);
    },
    isLocked: () => locked,
    stop() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
