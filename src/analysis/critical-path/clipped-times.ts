// The times of spans inside their parents: what runs on after its parent ended delays nothing that the parent waited for.
import type { Forest, TreeSpan } from "../forest.ts";

export interface ClippedTimes {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Each span cut to its parent's times, which are cut to those of its own parent. A span that lies outside becomes a point at the edge. */
export function clippedTimes(spans: readonly TreeSpan[], forest: Forest): ClippedTimes {
  const starts = new Float64Array(spans.length);
  const ends = new Float64Array(spans.length);
  for (const at of forest.preorder) {
    const { startUs, endUs } = spans[at]!;
    const parent = forest.parents[at]!;
    const first = parent < 0 ? Number.NEGATIVE_INFINITY : starts[parent]!;
    const last = parent < 0 ? Number.POSITIVE_INFINITY : ends[parent]!;
    starts[at] = Math.min(Math.max(startUs, first), last);
    // A clock that was set back may end a span before it starts.
    ends[at] = Math.max(starts[at]!, Math.min(endUs, last));
  }
  return { starts, ends };
}
