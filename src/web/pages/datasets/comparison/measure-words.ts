// The measures of experiments in words.
import { formatCompact, formatCost, formatDuration, formatShare, NOTHING } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
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
