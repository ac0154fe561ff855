// Watches how full the database is against the capacity that the operator allotted, and how much of the disk is free. Above one
// threshold, or below the free space, routes that add data answer 507 until space is free; above another threshold, administrators are
// warned.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Job } from "./job.ts";

const MINUTE_MS = 60_000;
const GIBIBYTE = 1024 ** 3;
/** Between two measurements that are asked for. */
const LEAST_MILLISECONDS = 1000;

export interface StorageLimits {
  readonly capacityGibibytes: number | null;
  /** Percent of the capacity above which nothing is added; null and 0 never block. */
  readonly blockingPercentage: number | null;
  /** Percent above which administrators are warned; null and 0 never warn. */
  readonly mailPercentage: number | null;
  /** Free bytes of the disk below which nothing is added; 0 never blocks. */
  readonly minimumFreeBytes: number;
}

/** What is measured. */
interface MeasuredStorage {
  usedBytes(): Promise<number>;
  /** Of the disk that the database lies on; null where that is another machine's. */
  freeBytes(): Promise<number | null>;
}

export interface MeasuredUsage {
  readonly usedBytes: number;
  readonly capacityBytes: number;
  /** Percent that was exceeded. */
  readonly threshold: number;
}

export interface StorageGuard {
  /** Measures for the first time, if there is a limit at all. */
  start(): Promise<void>;
  readonly isLocked: () => boolean;
  /** Measures again if there is a limit, at most once a second: for what adds much in less than a minute. */
  look(): Promise<void>;
  /** Measures every minute; null where there is no limit. */
  readonly job: Job | null;
}

/** Null where nothing is allotted. */
export function capacityBytesOf({ capacityGibibytes }: Pick<StorageLimits, "capacityGibibytes">): number | null {
  return capacityGibibytes === null ? null : capacityGibibytes * GIBIBYTE;
}

/** `warn` is called with every measurement above the threshold of warnings; null when no mail can be sent. */
export function createStorageGuard(
  storage: MeasuredStorage,
  limits: StorageLimits,
  log: Logger,
  warn: ((usage: MeasuredUsage) => Promise<void>) | null = null,
): StorageGuard {
  const { capacityGibibytes, minimumFreeBytes } = limits;
  const isAllotted = capacityGibibytes !== null;
  const blocking = isAllotted ? limits.blockingPercentage || null : null;
  const warning = isAllotted && warn !== null ? limits.mailPercentage || null : null;
  const capacityBytes = capacityBytesOf(limits) ?? 0;
  const isLimited = blocking !== null || warning !== null || minimumFreeBytes > 0;
  const locks = { usage: false, disk: false };
  let warningRuns = false;
  let measuredAt = Number.NEGATIVE_INFINITY;

  async function measure(): Promise<void> {
    measuredAt = performance.now();
    if (minimumFreeBytes > 0) await measureDisk();
    if (blocking !== null || warning !== null) await measureUsage();
  }

  const isDue = () => performance.now() - measuredAt >= LEAST_MILLISECONDS;

  async function look(): Promise<void> {
    if (!isLimited || !isDue()) return;
    await measure().catch((error) => {
      log.warning("the size of the database could not be measured", { reason: messageOf(error) });
    });
  }

  const job: Job = {
    name: "storage-guard",
    changes: false,
    everyMilliseconds: MINUTE_MS,
    async run() {
      if (isDue()) await measure();
      return true;
    },
  };

  async function measureDisk(): Promise<void> {
    const freeBytes = await storage.freeBytes();
    const isFull = freeBytes !== null && freeBytes < minimumFreeBytes;
    const fields = { free_bytes: freeBytes, minimum_bytes: minimumFreeBytes };
    if (isFull && !locks.disk)
      log.warning("the disk of the database is nearly full: nothing is added until space is free", fields);
    if (!isFull && locks.disk) log.info("the disk of the database has free space again", fields);
    locks.disk = isFull;
  }

  async function measureUsage(): Promise<void> {
    const usedBytes = await storage.usedBytes();
    const percentage = (usedBytes / capacityBytes) * 100;
    if (blocking !== null) lock(percentage, blocking);
    if (warning !== null && percentage > warning) void warnOnce({ usedBytes, capacityBytes, threshold: warning });
  }

  function lock(percentage: number, threshold: number): void {
    const full = percentage > threshold;
    if (full !== locks.usage) {
      const fields = { percent_used: Math.round(percentage * 10) / 10, percent_allowed: threshold };
      if (full) log.warning("the database is fuller than allowed: nothing is added until it shrinks", fields);
      else log.info("the database is below its limit again", fields);
    }
    locks.usage = full;
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

  return { start: look, isLocked: () => locks.usage || locks.disk, look, job: isLimited ? job : null };
}
