// What is left of a job, in time and money.
import type { Experiment } from "../../experiments/experiments.schema.ts";
import type { ExperimentJob } from "../experiment-jobs.schema.ts";
import type { JobCounts, JobProgress } from "./job-estimate.schema.ts";

export const noCounts: JobCounts = { succeeded: 0, failed: 0, failedSinceStart: 0, evaluated: 0, evaluationsFailed: 0 };

interface Progressing {
  readonly job: ExperimentJob;
  readonly experiment: Pick<Experiment, "exampleCount" | "repetitions">;
  readonly counts: JobCounts;
  /** Results that evaluators give for each run. */
  readonly evaluationsPerRun: number;
  readonly nowUs: number;
}

export function progressOf({ job, experiment, counts, evaluationsPerRun, nowUs }: Progressing): JobProgress {
  const runs = experiment.exampleCount * experiment.repetitions;
  const failed = job.retriesFailed ? counts.failedSinceStart : counts.failed;
  const runsLeft = Math.max(0, runs - counts.succeeded - failed);
  const doneSinceStart = counts.succeeded - job.doneBefore + counts.failedSinceStart;
  const elapsedSeconds = Math.max(0, nowUs - job.startedUs) / 1e6;
  const isRunning = job.status === "RUNNING";
  const done = counts.succeeded + counts.failed;
  const { spent } = job;
  const isPriced = spent.calls > spent.unpricedCalls;
  return {
    ...counts,
    runs,
    runsLeft,
    evaluations: runs * evaluationsPerRun,
    secondsLeft: isRunning && doneSinceStart > 0 ? (elapsedSeconds * runsLeft) / doneSinceStart : null,
    costLeft: done > 0 && isPriced ? Math.round((spent.cost / done) * runsLeft) : null,
  };
}
