// Moving and zooming a picture: a drag moves it, the wheel and two fingers zoom at the point they are at.
import { type PointerEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { fit, showing, type Viewport, zoomAt } from "./graph-viewport.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** As small as a picture may begin: its texts can be read, its buttons be hit. */
const LEGIBLE = 0.75;
/** Pixels below which a drag is a click. */
const CLICK_PX = 4;
const WHEEL_PX = 400;

export function useGraphViewport(view: RefObject<HTMLElement | null>, picture: Size) {
  const size = useSize(view);
  /** Null until the reader moves it: a picture that grows stays in the middle. */
  const [moved, setMoved] = useState<Viewport | null>(null);
  const viewport = moved ?? fit(picture, size, LEGIBLE);
  const current = useRef(viewport);
  current.current = viewport;
  const zoom = useCallback(
    (factor: number, x: number, y: number) => setMoved(zoomAt(current.current, factor, x, y)),
    [],
  );
  useWheel(view, zoom, (x, y) => setMoved({ ...current.current, x: current.current.x - x, y: current.current.y - y }));
  const handlers = useDrag(view, current, setMoved);
  return {
    viewport,
    handlers,
    zoomBy: (factor: number) => zoom(factor, size.width / 2, size.height / 2),
    showAll: () => setMoved(fit(picture, size, 0)),
    show: (frame: Size & { readonly x: number; readonly y: number }) => setMoved(showing(current.current, frame, size)),
  };
}

function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

function useWheel(
  view: RefObject<HTMLElement | null>,
  zoom: (factor: number, x: number, y: number) => void,
  pan: (x: number, y: number) => void,
): void {
  const act = useRef({ zoom, pan });
  act.current = { zoom, pan };
  useEffect(() => {
    const element = view.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        act.current.pan(event.deltaX === 0 ? event.deltaY : event.deltaX, 0);
        return;
      }
      const { left, top } = element.getBoundingClientRect();
      act.current.zoom(Math.exp(-event.deltaY / WHEEL_PX), event.clientX - left, event.clientY - top);
    };
    // Not passive: the browser would scroll or zoom the page.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [view]);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One pointer moves the picture, two zoom it by their distance. A press that does not move stays a click on what is under it. */
function useDrag(
  view: RefObject<HTMLElement | null>,
  current: RefObject<Viewport>,
  setMoved: (viewport: Viewport) => void,
) {
  const pointers = useRef(new Map<number, Point>());
  const isDrag = useRef(false);
  const end = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size === 0) isDrag.current = false;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button === 0) pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const before = pointers.current.get(event.pointerId);
      const element = view.current;
      if (before === undefined || element === null) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (!isDrag.current && Math.hypot(now.x - before.x, now.y - before.y) < CLICK_PX) return;
      if (!isDrag.current) element.setPointerCapture(event.pointerId);
      isDrag.current = true;
      pointers.current.set(event.pointerId, now);
      const { x, y, scale } = current.current;
      // With two, each moves the middle by half.
      const share = other === undefined ? 1 : 0.5;
      const panned = { x: x + (now.x - before.x) * share, y: y + (now.y - before.y) * share, scale };
      if (other === undefined) return setMoved(panned);
      const { left, top } = element.getBoundingClientRect();
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      setMoved(zoomAt(panned, factor, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
