// What a job is to the runner: work that the service does by itself, in runs of some seconds.
import type { LeaseName } from "../storage/lock-keys.ts";
import type { CallContext } from "../storage/storage.ts";
import type { JobName } from "./job-runs.ts";

export interface Job {
  readonly name: JobName;
  /** True where it changes what is stored: it does not run with `--read-only`. */
  readonly changes: boolean;
  /** From the end of a run to the next one. Null for a job that is done once, after the start. */
  readonly everyMilliseconds: number | null;
  /** Named where one server at a time does it. */
  readonly lease?: LeaseName;
  /** Resolves to false when there is more to do at once: then the next run follows soon. */
  run(job: JobContext): Promise<boolean>;
}

/** What one run of a job gets. */
export interface JobContext {
  /** A context for each step: each has its own deadline. */
  readonly context: () => CallContext;
  /** False when the run has taken long enough, or the service stops: what is left is done by the next run. */
  readonly goOn: () => boolean;
  /** Does the work of one item. One that fails is recorded, tried again later and later, and never stops the others: false then, and
   *  while it waits. */
  readonly attempt: (item: string, work: () => Promise<void>) => Promise<boolean>;
}

/** Has a job look soon, whatever its interval. */
export type WakeJob = (name: JobName) => void;
