// Stores what jobs have done, many items in one transaction, and nothing of a job that is no longer this server's.
import { commitInHalves, createBatcher, gatherWhileBusy } from "../../../../kernel/batcher.ts";
import { Failure } from "../../../../kernel/failure.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { NewEvaluationRow } from "../../experiments/evaluations/experiment-evaluations.schema.ts";
import type { ExperimentEvaluationsService } from "../../experiments/evaluations/experiment-evaluations.service.ts";
import type { NewRunRow } from "../../experiments/runs/experiment-runs.schema.ts";
import type { ExperimentRunsService } from "../../experiments/runs/experiment-runs.service.ts";
import { addedSpending, type JobClaim, type JobSpending, type NewLog, noSpending } from "../experiment-jobs.schema.ts";
import type { ExperimentJobsStore } from "../experiment-jobs.store.ts";
import type { ExperimentLogsStore } from "../experiment-logs.store.ts";

/** What came of an item; all of it is stored, or nothing. */
export interface FinishedItem {
  readonly claim: JobClaim;
  readonly spent: JobSpending;
  readonly run: NewRunRow | null;
  readonly evaluations: readonly NewEvaluationRow[];
  readonly logs: readonly NewLog[];
}

export interface StoredItem {
  /** Of the run that stands there now. */
  readonly runId: number | null;
  /** One an evaluation; null where its run is gone. */
  readonly evaluationIds: readonly (number | null)[];
}

export interface JobResults {
  /** Resolves when it is durable; null if the claim does not hold any more. While the database is away it is tried again until `close`.
   *  Rejects for what cannot be stored. */
  store(item: FinishedItem): Promise<StoredItem | null>;
  /** Stops trying again, and resolves when nothing is being written. */
  close(): Promise<void>;
}

interface JobResultsDependencies {
  readonly store: ExperimentJobsStore;
  readonly logs: ExperimentLogsStore;
  readonly runs: ExperimentRunsService;
  readonly evaluations: ExperimentEvaluationsService;
  readonly storage: Storage;
  readonly ownContext: () => CallContext;
}

const MOST_AT_ONCE = 200;
const MOST_BYTES = 4 * 1024 * 1024;
const GATHERING_MILLISECONDS = 20;
const RETRY_MILLISECONDS = 1000;

type Outcome = PromiseSettledResult<StoredItem | null>;

export function createJobResults(dependencies: JobResultsDependencies): JobResults {
  const { storage, ownContext } = dependencies;
  const closing = Promise.withResolvers<void>();
  let isClosed = false;
  const batcher = createBatcher<FinishedItem, Outcome>({
    maximumItems: MOST_AT_ONCE,
    maximumBytes: MOST_BYTES,
    gather: gatherWhileBusy(GATHERING_MILLISECONDS),
    commit: async (items) => {
      const commit = (part: readonly FinishedItem[]) =>
        storage.transaction(ownContext(), (context) => storeTogether(dependencies, context, part));
      return (await commitInHalves(items, commit)).outcomes;
    },
  });

  return {
    async store(item) {
      for (;;) {
        const outcome = await batcher.submit(item, 1, bytesOf(item));
        if (outcome.status === "fulfilled") return outcome.value;
        const { reason } = outcome;
        if (isClosed || !(reason instanceof Failure && reason.kind === "unavailable")) throw reason;
        await Promise.race([Bun.sleep(RETRY_MILLISECONDS), closing.promise]);
      }
    },

    async close() {
      isClosed = true;
      closing.resolve();
      await batcher.idle();
    },
  };
}

async function storeTogether(
  { store, logs, runs, evaluations }: JobResultsDependencies,
  context: CallContext,
  items: readonly FinishedItem[],
): Promise<(StoredItem | null)[]> {
  const held = new Set<string>();
  for (const [key, ofClaim] of byClaim(items)) {
    if (await store.addSpending(context, ofClaim[0]!.claim, sumOf(ofClaim))) held.add(key);
  }
  const good = items.filter(({ claim }) => held.has(claimKey(claim)));
  const newRuns = good.flatMap(({ run }) => run ?? []);
  const stored = newRuns.length === 0 ? [] : await runs.putRows(context, newRuns);
  const runIds = new Map(newRuns.map((run, at) => [run, stored[at]?.id ?? null]));
  const newEvaluations = good.flatMap((item) => item.evaluations);
  const ids = newEvaluations.length === 0 ? [] : await evaluations.putRows(context, newEvaluations);
  const evaluationIds = new Map(newEvaluations.map((evaluation, at) => [evaluation, ids[at] ?? null]));
  const newLogs = good.flatMap((item) => item.logs);
  if (newLogs.length > 0) await logs.insert(context, newLogs);
  return items.map(({ claim, run, evaluations: own }) =>
    held.has(claimKey(claim))
      ? {
          runId: run === null ? null : runIds.get(run)!,
          evaluationIds: own.map((evaluation) => evaluationIds.get(evaluation)!),
        }
      : null,
  );
}

/** In the order of the jobs: every transaction takes their rows in the same order. */
function byClaim(items: readonly FinishedItem[]): Map<string, FinishedItem[]> {
  const sorted = items.toSorted((one, other) => one.claim.jobId - other.claim.jobId);
  return Map.groupBy(sorted, ({ claim }) => claimKey(claim));
}

const claimKey = ({ jobId, number }: JobClaim) => `${jobId} ${number}`;

function sumOf(items: readonly FinishedItem[]): JobSpending {
  return items.reduce((sum, { spent }) => addedSpending(sum, spent), noSpending);
}

function bytesOf({ run, evaluations }: FinishedItem): number {
  const ofEvaluations = evaluations.reduce(
    (sum, { metadata, explanation }) => sum + metadata.length + (explanation?.length ?? 0),
    0,
  );
  return 2 * ((run?.output.length ?? 0) + ofEvaluations) + 1000;
}
