// Which part of the time is shown. It starts as the whole, follows a growing trace until the reader zooms, and goes back to
// the whole with another trace.
import { useCallback, useMemo, useState } from "react";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { pan, type TimeWindow, wholeTime, windowAround, zoom } from "../../../domain/trace/waterfall.ts";

export interface TimeView {
  /** Microseconds UTC at which the axis begins. */
  readonly startUs: number;
  readonly lengthUs: number;
  readonly window: TimeWindow;
  readonly zoomed: boolean;
  /** Below 1 is nearer; `anchor` of 0 to 1 keeps its place. */
  readonly zoomBy: (factor: number, anchor?: number) => void;
  readonly panBy: (share: number) => void;
  /** Microseconds from the start of the axis. */
  readonly showRange: (from: number, to: number) => void;
  readonly showSpan: (fromUs: number, toUs: number) => void;
  readonly showAll: () => void;
}

/** Where a new trace starts with the whole time again. */
export function useTimeWindow(tree: TraceTree): TimeView {
  const { startUs, lengthUs } = useMemo(() => {
    const spans = [...tree.byKey.values()].flatMap(({ span }) => (span === null ? [] : [span]));
    return wholeTime(spans);
  }, [tree]);
  const [chosen, setChosen] = useState<TimeWindow | null>(null);
  const whole = useMemo(() => ({ from: 0, to: lengthUs }), [lengthUs]);
  const window = chosen === null || chosen.to > lengthUs ? whole : chosen;

  const change = useCallback(
    (next: (window: TimeWindow) => TimeWindow) =>
      setChosen((before) => {
        const { from, to } = next(before === null || before.to > lengthUs ? { from: 0, to: lengthUs } : before);
        return from === 0 && to === lengthUs ? null : { from, to };
      }),
    [lengthUs],
  );
  return {
    startUs,
    lengthUs,
    window,
    zoomed: window !== whole,
    zoomBy: useCallback((factor, anchor) => change((now) => zoom(now, lengthUs, factor, anchor)), [change, lengthUs]),
    panBy: useCallback((share) => change((now) => pan(now, lengthUs, share)), [change, lengthUs]),
    showRange: useCallback(
      (from, to) => change(() => zoom({ from: Math.min(from, to), to: Math.max(from, to) }, lengthUs, 1)),
      [change, lengthUs],
    ),
    showSpan: useCallback(
      (from, to) => change(() => windowAround(from - startUs, to - startUs, lengthUs)),
      [change, startUs, lengthUs],
    ),
    showAll: useCallback(() => setChosen(null), []),
  };
}
