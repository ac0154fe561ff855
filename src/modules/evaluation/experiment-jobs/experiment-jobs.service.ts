// The use cases of experiments that the server runs. Who may call them is decided by the policy before.
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { EvaluatorPreparationService } from "../evaluators/runs/evaluator-preparation.service.ts";
import { EXPERIMENT, type Experiment } from "../experiments/experiments.schema.ts";
import type { ExperimentsService } from "../experiments/experiments.service.ts";
import { spenderOf } from "../spending/spending.schema.ts";
import type { JobCountsStore } from "./estimates/job-counts.store.ts";
import type { JobEstimate, JobProgress } from "./estimates/job-estimate.schema.ts";
import type { JobEstimates } from "./estimates/job-estimates.service.ts";
import { noCounts, progressOf } from "./estimates/job-progress.rules.ts";
import { inCooldown, jobNotFound, noExamples, tooManyJobs } from "./experiment-jobs.errors.ts";
import type { ExperimentJob, ExperimentLog, JobLimits, JobTask } from "./experiment-jobs.schema.ts";
import type { ExperimentJobsStore } from "./experiment-jobs.store.ts";
import type { ExperimentLogsStore } from "./experiment-logs.store.ts";
import type { EventQueue } from "./running/event-queue.rules.ts";
import type { JobEvent } from "./running/job-events.schema.ts";
import type { JobLaunch } from "./running/job-launch.service.ts";
import type { JobKeys, JobPreparation } from "./running/job-preparation.service.ts";
import { MOST_JOBS, type RunningJobs } from "./running/running-jobs.service.ts";
import { type ChosenExamples, type JobDatasets, requireCounts, requireNode } from "./tasks/job-datasets.service.ts";

/** What is asked for. Ids are global. */
export interface NewJob extends JobKeys, ChosenExamples {
  readonly task: JobTask;
  readonly limits: JobLimits;
  /** Named in the name of the experiment where that is not given. */
  readonly promptName: string | null;
  readonly experimentName: string | null;
  readonly experimentDescription: string | null;
  readonly experimentMetadata: JsonObject;
  readonly repetitions: number;
  /** Row ids of dataset evaluators, each once. */
  readonly evaluatorIds: readonly number[];
  readonly isEphemeral: boolean;
}

export interface StartedJob {
  readonly experiment: Experiment;
  readonly job: ExperimentJob;
  readonly events: EventQueue<JobEvent>;
}

/** What a resume may change. */
interface JobResumption extends JobKeys {
  /** False leaves runs with an error as they are. */
  readonly retriesFailed: boolean;
  /** Null leaves them as they are. */
  readonly limits: JobLimits | null;
}

