// Part of the composition root: the jobs of the server itself, each with what it needs, and the runner of all.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { type Backups, createBackups } from "../jobs/backups.ts";
import { blocksJob } from "../jobs/blocks.ts";
import type { Job, JobRun } from "../jobs/job.ts";
import { createJobFailuresStore } from "../jobs/job-failures.store.ts";
import { createJobRunner } from "../jobs/runner.ts";
import { statisticsJob } from "../jobs/statistics.ts";
import { traceSumsJob } from "../jobs/trace-sums.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { createCommitWatermark } from "../storage/commit-watermark.ts";
import { withLease } from "../storage/lease.ts";
import type { StorageLocation } from "../storage/location.ts";
import { ensureDatabaseIdentity } from "../storage/sqlite/database-identity.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import { createBlocksService } from "../summaries/blocks/blocks.service.ts";
import { createBlocksStore } from "../summaries/blocks/blocks.store.ts";
import type { RollupsService } from "../summaries/rollups/rollups.service.ts";
import { type BlockWorker, backupProcess } from "../threads.ts";
import type { Composition } from "./compose.ts";
import type { SignIns } from "./sign-ins.ts";

/** Null for PostgreSQL, whose disk is another machine's, and in memory. */
export async function freeBytesOf(location: StorageLocation): Promise<number | null> {
  if (location.kind === "postgres" || location.temporary) return null;
  const { bavail, bsize } = await statfs(dirname(location.path));
  return bavail * bsize;
}

/** Tokens, keys and failed sign-ins that are over. Nothing depends on it but the size of tables: an expired row opens nothing. */
function expiryJob(signIns: Pick<SignIns, "sweep">): Job {
  return {
    name: "expiry",
    changes: true,
    // An expired key leaves the lists within this time.
    everyMilliseconds: 10_000,
    async run() {
      await signIns.sweep();
      return true;
    },
  };
}

interface JobsNeeds {
  readonly storage: Storage;
  readonly features: Composition;
  readonly signIns: Pick<SignIns, "sweep">;
  readonly rollups: RollupsService;
  readonly blockWorker: BlockWorker;
  /** Of other parts; null where a part has none. */
  readonly others: readonly (Job | null)[];
  readonly config: Pick<Config, "run" | "authentication">;
  readonly onRun: (run: JobRun) => void;
  /** A context of the server itself. */
  readonly context: () => CallContext;
  readonly log: Logger;
}

/** The jobs of the features and of the server itself. */
export function createJobs(needs: JobsNeeds) {
  const { storage, features, signIns, rollups, blockWorker, config, context, onRun } = needs;
  const log = needs.log.named("jobs");
  const blocks = createBlocksService({
    store: createBlocksStore(storage),
    source: blockWorker.source,
    settled: createCommitWatermark(storage.dialect),
  });
  const jobs = [
    ...features.jobs,
    traceSumsJob(rollups),
    blocksJob(blocks, log),
    ...(storage.dialect.name === "postgres" ? [statisticsJob(storage.refreshStatistics, log)] : []),
    // While authentication is off, no key works: what was stored before stays as it is.
    ...(config.authentication.enabled ? [expiryJob(signIns)] : []),
    ...needs.others.filter((job) => job !== null),
  ];
  const runner = createJobRunner({
    jobs,
    isReadOnly: config.run.readOnly,
    failures: createJobFailuresStore(storage.dialect),
    withLease: (asking, lease, work) => withLease(storage, asking, lease, work),
    context,
    onRun,
    clock: systemClock,
    log,
  });
  return {
    ...runner,
    onSpansStored() {
      for (const { name, wokenBySpans } of jobs) if (wokenBySpans === true) runner.wake(name);
    },
    async stop() {
      const stopped = runner.stop();
      // A block that is being read is read again after the next start.
      await blockWorker.stop();
      await stopped;
    },
  };
}

interface BackupNeeds {
  readonly storage: Storage;
  readonly context: () => CallContext;
  readonly log: Logger;
}

/** Null where no folder is named, and where there is no file that others could not copy better. */
export function backupsOf(
  { backups: { directory, everyHours, kept } }: Pick<Config, "backups">,
  location: StorageLocation,
  { storage, context, log }: BackupNeeds,
): Backups | null {
  if (directory === null || location.kind === "postgres" || location.temporary) return null;
  const identify = () => ensureDatabaseIdentity(storage, context());
  return createBackups(
    { directory, everyHours, kept },
    { identify, make: backupProcess(location) },
    { clock: systemClock, log: log.named("backup") },
  );
}
