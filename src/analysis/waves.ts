// Siblings by when they ran: those of one wave ran side by side.
import type { TreeSpan } from "./forest.ts";

/** Cuts positions, which are in order of start, into waves: one that starts before the latest end of the wave joins it. */
export function wavesOf(spans: readonly TreeSpan[], positions: readonly number[]): readonly (readonly number[])[] {
  const waves: number[][] = [];
  let endUs = Number.NEGATIVE_INFINITY;
  for (const at of positions) {
    const span = spans[at]!;
    if (span.startUs < endUs) waves.at(-1)!.push(at);
    else waves.push([at]);
    endUs = Math.max(endUs, span.endUs);
  }
  return waves;
}
