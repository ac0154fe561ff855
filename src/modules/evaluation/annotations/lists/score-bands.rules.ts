// Bands of scores: round bounds between the lowest and the highest score of a name.
import { multipleOf, roundStep } from "../../../../kernel/histogram.ts";

const MOST_BANDS = 4;

/** Bounds in order, each above the lowest and not above the highest score; none where all scores are alike. */
export function scoreBounds(lowest: number, highest: number): readonly number[] {
  const range = highest - lowest;
  if (!(range > 0) || !Number.isFinite(range)) return [];
  const step = roundStep(range / MOST_BANDS);
  const bounds: number[] = [];
  for (let at = Math.floor(lowest / step) + 1; bounds.length < MOST_BANDS; at++) {
    const bound = multipleOf(step, at);
    if (bound >= highest) break;
    if (bound > lowest) bounds.push(bound);
  }
  return bounds;
}
