// Tree and waterfall as one grid: the name on the left, the true time on the right. Only rows that can be seen are drawn.
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Overlay, rowOverlayOf } from "../../../domain/trace/overlays.ts";
import { type Row, type Walk, walk } from "../../../domain/trace/rows.ts";
import { type SpanCost, sumOfCosts } from "../../../domain/trace/span-costs.ts";
import { tickText } from "../../../domain/trace/tick-text.ts";
import { type WasteMarks, wasteOfRow } from "../../../domain/trace/waste-marks.ts";
import { ticksOf } from "../../../domain/trace/waterfall.ts";
import { classes } from "../../../kit/classes.ts";
import { useNarrow } from "../../../kit/media.ts";
import { text } from "../../../texts/texts.ts";
import type { VerdictsOfSpans } from "./AnnotationMarks.tsx";
import styles from "./SpanGrid.module.css";
import { rowId, SpanRow } from "./SpanRow.tsx";
import type { SpanList } from "./use-spans.ts";
import type { TimeView } from "./use-time-window.ts";

/** `--row-dense`. */
const ROW_PX = 26;
/** Pixels of the timeline between two ticks at least, and of a letter of their texts. */
const TICK_PX = 72;
const NARROW_TICK_PX = 52;
const LETTER_PX = 7;
/** Beyond the bars: space for the duration at the end of the longest one. */
const GUTTER_PX = 72;

const walks: Readonly<Record<string, Walk>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
};

interface SpanGridProps {
  readonly spans: SpanList;
  readonly verdicts: VerdictsOfSpans;
  readonly waste: WasteMarks;
  /** Null shows the times alone. */
  readonly overlay: Overlay | null;
  readonly costs: ReadonlyMap<string, SpanCost>;
  /** Pixels of the names that costs take; 0 shows none. */
  readonly costWidth: number;
  readonly time: TimeView;
  /** Width of the names in pixels. */
  readonly nameWidth: number;
  /** Above the rows: what is shown, at the left of the axis. */
  readonly caption: ReactNode;
  /** What the rows scroll with, where that is the page and not the grid alone. */
  readonly page: RefObject<HTMLElement | null> | null;
  /** A click, or a key in the tree. */
  readonly onSelect: (key: string) => void;
  /** Enter: on to the details. */
  readonly onEnter: () => void;
}

