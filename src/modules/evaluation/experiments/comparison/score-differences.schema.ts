// How the scores of an experiment differ from those of another one, as services hand it around.

/** Of one evaluation, over the examples that both experiments have scores for; each repetition counts within its example. */
export interface ScoreSpread {
  readonly experimentId: number;
  readonly name: string;
  readonly examples: number;
  /** The mean of the differences of the examples. */
  readonly mean: number;
  /** The sum of the squares of their distances from the mean. */
  readonly squares: number;
  /** Examples whose mean is higher, or lower, by more than the threshold. */
  readonly higher: number;
  readonly lower: number;
}

export interface ScoreDifference extends Omit<ScoreSpread, "squares"> {
  /** Bounds of the 95 % interval of the mean; null for fewer examples than can tell. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}
