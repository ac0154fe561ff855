// The chain of steps that determines how long a trace takes, and the time that each step spends itself.
import { type Forest, forestOf, type TreeSpan } from "../forest.ts";
import { type ClippedTimes, clippedTimes } from "./clipped-times.ts";

export interface PathSegment {
  /** The span that runs here and waits for none of its children; null between the roots of a trace that has several. */
  readonly spanKey: string | null;
  readonly fromUs: number;
  readonly toUs: number;
}

interface CriticalPath {
  /** Without gaps from the first start of a root to the last end. */
  readonly segments: readonly PathSegment[];
  /** Of each span of the list: time in which none of its children runs. */
  readonly selfUs: Float64Array;
  /** Of each span of the list: its part of the segments. */
  readonly onPathUs: Float64Array;
}

/** From the end backwards: of the children that have ended by then the one that ended last is what was waited for (of equal ones the longer,
 *  then the one before in the list). Takes time n log n. */
export function criticalPath(spans: readonly TreeSpan[]): CriticalPath {
  const forest = forestOf(spans);
  const times = clippedTimes(spans, forest);
  const onPathUs = new Float64Array(spans.length);
  const segments: PathSegment[] = [];
  walkCriticalPath(forest, times, (at, fromUs, toUs) => {
    if (at >= 0) onPathUs[at]! += toUs - fromUs;
    segments.push({ spanKey: at < 0 ? null : spans[at]!.spanKey, fromUs, toUs });
  });
  return { segments: segments.reverse(), selfUs: selfTimes(forest, times), onPathUs };
}

interface Step {
  /** -1 above several roots. */
  readonly at: number;
  readonly startUs: number;
  /** By end, the last one at the end. */
  readonly waiting: number[];
  nowUs: number;
}

/** Reports each segment from the last to the first, with the position of its span, or -1. */
export function walkCriticalPath(
  { roots, children }: Forest,
  times: ClippedTimes,
  report: (at: number, fromUs: number, toUs: number) => void,
): void {
  if (roots.length === 0) return;
  const { starts, ends } = times;
  const stepOf = (at: number): Step => ({
    at,
    startUs: starts[at]!,
    waiting: byEnd(children[at]!, times),
    nowUs: ends[at]!,
  });
  const open: Step[] = [roots.length === 1 ? stepOf(roots[0]!) : stepAbove(roots, times)];
  while (open.length > 0) {
    const step = open.at(-1)!;
    const next = lastEnded(step, ends);
    const fromUs = next === null ? step.startUs : ends[next]!;
    if (fromUs < step.nowUs) report(step.at, fromUs, step.nowUs);
    if (next === null) open.pop();
    else {
      step.nowUs = starts[next]!;
      open.push(stepOf(next));
    }
  }
}

function stepAbove(roots: readonly number[], times: ClippedTimes): Step {
  const lastEnd = roots.reduce((last, root) => Math.max(last, times.ends[root]!), Number.NEGATIVE_INFINITY);
  return { at: -1, startUs: times.starts[roots[0]!]!, waiting: byEnd(roots, times), nowUs: lastEnd };
}

function lastEnded({ waiting, nowUs }: Step, ends: Float64Array): number | null {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) if (ends[next]! <= nowUs) return next;
  return null;
}

/** The order in which they are waited for, backwards. Points in time delay nothing. */
function byEnd(positions: readonly number[], { starts, ends }: ClippedTimes): number[] {
  return positions
    .filter((at) => ends[at]! > starts[at]!)
    .sort((a, b) => ends[a]! - ends[b]! || starts[b]! - starts[a]! || b - a);
}

/** Time of each span in which none of its children runs. */
function selfTimes({ children }: Forest, { starts, ends }: ClippedTimes): Float64Array {
  const self = new Float64Array(starts.length);
  for (let at = 0; at < starts.length; at++) {
    let covered = 0;
    let until = starts[at]!;
    // By start: that of a cut child is at least the start of its parent.
    for (const child of children[at]!) {
      if (ends[child]! <= until) continue;
      covered += ends[child]! - Math.max(until, starts[child]!);
      until = ends[child]!;
    }
    self[at] = ends[at]! - starts[at]! - covered;
  }
  return self;
}
