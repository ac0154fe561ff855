// Part of the composition root: the jobs behind ingestion, each with what it needs, and watched.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { type BackupsJob, createBackupsJob } from "../jobs/backups.ts";
import { type BlocksJob, createBlocksJob } from "../jobs/blocks.ts";
import type { Job } from "../jobs/job.ts";
import { createJobFailuresStore } from "../jobs/job-failures.store.ts";
import type { WatchJob } from "../jobs/job-runs.ts";
import { createPendingRowsJob } from "../jobs/pending-rows.ts";
import { createRollupsJob } from "../jobs/rollups.ts";
import { createJobRunner } from "../jobs/runner.ts";
import { createStatisticsJob } from "../jobs/statistics.ts";
import { systemClock } from "../kernel/clock.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { Logger } from "../kernel/logger.ts";
import { annotationsFeature } from "../modules/evaluation/annotations/annotations.feature.ts";
import { deletionFeature } from "../modules/tracing/deletion/deletion.feature.ts";
import { otlpFeature } from "../otlp/otlp.feature.ts";
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

interface JobsBehindNeeds {
  readonly storage: Storage;
  readonly rollups: RollupsService;
  readonly blockWorker: BlockWorker;
  readonly watchJob: WatchJob;
  /** A context of the server itself. */
  readonly context: () => CallContext;
  readonly log: Logger;
}

/** What ingestion wakes. */
export function createJobsBehind({ storage, rollups, blockWorker, watchJob, context, log }: JobsBehindNeeds) {
  const settlePending: RollupsService["settlePending"] = (...slice) =>
    watchJob("trace-sums", () => rollups.settlePending(...slice));
  const refreshStatistics = () => watchJob("statistics", storage.refreshStatistics);
  return {
    rollups: createRollupsJob({ settlePending }, context, log.named("rollups")),
    blocks: blocksPart(storage, blockWorker, watchJob, context, log.named("blocks")),
    statistics: createStatisticsJob(refreshStatistics, log.named("statistics")),
  };
}

/** Measuring changes nothing: the run counts as one that had nothing to do. */
export async function usedBytesOf(storage: Pick<Storage, "usedBytes">, watchJob: WatchJob): Promise<number> {
  let bytes = 0;
  await watchJob("storage-guard", async () => {
    bytes = await storage.usedBytes();
  });
  return bytes;
}

/** Null for PostgreSQL, whose disk is another machine's, and in memory. */
export async function freeBytesOf(location: StorageLocation): Promise<number | null> {
  if (location.kind === "postgres" || location.temporary) return null;
  const { bavail, bsize } = await statfs(dirname(location.path));
  return bavail * bsize;
}

/** Rows of traces that servers left that were killed between the first step of an ingestion and its transaction. Only on PostgreSQL: on
 *  SQLite that step is part of the transaction. Sessions without traces stay: they go when they are old. */
function orphanedRowsJob(features: Composition, log: Logger): Job {
  const { deletion } = features.use(deletionFeature);
  return {
    name: "orphaned-rows",
    changes: true,
    everyMilliseconds: null,
    async run({ context }) {
      const traces = await deletion.sweepEmptyTraces(context());
      if (traces > 0) log.info("removed rows of traces that never received a span", { traces });
      return true;
    },
  };
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

interface JobsPartNeeds extends Pick<JobsBehindNeeds, "storage" | "watchJob" | "context" | "log"> {
  readonly features: Composition;
  readonly signIns: Pick<SignIns, "sweep">;
  readonly config: Pick<Config, "run" | "authentication">;
}

/** The jobs of the features and of the server itself. */
export function createJobsPart({ storage, features, signIns, config, ...needs }: JobsPartNeeds) {
  const { watchJob, context, log } = needs;
  const all = [
    ...features.jobs,
    ...(storage.dialect.name === "postgres" ? [orphanedRowsJob(features, log.named("orphaned rows"))] : []),
    // While authentication is off, no key works: what was stored before stays as it is.
    ...(config.authentication.enabled ? [expiryJob(signIns)] : []),
  ];
  return createJobRunner({
    jobs: all.filter(({ changes }) => !(changes && config.run.readOnly)),
    failures: createJobFailuresStore(storage.dialect),
    withLease: (asking, lease, work) => withLease(storage, asking, lease, work),
    context,
    watch: watchJob,
    clock: systemClock,
    log: log.named("jobs"),
  });
}

function blocksPart(
  storage: Storage,
  { source, stop: stopThread }: BlockWorker,
  watchJob: WatchJob,
  context: () => CallContext,
  log: Logger,
): ServicePart & Pick<BlocksJob, "wake"> {
  const store = createBlocksStore(storage);
  const settled = createCommitWatermark(storage.dialect);
  const blocks = createBlocksService({ store, source, settled });
  const catchUp: typeof blocks.catchUp = (...round) => watchJob("blocks", () => blocks.catchUp(...round));
  const job = createBlocksJob({ catchUp }, context, log);
  return {
    name: "blocks",
    changes: true,
    start: job.start,
    wake: job.wake,
    async stop() {
      const stopped = job.stop();
      // A block that is being read is read again after the next start.
      await stopThread();
      await stopped;
    },
  };
}

interface BackupNeeds {
  readonly storage: Storage;
  readonly watchJob: WatchJob;
  readonly context: () => CallContext;
  readonly log: Logger;
}

/** No part where no folder is named, and where there is no file that others could not copy better. */
export function createBackups(
  { backups: { directory, everyHours, kept } }: Pick<Config, "backups">,
  location: StorageLocation,
  { storage, watchJob, context, log }: BackupNeeds,
): { readonly parts: readonly ServicePart[]; readonly trouble: BackupsJob["trouble"] } {
  if (directory === null || location.kind === "postgres" || location.temporary)
    return { parts: [], trouble: () => null };
  const copy = backupProcess(location);
  const make: typeof copy = (target, signal) => watchJob("backup", () => copy(target, signal));
  const identify = () => ensureDatabaseIdentity(storage, context());
  const job = createBackupsJob({ directory, everyHours, kept }, { identify, make }, systemClock, log.named("backup"));
  // It removes old copies, and where nothing changes there is nothing new to copy.
  return { parts: [{ name: "backups", changes: true, start: job.start, stop: job.stop }], trouble: job.trouble };
}

/** What came before its span, trace or session, and waits for it. */
export function pendingRowsJobs(features: Composition, watchJob: WatchJob, context: () => CallContext, log: Logger) {
  const { pending: annotations } = features.use(annotationsFeature);
  const { messages } = features.use(otlpFeature);
  const jobs = (["annotations", "messages"] as const).map((what) => {
    const { apply, dropOld } = { annotations, messages }[what];
    const watched = {
      apply: (asking: CallContext) => watchJob(`kept-${what}`, () => apply(asking)),
      dropOld,
    };
    return {
      name: `${what} that wait`,
      changes: true,
      ...createPendingRowsJob(what, watched, context, log.named(what)),
    };
  });
  return {
    parts: jobs,
    wake() {
      for (const job of jobs) job.wake();
    },
  };
}