export interface ExperimentJobsService {
  /** Makes the experiment and runs it. Where its reader leaves the events, an ephemeral one is stopped, any other goes on. Throws kind
   *  `invalid` or `not_found` that names what is wrong, before anything is written; `rate_limited` while too many run. */
  startJob(context: CallContext, job: NewJob): Promise<StartedJob>;
  /** What it may take. Nothing is written or called. Throws as `startJob`. */
  estimateJob(context: CallContext, job: NewJob): Promise<JobEstimate>;
  /** Runs what is missing or has failed, with the keys of this request. One that runs stays as it is. Throws kind `invalid`, `not_found`,
   *  `conflict` some seconds after it was stopped, and what `startJob` throws. */
  resumeJob(context: CallContext, experimentId: string, how: JobResumption): Promise<ExperimentJob>;
  /** Cancels its calls, or with `isPause` lets the running ones end. One that does not run stays as it is. Throws as `resumeJob`. */
  stopJob(context: CallContext, experimentId: string, isPause: boolean): Promise<ExperimentJob>;
  /** By the global id of its experiment. Throws kind `invalid`, `not_found`. */
  getJob(context: CallContext, experimentId: string): Promise<ExperimentJob>;
  /** How far jobs are, by the row ids of their experiments. */
  findProgress(context: CallContext, ids: readonly number[]): Promise<Map<number, JobProgress>>;
  /** By the row ids of experiments; those without a job are left out. */
  findJobs(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentJob>>;
  /** Row ids of dataset evaluators, by job. */
  findEvaluatorIds(context: CallContext, jobIds: readonly number[]): Promise<Map<number, number[]>>;
  /** By dataset, newest first. */
  listOfDatasets(
    context: CallContext,
    datasetIds: readonly number[],
    request: PageRequest,
  ): Promise<Map<number, PlacedPage<ExperimentJob>>>;
  /** Errors since the last start by job, newest first. */
  listErrors(
    context: CallContext,
    jobIds: readonly number[],
    request: PageRequest,
  ): Promise<Map<number, PlacedPage<ExperimentLog>>>;
  findLastErrors(context: CallContext, jobIds: readonly number[]): Promise<Map<number, ExperimentLog>>;
  findLogs(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentLog>>;
}

interface ExperimentJobsDependencies {
  readonly store: ExperimentJobsStore;
  readonly logs: ExperimentLogsStore;
  readonly running: RunningJobs;
  readonly launch: JobLaunch;
  readonly preparation: JobPreparation;
  readonly datasets: JobDatasets;
  readonly estimates: JobEstimates;
  readonly counts: JobCountsStore;
  readonly evaluators: EvaluatorPreparationService;
  readonly experiments: ExperimentsService;
  readonly storage: Storage;
  readonly ownContext: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between a stop and a resume, and the other way round. */
const COOLDOWN_US = 5_000_000;
const DEFAULT_NAME = "playground-experiment";

type Starts = Pick<ExperimentJobsService, "startJob" | "estimateJob" | "resumeJob">;
type Stops = Pick<ExperimentJobsService, "stopJob">;
type Reads = Omit<ExperimentJobsService, keyof Starts | keyof Stops>;

export function createExperimentJobsService(dependencies: ExperimentJobsDependencies): ExperimentJobsService {
  const reads = jobReads(dependencies);
  return { ...reads, ...jobStarts(dependencies, reads.getJob), ...jobStops(dependencies, reads.getJob) };
}

function jobReads({ store, logs, experiments, counts, clock }: ExperimentJobsDependencies): Reads {
  return {
    async getJob(context: CallContext, experimentId: string): Promise<ExperimentJob> {
      const id = requireNode(EXPERIMENT, experimentId);
      const job = (await store.find(context, [id])).get(id);
      if (job === undefined) throw jobNotFound(experimentId);
      return job;
    },

    findJobs: store.find,
    findEvaluatorIds: store.findEvaluatorIds,
    listOfDatasets: store.listOfDatasets,
    listErrors: logs.listErrors,
    findLastErrors: logs.findLastErrors,
    findLogs: logs.find,

    async findProgress(context, ids) {
      const [jobs, found, counted] = await Promise.all([
        store.find(context, ids),
        experiments.findExperiments(context, ids),
        counts.find(context, ids),
      ]);
      const attached = await store.findEvaluatorIds(context, ids);
      const nowUs = clock.now();
      return new Map(
        [...jobs].flatMap(([id, job]) => {
          const experiment = found.get(id);
          if (experiment === undefined) return [];
          const evaluationsPerRun = attached.get(id)?.length ?? 0;
          return [[id, progressOf({ job, experiment, counts: counted.get(id) ?? noCounts, evaluationsPerRun, nowUs })]];
        }),
      );
    },
  };
}

function jobStarts(dependencies: ExperimentJobsDependencies, getJob: Reads["getJob"]): Starts {
  const { store, logs, running, launch, preparation, datasets, evaluators, experiments, storage, clock } = dependencies;

  function requireCapacity(): void {
    if (running.isFull()) throw tooManyJobs(MOST_JOBS);
  }

  /** Everything that can be wrong is found before anything is written. */
  async function prepareNew(context: CallContext, given: NewJob) {
    const { task, limits, evaluatorIds, repetitions } = given;
    requireCounts({ repetitions, maxConcurrency: task.maxConcurrency });
    const found = await datasets.find(context, given);
    const attached = await evaluators.prepareEvaluators(context, found.dataset.id, evaluatorIds);
    const prepared = await preparation.prepare(context, { task, limits, evaluators: attached }, given);
    const estimate = await dependencies.estimates.estimate(context, found, prepared, repetitions);
    if (estimate.examples === 0) throw noExamples();
    return { found, prepared, estimate };
  }

  return {
    async startJob(context, given) {
      const { task, limits, evaluatorIds, repetitions, isEphemeral } = given;
      requireCapacity();
      const { found, prepared, estimate } = await prepareNew(context, given);
      const { experiment, claimed } = await storage.transaction(context, async (inner) => {
        const made = await experiments.insertExperiment(inner, {
          ...found,
          name: given.experimentName || nameFor(given.promptName),
          description: given.experimentDescription,
          metadata: given.experimentMetadata,
          repetitions,
          isEphemeral,
        });
        if (made.exampleCount === 0) throw noExamples();
        const row = {
          id: made.id,
          task,
          limits,
          estimate: JSON.stringify(estimate),
          needsCredentials: hasKeys(given),
          ...spenderOf(context.principal),
          createdUs: clock.now(),
        };
        return { experiment: made, claimed: await store.insert(inner, row, evaluatorIds, running.claimant) };
      });
      await launch.launch(claimed, experiment, prepared);
      const events = running.watch(experiment.id, () => {
        if (isEphemeral) void stopLeft(dependencies, experiment.id);
      })!;
      return { experiment, job: claimed.job, events };
    },

    estimateJob: async (context, given) => (await prepareNew(context, given)).estimate,

    async resumeJob(context, experimentId, how) {
      const job = await getJob(context, experimentId);
      if (job.status === "RUNNING") return job;
      if (job.stopReason === "stopped" || job.stopReason === "paused") requireNoCooldown(clock, experimentId, job);
      requireCapacity();
      const limits = how.limits ?? job.limits;
      const experiment = await experiments.getExperiment(context, experimentId);
      const attachedIds = (await store.findEvaluatorIds(context, [job.id])).get(job.id) ?? [];
      const attached = await evaluators.prepareEvaluators(context, experiment.datasetId, attachedIds);
      const prepared = await preparation.prepare(context, { task: job.task, limits, evaluators: attached }, how);
      const start = {
        needsCredentials: hasKeys(how),
        retriesFailed: how.retriesFailed,
        limits,
        ...spenderOf(context.principal),
        nowUs: clock.now(),
      };
      const claimed = await storage.transaction(context, async (inner) => {
        const started = await store.start(inner, job.id, start, running.claimant);
        if (started !== null) await logs.removeOfJob(inner, job.id);
        return started;
      });
      // Another request has resumed or deleted it meanwhile.
      if (claimed === null) return getJob(context, experimentId);
      await launch.launch(claimed, experiment, prepared);
      return claimed.job;
    },
  };
}

function jobStops({ store, running, clock, log }: ExperimentJobsDependencies, getJob: Reads["getJob"]): Stops {
  return {
    async stopJob(context, experimentId, isPause) {
      const job = await getJob(context, experimentId);
      if (job.status !== "RUNNING") return job;
      if (!job.isPausing) requireNoCooldown(clock, experimentId, job);
      const reason = isPause ? "paused" : "stopped";
      const stopped = await store.stop(context, job.id, { reason, nowUs: clock.now(), isPausing: isPause });
      log.info("an experiment was stopped", {
        experiment: experimentId,
        pause: isPause,
        user: spenderOf(context.principal).userId,
      });
      await running.settle(job.id, isPause);
      return stopped === null || isPause ? getJob(context, experimentId) : stopped;
    },
  };
}

function requireNoCooldown(clock: Clock, experimentId: string, { toggledUs }: ExperimentJob): void {
  if (toggledUs !== null && clock.now() - toggledUs < COOLDOWN_US) throw inCooldown(experimentId);
}

/** Stops an ephemeral experiment whose caller has gone. */
async function stopLeft(
  { store, running, ownContext, clock, log }: ExperimentJobsDependencies,
  id: number,
): Promise<void> {
  try {
    await store.stop(ownContext(), id, { reason: "client_left", nowUs: clock.now(), isPausing: false });
    await running.settle(id, false);
  } catch (error) {
    log.warning("an ephemeral experiment could not be stopped", {
      experiment: globalId(EXPERIMENT, id),
      reason: String(error),
    });
  }
}

function nameFor(promptName: string | null): string {
  return promptName ? `${DEFAULT_NAME} prompt:${promptName}` : DEFAULT_NAME;
}

function hasKeys({ credentials, headers }: JobKeys): boolean {
  const given = typeof headers === "object" && headers !== null ? Object.keys(headers).length > 0 : headers !== null;
  return given || credentials.some(({ value }) => value !== "");
}
