// Figures of experiments as services hand them around.

export interface RunFigures {
  readonly runs: number;
  readonly failed: number;
  /** The mean, microseconds. */
  readonly latencyUs: number;
  /** When the last run ended, microseconds UTC. */
  readonly lastEndUs: number;
}

export interface RunTokens {
  readonly prompt: number;
  readonly completion: number;
}

/** Of the trace of a run. */
export interface TracedTokens extends RunTokens {
  readonly traceId: number;
}

/** Statistics of one evaluation over the runs of an experiment. */
export interface EvaluationSummary {
  readonly name: string;
  readonly count: number;
  readonly errorCount: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  /** Null without a score. */
  readonly minScore: number | null;
  readonly maxScore: number | null;
  readonly meanScore: number | null;
}

/** Of one evaluation, over all runs of some experiments. Null without a score. */
export interface ScoreRange {
  readonly name: string;
  readonly minScore: number | null;
  readonly maxScore: number | null;
}

export interface LabelShare {
  readonly name: string;
  readonly label: string;
  readonly amount: number;
}

/** Examples of the base by what became of them. */
export interface MeasureComparison {
  readonly improved: number;
  readonly regressed: number;
  readonly equal: number;
  /** One of the two values is not known. */
  readonly without: number;
}

export interface MetricComparisons {
  readonly latency: MeasureComparison;
  readonly total: MeasureComparison;
  readonly prompt: MeasureComparison;
  readonly completion: MeasureComparison;
  readonly totalCost: MeasureComparison;
  readonly promptCost: MeasureComparison;
  readonly completionCost: MeasureComparison;
}
