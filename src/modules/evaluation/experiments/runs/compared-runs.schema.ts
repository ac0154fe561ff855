// Runs beside those of other experiments, as services hand them around.
import type { ARRIVAL } from "../../../../kernel/list.ts";
import type { ExperimentRun } from "./experiment-runs.schema.ts";

/** A run without its output. */
export type ListedRun = Omit<ExperimentRun, "output">;

/** Runs are sorted by their arrival, their duration, or their score of an evaluation. */
export type RunSort = typeof ARRIVAL | "latency" | { readonly evaluation: string };

export interface RunScore {
  readonly runId: number;
  readonly name: string;
  readonly score: number | null;
}

/** The repetitions of one experiment for one example; without runs it is empty. */
export interface RunGroup {
  readonly experimentId: number;
  readonly exampleId: number;
  readonly runs: readonly ListedRun[];
}

/** One row of a comparison. */
export interface ComparedExample {
  /** Of the example. */
  readonly id: number;
  /** One for each experiment, in the order in which they were asked for. */
  readonly experimentIds: readonly number[];
}
