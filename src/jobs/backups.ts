// Makes a copy of the database every so many hours, and keeps the newest ones. A copy that fails is tried again within the hour, and the
// older ones stay.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";

/** Milliseconds between two looks, and between two tries after a failure. */
const INTERVALS = { between: 60_000, retry: 3_600_000 };
const HOUR_US = 3_600_000_000;
/** Folders of backups are private, as the files are. */
const PRIVATE = 0o700;
/** The time of the copy in UTC: nothing else in the folder is touched. */
const NAME = /^spanlight-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;

interface BackupPlan {
  readonly directory: string;
  readonly everyHours: number;
  readonly kept: number;
}

interface BackupsJob {
  start(): void;
  /** Resolves when a copy that is being made has been given up. */
  stop(): Promise<void>;
}

/** `make` writes a checked copy under the name, or fails and leaves none; the signal gives it up. */
export function createBackupsJob(
  plan: BackupPlan,
  make: (target: string, signal: AbortSignal) => Promise<void>,
  clock: Clock,
  log: Logger,
  intervals = INTERVALS,
): BackupsJob {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Resolves to the milliseconds until the next look. */
  async function look(): Promise<number> {
    try {
      mkdirSync(plan.directory, { recursive: true, mode: PRIVATE });
      const newestUs = timeOf(copiesIn(plan.directory).at(-1) ?? "") ?? Number.NEGATIVE_INFINITY;
      if (clock.now() - newestUs < plan.everyHours * HOUR_US) return intervals.between;
      const target = join(plan.directory, nameAt(clock.now()));
      const began = performance.now();
      await make(target, signal);
      const seconds = Math.round(performance.now() - began) / 1000;
      const removed = removeOld(plan);
      log.info("the database was backed up", { file: target, seconds, removed });
      return intervals.between;
    } catch (error) {
      if (!signal.aborted) log.error("the database could not be backed up", { reason: messageOf(error) });
      return intervals.retry;
    }
  }

  function schedule(milliseconds: number): void {
    if (signal.aborted) return;
    timer = setTimeout(() => {
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
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** The oldest first. */
function copiesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => NAME.test(name))
    .sort();
}

function removeOld({ directory, kept }: BackupPlan): number {
  const old = copiesIn(directory).slice(0, -kept);
  for (const name of old) rmSync(join(directory, name), { force: true });
  return old.length;
}

function nameAt(nowUs: number): string {
  return `spanlight-${new Date(nowUs / 1000).toISOString().replace(/[-:]|\.\d+/g, "")}.backup`;
}

/** Microseconds; null for another name. */
function timeOf(name: string): number | null {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (second === undefined) return null;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) * 1000;
}
