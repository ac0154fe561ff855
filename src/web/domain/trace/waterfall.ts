// The geometry of the waterfall: which part of the time is shown, where its ticks are, where a bar begins and ends. Times are
// microseconds from the start of the trace.

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

interface Bar {
  /** Percent of the width; both inside 0 to 100. */
  readonly left: number;
  readonly width: number;
  /** The bar goes on beyond the edge. */
  readonly cutLeft: boolean;
  readonly cutRight: boolean;
}

/** The shortest time that is shown: a window of nothing has no geometry. */
const SHORTEST = 10;

/** The whole time of a trace, from its start. Clocks that differ may put a span before its root: everything has its place. */
export function wholeTime(spans: readonly { readonly startUs: number; readonly endUs: number }[]): {
  readonly startUs: number;
  readonly lengthUs: number;
} {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { startUs, endUs } of spans) {
    if (Number.isFinite(startUs) && startUs < start) start = startUs;
    if (Number.isFinite(endUs) && endUs > end) end = endUs;
  }
  if (!Number.isFinite(start)) return { startUs: 0, lengthUs: SHORTEST };
  return { startUs: start, lengthUs: Math.max(SHORTEST, end - start) };
}

export function barOf(fromUs: number, toUs: number, window: TimeWindow): Bar | null {
  const length = window.to - window.from;
  if (!(toUs >= window.from && fromUs <= window.to)) return null;
  const left = Math.max(fromUs, window.from);
  const right = Math.min(Math.max(toUs, fromUs), window.to);
  return {
    left: ((left - window.from) / length) * 100,
    width: ((right - left) / length) * 100,
    cutLeft: fromUs < window.from,
    cutRight: toUs > window.to,
  };
}

/** Steps of an axis: 1, 2 and 5 of each power of ten up to a second, then what a clock has. */
const clockSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map(
  (seconds) => seconds * 1e6,
);

/** Round times inside the window, at most `most` of them. */
export function ticksOf(window: TimeWindow, most: number): number[] {
  let step = tickStep((window.to - window.from) / most);
  while (countTicks(window, step) > most) step = tickStep(step * 1.01);
  const first = Math.ceil(window.from / step);
  return Array.from({ length: countTicks(window, step) }, (_, i) => (first + i) * step);
}

function countTicks({ from, to }: TimeWindow, step: number): number {
  return Math.max(0, Math.floor(to / step) - Math.ceil(from / step) + 1);
}

function tickStep(atLeast: number): number {
  const clock = clockSteps.find((step) => step >= atLeast);
  if (clock !== undefined && atLeast > 500_000) return clock;
  const days = atLeast > 86_400e6 ? 86_400e6 : 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, atLeast / days)));
  const factor = [1, 2, 5, 10].find((each) => each * power * days >= atLeast * 0.999_999) ?? 10;
  return factor * power * days;
}

/** Shows `factor` of the time that was shown (below 1 is nearer), keeping the time at `anchor` (0 to 1) in its place. */
export function zoom(window: TimeWindow, whole: number, factor: number, anchor = 0.5): TimeWindow {
  const length = window.to - window.from;
  const next = Math.max(Math.min(SHORTEST, whole), Math.min(whole, length * factor));
  return kept(window.from + (length - next) * anchor, next, whole);
}

/** Moves by a share of what is shown; positive is later. */
export function pan(window: TimeWindow, whole: number, share: number): TimeWindow {
  const length = window.to - window.from;
  return kept(window.from + length * share, length, whole);
}

/** A window around one span, with a little air on both sides. */
export function windowAround(fromUs: number, toUs: number, whole: number): TimeWindow {
  const length = Math.max(Math.min(SHORTEST, whole), Math.min(whole, (toUs - fromUs) * 1.2));
  return kept((fromUs + toUs) / 2 - length / 2, length, whole);
}

function kept(from: number, length: number, whole: number): TimeWindow {
  const begin = Math.max(0, Math.min(whole - length, from));
  return { from: begin, to: begin + length };
}
