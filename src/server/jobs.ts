// Part of the composition root: the jobs behind ingestion, each with what it needs, and watched.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { createBlocksService } from "../blocks/blocks.service.ts";
import { createBlocksStore } from "../blocks/blocks.store.ts";
import type { Config } from "../config/config.ts";
import type { RollupsService } from "../ingest/rollups/rollups.service.ts";
import { createBackupsJob } from "../jobs/backups.ts";
import { type BlocksJob, createBlocksJob } from "../jobs/blocks.ts";
import type { WatchJob } from "../jobs/job-runs.ts";
import { createKeptRowsJob } from "../jobs/kept-rows.ts";
import { createOrphanedRowsJob } from "../jobs/orphaned-rows.ts";
import { createRollupsJob } from "../jobs/rollups.ts";
import { createStatisticsJob } from "../jobs/statistics.ts";
import { systemClock } from "../kernel/clock.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { Logger } from "../kernel/logger.ts";
import { annotationsFeature } from "../modules/annotations/annotations.feature.ts";
import { deletionFeature } from "../modules/traces/delete/deletion.feature.ts";
import { otlpFeature } from "../otlp/otlp.feature.ts";
import { createCommitWatermark } from "../storage/commit-watermark.ts";
import type { StorageLocation } from "../storage/location.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import { type BlockWorker, backupProcess } from "../threads.ts";
import type { Composition } from "./compose.ts";

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

export function orphanedRowsJob(features: Composition, watchJob: WatchJob, context: () => CallContext, log: Logger) {
  const { deletion } = features.use(deletionFeature);
  const sweepEmptyTraces: typeof deletion.sweepEmptyTraces = (asking) =>
    watchJob("orphaned-rows", () => deletion.sweepEmptyTraces(asking));
  return createOrphanedRowsJob({ sweepEmptyTraces }, context, log);
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

/** None where no folder is named, and where there is no file that others could not copy better. */
export function backupParts(
  { backups: { directory, everyHours, kept } }: Pick<Config, "backups">,
  location: StorageLocation,
  watchJob: WatchJob,
  log: Logger,
): readonly ServicePart[] {
  if (directory === null || location.kind === "postgres" || location.temporary) return [];
  const copy = backupProcess(location);
  const make: typeof copy = (target, signal) => watchJob("backup", () => copy(target, signal));
  return [
    // It removes old copies, and where nothing changes there is nothing new to copy.
    {
      name: "backups",
      changes: true,
      ...createBackupsJob({ directory, everyHours, kept }, make, systemClock, log.named("backup")),
    },
  ];
}

/** What came before its span, trace or session, and waits for it. */
export function keptRowsJobs(features: Composition, watchJob: WatchJob, context: () => CallContext, log: Logger) {
  const { kept: annotations } = features.use(annotationsFeature);
  const { messages } = features.use(otlpFeature);
  const jobs = (["annotations", "messages"] as const).map((what) => {
    const { apply, dropOld } = { annotations, messages }[what];
    const watched = {
      apply: (asking: CallContext) => watchJob(`kept-${what}`, () => apply(asking)),
      dropOld,
    };
    return { name: `${what} that wait`, changes: true, ...createKeptRowsJob(what, watched, context, log.named(what)) };
  });
  return {
    parts: jobs,
    wake() {
      for (const job of jobs) job.wake();
    },
  };
}
