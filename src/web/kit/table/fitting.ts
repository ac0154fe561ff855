// Numbers and times are never cut: their columns grow to the widest cell that was drawn, and do not shrink again.
import { useCallback, useLayoutEffect, useReducer, useState, useSyncExternalStore } from "react";

/** Pixels. A text that stands at the end is cut beyond them. */
const MOST_WIDTH = 320;
const NONE: ReadonlyMap<string, number> = new Map();

/** Least widths in pixels by the key of the column, measured after every render. */
export function useFittingWidths(scroller: { readonly current: HTMLElement | null }): ReadonlyMap<string, number> {
  const [fitting, setFitting] = useState(NONE);
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const found = new Map(fitting);
    for (const cell of scroller.current?.querySelectorAll<HTMLElement>("[data-column][data-fits]") ?? []) {
      const key = cell.dataset.column ?? "";
      const needed = Math.min(MOST_WIDTH, cell.scrollWidth);
      if (cell.scrollWidth > cell.clientWidth && needed > (found.get(key) ?? 0)) found.set(key, needed);
    }
    if ([...found].some(([key, width]) => width !== fitting.get(key))) setFitting(found);
  });
  // The font may come after the first rows.
  useLayoutEffect(() => void document.fonts.ready.then(render), []);
  return fitting;
}

/** Pixels that the rows have, also when the window changes; infinite before it is drawn. */
export function useAvailableWidth(scroller: { readonly current: HTMLElement | null }): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      const observer = new ResizeObserver(changed);
      if (scroller.current !== null) observer.observe(scroller.current);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return useSyncExternalStore(subscribe, () => scroller.current?.clientWidth ?? Number.POSITIVE_INFINITY);
}
