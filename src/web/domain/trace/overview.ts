// The whole of a trace in a strip: in which of a few lanes each span is drawn, so that what happens at once lies side by side.
import type { TraceSpan } from "./trace-span.ts";
import type { TraceTree } from "./tree.ts";

export interface Stroke {
  readonly span: TraceSpan;
  /** 0 to the number of lanes, from the top. */
  readonly lane: number;
}

/** By start. A span takes the first lane that is free; where none is, the one that is free soonest. */
export function strokesOf(tree: TraceTree, lanes: number): Stroke[] {
  const spans = [...tree.byKey.values()].flatMap(({ span }) => (span === null ? [] : [span]));
  spans.sort((one, other) => one.startUs - other.startUs || other.endUs - one.endUs);
  const freeFrom: number[] = new Array(lanes).fill(Number.NEGATIVE_INFINITY);
  return spans.map((span) => {
    let lane = freeFrom.findIndex((free) => free <= span.startUs);
    if (lane < 0) lane = freeFrom.indexOf(Math.min(...freeFrom));
    freeFrom[lane] = Math.max(freeFrom[lane]!, span.endUs);
    return { span, lane };
  });
}
