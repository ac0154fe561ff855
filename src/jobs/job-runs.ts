// Tells what watches the service, metrics and its own traces, of every run of a job: when it began, what it took, whether it failed.

/** Labels of metrics: a small fixed set, which docs/metrics.md explains. */
export const jobNames = [
  "backup",
  "blocks",
  "cost-recomputation",
  "deleted-datasets",
  "deleted-evaluators",
  "dismissed-experiments",
  "expiry",
  "kept-annotations",
  "kept-messages",
  "left-uploads",
  "orphaned-rows",
  "retention",
  "spending",
  "statistics",
  "storage-guard",
  "trace-sums",
] as const;
export type JobName = (typeof jobNames)[number];

export interface JobRun {
  readonly job: JobName;
  readonly milliseconds: number;
  /** How much was done, where the job counts it: 0 for a look that found nothing to do. */
  readonly done: number;
  /** Null for a run that did not fail. */
  readonly failure: unknown;
}

/** Runs `work` and passes on what comes of it. */
export type WatchJob = <Result>(job: JobName, work: () => Promise<Result>) => Promise<Result>;

interface JobRuns {
  readonly watch: WatchJob;
  /** Every run that ends from now on. */
  listen(listener: (run: JobRun) => void): void;
}

export function createJobRuns(): JobRuns {
  const listeners: ((run: JobRun) => void)[] = [];
  return {
    async watch(job, work) {
      const began = performance.now();
      const tell = (done: number, failure: unknown) => {
        const milliseconds = performance.now() - began;
        for (const listener of listeners) listener({ job, milliseconds, done, failure });
      };
      try {
        const result = await work();
        tell(amountOf(result), null);
        return result;
      } catch (error) {
        tell(0, error);
        throw error;
      }
    },
    listen: (listener) => void listeners.push(listener),
  };
}

export const unwatchedJobs: WatchJob = (_job, work) => work();

function amountOf(result: unknown): number {
  return typeof result === "number" ? result : Array.isArray(result) ? result.length : 0;
}
