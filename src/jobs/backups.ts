// Makes a copy of the database every so many hours, and keeps the newest ones. A copy that fails is tried again within the hour, and the
// older ones stay.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Job, JobContext } from "./job.ts";

/** Milliseconds between two looks, and between two tries after a failure. */
const LOOKS = { between: 60_000, retry: 3_600_000 };
const HOUR_US = 3_600_000_000;
/** Folders of backups are private, as the files are. */
const PRIVATE = 0o700;
/** The identity of the database and the time of the copy in UTC. */
const NAME = /^spanlight-([\da-f]{8})-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;
/** What earlier versions made: of which database, no name tells. */
const NAME_WITHOUT_IDENTITY = /^spanlight-\d{8}T\d{6}Z\.backup$/;

/** The last copy could not be made, or one in the folder is of a time to come. */
export const backupTroubles = ["FAILED", "DATED_AHEAD"] as const;
export type BackupTrouble = (typeof backupTroubles)[number];

interface BackupPlan {
  readonly directory: string;
  readonly everyHours: number;
  readonly kept: number;
}

export interface Backups {
  /** Null while all is well; the log says more. */
  trouble(): BackupTrouble | null;
  /** A copy that is being made at the stop is given up. */
  readonly job: Job;
}

interface CopyMaker {
  /** Eight hexadecimal digits: several services may share a folder, and each counts and removes its own copies only. */
  identify(): Promise<string>;
  /** Writes a checked copy under the name, or fails and leaves none; the signal gives it up. */
  make(target: string, signal: AbortSignal): Promise<void>;
}

export function createBackups(
  plan: BackupPlan,
  { identify, make }: CopyMaker,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Backups {
  let hasFailed = false;
  let ahead: string | null = null;
  let tellsOfUnknown = true;

  async function backUpIfDue({ signal, count }: Pick<JobContext, "signal" | "count">): Promise<void> {
    mkdirSync(plan.directory, { recursive: true, mode: PRIVATE });
    const identity = await identify();
    const nowUs = clock.now();
    const copies = copiesOf(plan.directory, identity);
    const past = copies.filter((name) => timeOf(name) <= nowUs);
    noteAhead(copies.at(past.length) ?? null);
    noteUnknown();
    const newestUs = past.length === 0 ? Number.NEGATIVE_INFINITY : timeOf(past.at(-1)!);
    if (nowUs - newestUs < plan.everyHours * HOUR_US) return;
    const name = nameAt(identity, nowUs);
    const target = join(plan.directory, name);
    const began = performance.now();
    await make(target, signal);
    hasFailed = false;
    count(1);
    const seconds = Math.round(performance.now() - began) / 1000;
    const old = [...past, name].slice(0, -plan.kept);
    for (const one of old) rmSync(join(plan.directory, one), { force: true });
    log.info("the database was backed up", { file: target, seconds, removed: old.length });
  }

  /** Copies are made beside one of a time to come, which is neither counted nor removed until then. */
  function noteAhead(name: string | null): void {
    if (name !== null && name !== ahead) {
      log.warning("a backup is dated in the future: it is not counted; set the clock right, or remove it", {
        file: join(plan.directory, name),
      });
    }
    ahead = name;
  }

  function noteUnknown(): void {
    if (!tellsOfUnknown) return;
    tellsOfUnknown = false;
    const files = readdirSync(plan.directory).filter((name) => NAME_WITHOUT_IDENTITY.test(name)).length;
    if (files > 0) log.warning("backups of earlier versions are left alone: remove them by hand", { files });
  }

  return {
    trouble() {
      if (hasFailed) return "FAILED";
      return ahead === null ? null : "DATED_AHEAD";
    },
    job: {
      name: "backup",
      // It removes old copies, and where nothing changes there is nothing new to copy.
      changes: true,
      everyMilliseconds: LOOKS.between,
      retryMilliseconds: LOOKS.retry,
      async run(run) {
        try {
          await backUpIfDue(run);
        } catch (error) {
          if (!run.signal.aborted) {
            hasFailed = true;
            log.error("the database could not be backed up", { reason: messageOf(error) });
          }
          throw error;
        }
        return true;
      },
    },
  };
}

/** The oldest first. */
function copiesOf(directory: string, identity: string): string[] {
  return readdirSync(directory)
    .filter((name) => NAME.exec(name)?.[1] === identity)
    .sort();
}

function nameAt(identity: string, nowUs: number): string {
  return `spanlight-${identity}-${new Date(nowUs / 1000).toISOString().replace(/[-:]|\.\d+/g, "")}.backup`;
}

/** Microseconds, of a name of a copy. */
function timeOf(name: string): number {
  const [, , year, month, day, hour, minute, second] = NAME.exec(name)!;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) * 1000;
}
