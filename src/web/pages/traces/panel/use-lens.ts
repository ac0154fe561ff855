// Pointing at the strip of the whole time: inside the lens a drag moves it, elsewhere it chooses another part; a click is reported with
// its time.
import { type PointerEvent, useRef, useState } from "react";
import type { TimeView } from "./use-time-window.ts";

/** Pixels below which a drag is a click, and around a click in which something is meant by it. */
const CLICK_PX = 4;
const NEAR_PX = 6;

interface Share {
  /** 0 to 1. */
  readonly from: number;
  readonly to: number;
}

interface Drag {
  readonly begin: number;
  /** Of a drag that moves the lens: where it stood. Null for one that chooses. */
  readonly lens: Share | null;
}

/** `onClick` gets microseconds: where it was, and how far around it something is meant. */
export function useLens(time: TimeView, onClick: (atUs: number, reachUs: number) => void) {
  const [range, setRange] = useState<Share | null>(null);
  const drag = useRef<Drag | null>(null);
  const { lengthUs, window, zoomed, showRange, showAll } = time;
  const placeOf = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width));
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const begin = placeOf(event);
      const lens = { from: window.from / lengthUs, to: window.to / lengthUs };
      const isInside = zoomed && begin >= lens.from && begin <= lens.to;
      drag.current = { begin, lens: isInside ? lens : null };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (drag.current === null) return;
      const { begin, lens } = drag.current;
      const now = placeOf(event);
      if (lens === null) {
        setRange({ from: Math.min(begin, now), to: Math.max(begin, now) });
        return;
      }
      const by = Math.max(-lens.from, Math.min(1 - lens.to, now - begin));
      showRange((lens.from + by) * lengthUs, (lens.to + by) * lengthUs);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (drag.current === null) return;
      const { begin, lens } = drag.current;
      const now = placeOf(event);
      drag.current = null;
      setRange(null);
      const width = event.currentTarget.clientWidth;
      if (Math.abs(now - begin) * width < CLICK_PX) onClick(now * lengthUs, (NEAR_PX / width) * lengthUs);
      else if (lens === null) showRange(Math.min(begin, now) * lengthUs, Math.max(begin, now) * lengthUs);
    },
    onPointerCancel() {
      drag.current = null;
      setRange(null);
    },
    onDoubleClick: showAll,
  };
  return { range, handlers };
}
