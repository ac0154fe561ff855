// Whether a difference of scores is more than noise: the 95 % interval of the mean of the differences of examples. An example has the mean
// of its repetitions, so what differs between repetitions widens the interval as what differs between examples does.
import type { ScoreDifference, ScoreSpread } from "./score-differences.schema.ts";

/** Fewer examples cannot tell: equal differences of two examples would have an interval without width. */
const LEAST_EXAMPLES = 5;

/** The 97.5 % quantile of Student's t by degrees of freedom, from 4 on; beyond it the series below is exact to three digits. */
const QUANTILES = [2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
const NORMAL_QUANTILE = 1.959964;

function quantile(freedom: number): number {
  const z = NORMAL_QUANTILE;
  const series = z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
  return QUANTILES[freedom - 4] ?? series;
}

export function differenceOf({ squares, ...spread }: ScoreSpread): ScoreDifference {
  const { examples, mean } = spread;
  if (examples < LEAST_EXAMPLES) return { ...spread, interval: null };
  const error = Math.sqrt(squares / (examples - 1) / examples);
  const half = quantile(examples - 1) * error;
  return { ...spread, interval: { low: mean - half, high: mean + half } };
}
