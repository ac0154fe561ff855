// Puts together what a job needs and has it run on this server.
import type { ExportReceiver } from "../../../../ingest/receiver.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure, messageOf } from "../../../../kernel/failure.ts";
import { globalId } from "../../../../kernel/ids.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { IncomingSpan } from "../../../../model/span.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import type { EvaluatorPreparationService } from "../../evaluators/runs/evaluator-preparation.service.ts";
import type { EvaluatorRunsService } from "../../evaluators/runs/evaluator-runs.service.ts";
import { EXPERIMENT, type Experiment } from "../../experiments/experiments.schema.ts";
import type { ExperimentsService } from "../../experiments/experiments.service.ts";
import type { RecordedCalls } from "../../model-calls/model-calls.schema.ts";
import { PROMPT_VERSION } from "../../prompts/prompts.schema.ts";
import { credentialsNeeded } from "../experiment-jobs.errors.ts";
import type { ExperimentJob, StopReason } from "../experiment-jobs.schema.ts";
import type { ClaimedJob, ExperimentJobsStore } from "../experiment-jobs.store.ts";
import type { ExperimentLogsStore } from "../experiment-logs.store.ts";
import { JobCalls } from "./job-calls.service.ts";
import type { JobItem } from "./job-items.schema.ts";
import type { JobItems } from "./job-items.service.ts";
import { type JobPreparation, noKeys, type PreparedJob } from "./job-preparation.service.ts";
import type { JobResults } from "./job-results.service.ts";
import { RunningJob } from "./running-job.service.ts";
import type { RunningJobs } from "./running-jobs.service.ts";

interface JobLaunchDependencies {
  readonly running: RunningJobs;
  readonly store: ExperimentJobsStore;
  readonly logs: ExperimentLogsStore;
  readonly experiments: ExperimentsService;
  readonly projects: ProjectsService;
  readonly preparation: JobPreparation;
  readonly evaluators: EvaluatorPreparationService;
  readonly evaluatorRuns: EvaluatorRunsService;
  readonly items: JobItems;
  readonly results: JobResults;
  readonly calls: RecordedCalls;
  readonly receiver: Pick<ExportReceiver, "storeSpans">;
  readonly isStorageLocked: () => boolean;
  readonly ownContext: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface JobLaunch {
  /** Runs a job that this server has claimed. */
  launch(claimed: ClaimedJob, experiment: Experiment, prepared: PreparedJob): Promise<void>;
  /** Runs a job whose server was lost, or ends it with the reason why it cannot. */
  takeOver(claimed: ClaimedJob): Promise<void>;
}

export function createJobLaunch(dependencies: JobLaunchDependencies): JobLaunch {
  const { running, store, logs, experiments, projects, preparation, evaluators, ownContext, clock, log } = dependencies;

  async function storeSpans(spans: readonly IncomingSpan[]): Promise<void> {
    try {
      await dependencies.receiver.storeSpans(spans);
    } catch (error) {
      log.error("the spans of an evaluation could not be stored", { reason: messageOf(error) });
    }
  }

  async function launch({ job, claim }: ClaimedJob, experiment: Experiment, prepared: PreparedJob): Promise<void> {
    const project = await projects.findProjectByName(ownContext(), experiment.projectName);
    const { task } = job;
    const abort = new AbortController();
    const { signal } = abort;
    const { calls, evaluatorRuns, items, results, isStorageLocked } = dependencies;
    running.run(job.id, ({ wake, isHeld, emit, onEnd }) => {
      const jobCalls = new JobCalls({
        calls,
        prices: () => prepared.prices,
        clock,
        limits: job.limits,
        spentBefore: job.spent,
        spender: { userId: job.userId, apiKeyId: job.apiKeyId },
        signal,
      });
      return new RunningJob({
        claim,
        experiment,
        project: { id: project?.id ?? null },
        task,
        calls: jobCalls,
        runEvaluator: evaluatorRuns.runEvaluator,
        storeSpans,
        metadataOf: (item) => metadataOf(job, item),
        clock,
        emit,
        signal,
        evaluators: prepared.evaluators,
        results,
        nextItems: items.open({
          experiment,
          prompt: prepared.prompt,
          evaluators: prepared.evaluators,
          retriesFailed: job.retriesFailed,
        }),
        isStorageLocked,
        isHeld,
        cancel: () => abort.abort(),
        wake,
        onEnd,
        log,
      });
    });
  }

  async function end({ claim }: ClaimedJob, reason: StopReason, message: string): Promise<void> {
    const nowUs = clock.now();
    log.warning("an experiment cannot go on", { experiment: globalId(EXPERIMENT, claim.jobId), reason: message });
    const entry = { jobId: claim.jobId, occurredUs: nowUs, category: "EXPERIMENT", level: "ERROR", message } as const;
    await logs.insert(ownContext(), [{ ...entry, detail: null }]);
    await store.end(ownContext(), claim, { status: "ERROR", reason, message, nowUs });
  }

  return {
    launch,

    async takeOver(claimed) {
      const { job, claim } = claimed;
      if (job.needsCredentials) return end(claimed, "credentials_needed", credentialsNeeded);
      try {
        const experiment = (await experiments.findExperiments(ownContext(), [job.id])).get(job.id);
        if (experiment === undefined) return await store.release(ownContext(), claim);
        const attached = (await store.findEvaluatorIds(ownContext(), [job.id])).get(job.id) ?? [];
        const found = await evaluators.prepareEvaluators(ownContext(), experiment.datasetId, attached);
        const prepared = await preparation.prepare(ownContext(), { ...job, evaluators: found }, noKeys);
        await launch(claimed, experiment, prepared);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.kind === "unavailable") await store.release(ownContext(), claim);
        else await end(claimed, "start_failed", error.message);
      }
    },
  };
}

function metadataOf({ id, task }: ExperimentJob, { example, repetition }: JobItem): JsonObject {
  const { promptVersionId } = task;
  return {
    experiment_id: globalId(EXPERIMENT, id),
    dataset_example_id: globalId(EXAMPLE, example.id),
    repetition_number: repetition,
    ...(promptVersionId === null ? {} : { prompt_version_id: globalId(PROMPT_VERSION, promptVersionId) }),
  };
}
