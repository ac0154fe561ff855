// The measures of experiments in words.
import { formatCompact, formatCost, formatDuration, formatShare, NOTHING } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import type { ScoreDifference } from "./comparison.queries.ts";
import type { Measure, PlainMeasure } from "./measures.ts";

export function measureName({ key, evaluation }: Measure): string {
  return evaluation ?? text(`experiments.measure.${key as PlainMeasure}`);
}

export function measureText({ key, evaluation }: Measure, value: number | null): string {
  if (evaluation !== null) return scoreText(value);
  if (key === "latency") return formatDuration(value);
  if (key === "errors") return formatShare(value);
  return key === "cost" ? formatCost(value) : formatCompact(value === null ? null : Math.round(value));
}

/** `0.83` */
export function scoreText(value: number | null): string {
  return value === null ? NOTHING : String(Number(value.toPrecision(3)));
}

/** How much of a difference: the arrow beside it has the sign. */
export function differenceText(measure: Measure, value: number): string {
  return value === 0 ? "" : measureText(measure, Math.abs(value));
}

/** Whether the mean of an evaluation differs by more than examples and repetitions differ among themselves. */
export function noiseText(difference: ScoreDifference): string {
  const { exampleCount: count, intervalLow: low, intervalHigh: high } = difference;
  if (low === null || high === null) return text("experiments.noise.few", { count });
  const range = { low: signedText(low), high: signedText(high) };
  return text(low > 0 || high < 0 ? "experiments.noise.beyond" : "experiments.noise.within", range);
}

/** With a sign that is not read as a range. */
function signedText(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${scoreText(Math.abs(value))}`;
}
