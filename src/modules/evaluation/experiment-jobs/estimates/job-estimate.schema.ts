// The estimate of a job before its start, and what is left of it while it runs.

/** Of the calls of one model. */
export interface ModelEstimate {
  /** As spans have it, e.g. `openai`. */
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The most that answers may take, by the maximum of each call. */
  readonly maxCompletionTokens: number;
  /** 10^-12 USD; null where the model has no price. */
  readonly cost: number | null;
  readonly maxCost: number | null;
}

/** What the length of answers is estimated from. */
export const answerLengthSources = ["earlier_runs", "expected_outputs", "maximum"] as const;

export interface JobEstimate {
  readonly examples: number;
  readonly runs: number;
  /** Of tasks and of evaluators that call models, without retries. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly maxCompletionTokens: number;
  /** 10^-12 USD, of the models that have a price; null where none has. */
  readonly cost: number | null;
  readonly maxCost: number | null;
  readonly models: readonly ModelEstimate[];
  /** Examples whose template was filled for it; all others are taken to be alike. */
  readonly sampledExamples: number;
  readonly answerLengths: (typeof answerLengthSources)[number];
  /** Sampled examples for which there is no call, and why not for the first of them. */
  readonly failingExamples: number;
  readonly problem: string | null;
}

/** Counts of runs and evaluations in the database. */
export interface JobCounts {
  readonly succeeded: number;
  readonly failed: number;
  /** Of those, since the last start. */
  readonly failedSinceStart: number;
  readonly evaluated: number;
  readonly evaluationsFailed: number;
}

export interface JobProgress extends JobCounts {
  readonly runs: number;
  readonly runsLeft: number;
  readonly evaluations: number;
  /** While it runs, as fast as since its start; null before the first result, and when it does not run. */
  readonly secondsLeft: number | null;
  /** 10^-12 USD, as the calls so far; null where no price is known. */
  readonly costLeft: number | null;
}