export function SpanGrid(props: SpanGridProps) {
  const { spans, verdicts, waste, overlay, costs, costWidth, time, nameWidth, caption, page, onSelect, onEnter } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const above = useHeightAbove(scroller, page);
  const [{ width, scrollbar }, setSize] = useState({ width: 0, scrollbar: 0 });
  const narrow = useNarrow();
  const { rows, active } = spans;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => (page ?? scroller).current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: above,
    // The axis stays at the top of the page.
    scrollPaddingStart: page === null ? 0 : ROW_PX,
    getItemKey: (index) => rows[index]!.node.key,
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, scrollbar: element.offsetWidth - element.clientWidth });
    });
    observer.observe(element);
    // What scrolls is narrower once a scrollbar comes.
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);

  // A reader who opened the trace by a key goes on by keys.
  useEffect(() => {
    if (document.activeElement?.closest("[role=row], [role=grid]")) scroller.current?.focus({ preventScroll: true });
  }, []);

  const at = useMemo(() => rows.findIndex(({ node }) => node.key === active), [rows, active]);
  const { scrollToIndex } = virtual;
  const isOpened = useRef(false);
  useEffect(() => {
    if (at < 0) return;
    // What a trace opens with stands among its neighbours, not at the edge.
    scrollToIndex(at, { align: isOpened.current ? "auto" : "center" });
    isOpened.current = true;
  }, [at, scrollToIndex]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const row = rows[at];
      if (row?.repeats) spans.toggle(row.node.key);
      else onEnter();
      return;
    }
    const way = walks[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const { select, toggle } = walk(rows, active, way);
    if (select !== undefined) spans.select(select);
    if (toggle !== undefined) spans.toggle(toggle);
  };

  const plotWidth = Math.max(40, width - nameWidth - GUTTER_PX);
  const { window } = time;
  const longest = tickText(window.to, window.to - window.from).length * LETTER_PX;
  const tickPx = Math.max(narrow ? NARROW_TICK_PX : TICK_PX, longest);
  const ticks = ticksOf(window, Math.max(2, Math.floor((plotWidth + GUTTER_PX) / tickPx)));
  const share = placeIn(window);
  useWheel(scroller, time, nameWidth, GUTTER_PX);

  return (
    <div
      className={classes(styles.frame, page !== null && styles.inPage)}
      style={{
        "--names": `${nameWidth}px`,
        "--costs": `${costWidth}px`,
        "--gutter": `${GUTTER_PX}px`,
        "--scrollbar": `${scrollbar}px`,
      }}
    >
      <Axis time={time} ticks={ticks} caption={caption} />
      <div
        ref={scroller}
        className={styles.scroller}
        role="tree"
        aria-label={text("trace.spans")}
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : rowId(rows[at]!.node.key)}
        onKeyDown={onKeyDown}
      >
        <div className={styles.rows} style={{ height: virtual.getTotalSize() }} role="presentation">
          <div className={styles.grid} role="presentation">
            {ticks.map((tick) => (
              <i key={tick} style={{ left: share(tick) }} />
            ))}
          </div>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <SpanRow
              key={key}
              row={rows[index]!}
              top={start - above}
              selected={index === at}
              time={time}
              narrow={narrow}
              cost={costWidth === 0 ? null : (costOf(rows[index]!, costs) ?? null)}
              overlaid={overlay === null ? undefined : rowOverlayOf(rows[index]!, overlay)}
              waste={wasteOfRow(rows[index]!, waste)}
              marks={verdicts.get(rows[index]!.node.span?.id ?? "") ?? null}
              onSelect={onSelect}
              onToggle={spans.toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Of a row that stands for many spans, of all of them. */
function costOf({ node, repeats }: Row, costs: SpanGridProps["costs"]): SpanCost | undefined {
  return repeats === null ? costs.get(node.key) : sumOfCosts(repeats.members.map(({ key }) => costs.get(key)));
}

interface AxisProps {
  readonly time: TimeView;
  /** Microseconds from the start of the axis. */
  readonly ticks: readonly number[];
  readonly caption: ReactNode;
}

function Axis({ time, ticks, caption }: AxisProps) {
  const { window } = time;
  const drag = useAxisDrag(time);
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : window.to - window.from;
  const share = placeIn(window);
  return (
    <div className={styles.axis}>
      <div className={styles.caption}>{caption}</div>
      <div className={styles.plot} title={text("trace.zoom.axis")} {...drag.handlers}>
        {ticks.map((tick) => (
          <span key={tick} className={styles.tick} style={{ left: share(tick) }}>
            {tickText(tick, step)}
          </span>
        ))}
        {drag.shown !== null && (
          <span
            className={styles.range}
            style={{ left: `${drag.shown.from * 100}%`, width: `${(drag.shown.to - drag.shown.from) * 100}%` }}
          />
        )}
      </div>
    </div>
  );
}

function placeIn({ from, to }: TimeView["window"]): (us: number) => string {
  return (us) => `${((us - from) / (to - from)) * 100}%`;
}

/** Pixels of the page above the rows; 0 where they scroll by themselves. */
function useHeightAbove(rows: RefObject<HTMLElement | null>, page: RefObject<HTMLElement | null> | null): number {
  const [above, setAbove] = useState(0);
  const measure = () => {
    const [inner, outer] = [rows.current, page?.current];
    if (inner === null || outer == null) return setAbove(0);
    const top = inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
    setAbove(Math.round(top));
  };
  // Whatever comes or goes above the rows is drawn together with them.
  useLayoutEffect(measure);
  return above;
}

/** With a modifier the wheel zooms at the pointer; sideways it pans. */
function useWheel(
  scroller: { readonly current: HTMLDivElement | null },
  { zoomBy, panBy }: TimeView,
  nameWidth: number,
  gutter: number,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      const plot = element.clientWidth - nameWidth - gutter;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const anchor = (event.clientX - element.getBoundingClientRect().left - nameWidth) / plot;
        zoomBy(Math.exp(event.deltaY / 300), Math.max(0, Math.min(1, anchor)));
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        panBy(sideways / plot);
      }
    };
    // Not passive: the browser would zoom the page.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scroller, zoomBy, panBy, nameWidth, gutter]);
}

/** Pixels below which a drag is a click. */
const CLICK_PX = 4;

function useAxisDrag({ window, showRange, showAll }: TimeView) {
  const [range, setRange] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const begin = useRef(0);
  const place = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width));
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      begin.current = place(event);
      setRange({ from: begin.current, to: begin.current });
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (range === null) return;
      const now = place(event);
      setRange({ from: Math.min(begin.current, now), to: Math.max(begin.current, now) });
    },
    onPointerUp(event: PointerEvent<HTMLDivElement>) {
      if (range === null) return;
      setRange(null);
      const length = window.to - window.from;
      if ((range.to - range.from) * event.currentTarget.clientWidth < CLICK_PX) return;
      showRange(window.from + range.from * length, window.from + range.to * length);
    },
    onPointerCancel: () => setRange(null),
    onDoubleClick: showAll,
  };
  return { shown: range, handlers };
}
