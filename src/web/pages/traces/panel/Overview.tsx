// The shape of the whole trace in a strip: every span a stroke in the colour of its kind, failures as red ticks over them, and the
// part of the time that is shown as a lens. Dragging the lens moves it, dragging beside it chooses another part, a click at a tick
// goes to the failed span.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { kindLooks, shownKinds } from "../../../domain/trace/kinds.ts";
import { type Stroke, strokesOf } from "../../../domain/trace/overview.ts";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { formatCount, formatDuration } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./Overview.module.css";
import { useLens } from "./use-lens.ts";
import type { TimeView } from "./use-time-window.ts";

const HEIGHT_PX = 28;
const STROKE_PX = 2;
/** A stroke and the gap below it. */
const LANE_PX = 3;
const LANES = Math.floor(HEIGHT_PX / LANE_PX);
const ZOOM_STEP = 0.5;
const PAN_STEP = 0.1;

interface OverviewProps {
  readonly tree: TraceTree;
  readonly time: TimeView;
  readonly onSelect: (key: string) => void;
}

export function Overview({ tree, time, onSelect }: OverviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const strokes = useMemo(() => strokesOf(tree, LANES), [tree]);
  const failed = useMemo(() => strokes.flatMap(({ span }) => (span.status === "ERROR" ? [span] : [])), [strokes]);
  useDrawing(canvas, strokes, time.startUs, time.lengthUs);
  const place = (us: number) => (us / time.lengthUs) * 100;
  const lens = useLens(time, (atUs, reachUs) => {
    const near = failed
      .map((span) => ({ span, apart: Math.abs(span.endUs - time.startUs - atUs) }))
      .filter(({ apart }) => apart <= reachUs)
      .sort((one, other) => one.apart - other.apart)[0];
    if (near !== undefined) onSelect(near.span.spanKey);
  });
  const { window } = time;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") time.panBy(-PAN_STEP);
    else if (event.key === "ArrowRight") time.panBy(PAN_STEP);
    else if (event.key === "+" || event.key === "=") time.zoomBy(ZOOM_STEP);
    else if (event.key === "-") time.zoomBy(1 / ZOOM_STEP);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = {
    from: formatDuration(window.from / 1000),
    to: formatDuration(window.to / 1000),
    whole: formatDuration(time.lengthUs / 1000),
  };
  return (
    <div className={styles.strip} {...lens.handlers}>
      <p className="visually-hidden">{summary(strokes, time)}</p>
      <canvas ref={canvas} className={styles.canvas} />
      {failed.length > 0 && <Ticks places={failed.map((span) => place(span.endUs - time.startUs))} />}
      <i className={styles.beside} style={{ left: 0, width: `${place(window.from)}%` }} />
      <i className={styles.beside} style={{ right: 0, width: `${100 - place(window.to)}%` }} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={text("trace.overview.lens")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(place((window.from + window.to) / 2))}
        aria-valuetext={text("trace.overview.window", shown)}
        data-zoomed={time.zoomed}
        className={styles.lens}
        style={{ left: `${place(window.from)}%`, width: `${place(window.to - window.from)}%` }}
        onKeyDown={onKeyDown}
      />
      {lens.range !== null && (
        <i
          className={styles.range}
          style={{ left: `${lens.range.from * 100}%`, width: `${(lens.range.to - lens.range.from) * 100}%` }}
        />
      )}
    </div>
  );
}

/** More could not be distinguished. */
const MOST_TICKS = 200;

function Ticks({ places }: { readonly places: readonly number[] }) {
  const apart = [...new Set(places.map((place) => Math.round(place * 5) / 5))].slice(0, MOST_TICKS);
  return apart.map((left) => <i key={left} data-failed className={styles.tick} style={{ left: `${left}%` }} />);
}

/** The strip in words. */
function summary(strokes: readonly Stroke[], time: TimeView): string {
  const counts = new Map<SpanKind, number>();
  for (const { span } of strokes) counts.set(span.kind, (counts.get(span.kind) ?? 0) + 1);
  const kinds = shownKinds.flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined ? [] : `${text(kindLooks[kind].label)} ${formatCount(count)}`;
  });
  const failed = strokes.filter(({ span }) => span.status === "ERROR");
  const whole = text("trace.overview", {
    count: text("trace.spans.all", { count: strokes.length }),
    time: formatDuration(time.lengthUs / 1000),
    kinds: kinds.join(", "),
  });
  if (failed.length === 0) return whole;
  const times = formatDuration(Math.min(...failed.map(({ span }) => span.endUs - time.startUs)) / 1000);
  return `${whole}. ${text("trace.overview.failed", { count: failed.length, times })}`;
}

function useDrawing(
  canvas: { readonly current: HTMLCanvasElement | null },
  strokes: readonly Stroke[],
  startUs: number,
  lengthUs: number,
): void {
  // Theme and width are the page's: what changes them draws again.
  const [look, setLook] = useState(0);
  useEffect(() => {
    const again = () => setLook((before) => before + 1);
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const size = new ResizeObserver(again);
    if (canvas.current !== null) size.observe(canvas.current);
    return () => {
      theme.disconnect();
      size.disconnect();
    };
  }, [canvas]);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    // Nothing to see yet.
    if (element === null || !context || look < 0) return;
    const scale = devicePixelRatio;
    const width = element.clientWidth;
    element.width = width * scale;
    element.height = HEIGHT_PX * scale;
    context.scale(scale, scale);
    const tokens = getComputedStyle(document.documentElement);
    // Kind by kind: the ink changes a dozen times, not ten thousand.
    for (const kind of shownKinds) {
      context.fillStyle = tokens.getPropertyValue(kindLooks[kind].hue.slice(4, -1));
      for (const { span, lane } of strokes) {
        if (span.kind !== kind) continue;
        const left = ((span.startUs - startUs) / lengthUs) * width;
        const length = ((span.endUs - span.startUs) / lengthUs) * width;
        context.fillRect(Math.min(left, width - 1), lane * LANE_PX + 1, Math.max(1, length), STROKE_PX);
      }
    }
  }, [canvas, strokes, startUs, lengthUs, look]);
}
