// From which latency on a span counts as slow: a question of the project, not of a fixed bound.

/** Of the bounds of bands of latency, the least from which on the rarest spans lie: a tenth of all at most, where there is
 *  such a bound. Milliseconds; null without spans. */
export function slowFrom(bands: readonly { readonly minMs: number; readonly count: number }[]): number | null {
  const all = bands.reduce((sum, { count }) => sum + count, 0);
  let above = 0;
  let slow: number | null = null;
  for (const { minMs, count } of bands.toReversed()) {
    above += count;
    if (above > 0 && (slow === null || above <= all / 10)) slow = minMs;
  }
  return slow;
}
