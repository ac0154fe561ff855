// What a job is to the runner: work that the service does by itself, in runs of some seconds.
import type { CallContext } from "../storage/storage.ts";

export interface Job {
  /** Also the label of its metrics, which docs/metrics.md explains. */
  readonly name: string;
  /** True where it changes what is stored: it does not run with `--read-only`. */
  readonly changes: boolean;
  /** Milliseconds from the end of a run to the next one. Null for a job that runs once after the start, and whenever it is woken. */
  readonly everyMilliseconds: number | null;
  /** Left out, a job that is woken runs at once. */
  readonly woken?: WokenPace;
  /** True where it is woken whenever spans were stored. */
  readonly wokenBySpans?: boolean;
  /** A run is followed by a rest of so many times its length. */
  readonly restFactor?: number;
  /** From a failed run to the next try: doubled by each further failure in a row. Left out, as between two runs, but at
   *  most a minute. */
  readonly retryMilliseconds?: number;
  /** Named where one server at a time does it. */
  readonly lease?: string;
  /** True where the start of the service waits for the first run, three seconds at most. */
  readonly isAwaited?: boolean;
  /** Resolves to false when there is more to do at once: then the next run follows soon. */
  run(job: JobContext): Promise<boolean>;
}

/** How a job follows what wakes it. */
interface WokenPace {
  /** Milliseconds from the call to the run, which then serves all that came meanwhile. */
  readonly afterMilliseconds: number;
  /** Runs so often, for so long after the last call, and never more often. */
  readonly again?: { readonly everyMilliseconds: number; readonly forMilliseconds: number };
}

/** What one run of a job gets. */
export interface JobContext {
  /** A context for each step: each has its own deadline. */
  readonly context: () => CallContext;
  /** False when the run has taken long enough, or the service stops: what is left is done by the next run. */
  readonly goOn: () => boolean;
  /** Rests for so many milliseconds, or until the service stops. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  /** Does the work of one item. One that fails is recorded, tried again later and later, and never stops the others: false then, and
   *  while it waits. */
  readonly attempt: (item: string, work: () => Promise<void>) => Promise<boolean>;
  /** Adds to what the run has done; items that were attempted count by themselves. */
  readonly count: (amount: number) => void;
}

/** A run that ended, for the metrics and the traces of the service itself. */
export interface JobRun {
  readonly job: string;
  readonly milliseconds: number;
  /** How much was done: 0 for a look that found nothing to do. */
  readonly done: number;
  readonly failedItems: number;
  /** Null for a run that did not fail. */
  readonly failure: unknown;
}

/** Has a job look soon, whatever its interval. */
export type WakeJob = (name: string) => void;
