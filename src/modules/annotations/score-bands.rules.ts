// Bands of scores: round bounds between the lowest and the highest score of a name.

/** Steps between bounds, times a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10];
const MOST_BANDS = 4;
/** Behind these digits a multiple of a step is no longer as it would be written. */
const DIGITS = 12;

/** Bounds in order, each above the lowest and not above the highest score; none where all scores are alike. */
export function scoreBounds(lowest: number, highest: number): readonly number[] {
  const range = highest - lowest;
  if (!(range > 0) || !Number.isFinite(range)) return [];
  const least = range / MOST_BANDS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (ROUND_STEPS.find((each) => each * power >= least) ?? 10) * power;
  const bounds: number[] = [];
  for (let at = Math.floor(lowest / step) + 1; bounds.length < MOST_BANDS; at++) {
    const bound = Number((at * step).toPrecision(DIGITS));
    if (bound >= highest) break;
    if (bound > lowest) bounds.push(bound);
  }
  return bounds;
}
