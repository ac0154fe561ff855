// Traces over time by status, a strip of 44 px: one look at where the traffic was and where it failed. Dragging over it sets the
// range; with the keyboard the range control does the same.
import { ChevronDown, ChevronUp } from "lucide-react";
import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../kit/Button.tsx";
import { binText } from "../kit/charts/ticks.ts";
import { useNarrow } from "../kit/media.ts";
import { formatCompact, formatCount, formatTimePart } from "../lib/format.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { useGraphql } from "../lib/queries.ts";
import type { TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { barsOf } from "./bins.ts";
import styles from "./ChartStrip.module.css";
import { projectOf, projectTraffic, type TrafficBin } from "./explorer.queries.ts";
import { type Lifetime, useBins } from "./use-bins.ts";

interface ChartStripProps extends Lifetime {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly onRange: (range: TimeRange) => void;
}

/** Asked for; several become one bar where they would be too thin. */
const MOST_BINS = 180;
const openPreference = createPreference("strip.open", true);

export function ChartStrip({ projectId, range, onRange, startTime, endTime }: ChartStripProps) {
  const [open, setOpen] = usePreference(openPreference);
  const narrow = useNarrow();
  const { timeRange, config, lengthMs } = useBins(range, { startTime, endTime }, MOST_BINS);
  const { data, error } = useGraphql(projectTraffic, timeRange && { id: projectId, timeRange, bins: config }, {
    enabled: open && !narrow,
    live: true,
    keepPrevious: true,
  });
  if (narrow) return null;
  const bins = projectOf(data)?.traceCountByStatusTimeSeries.data;
  return (
    <div className={styles.strip}>
      {open &&
        (bins === undefined ? (
          <div className={styles.waiting}>{error?.message}</div>
        ) : (
          <Bars bins={bins} lengthMs={lengthMs} offsetMs={config.utcOffsetMinutes * 60_000} onRange={onRange} />
        ))}
      <IconButton
        small
        label={text(open ? "explorer.strip.hide" : "explorer.strip.show")}
        icon={open ? <ChevronUp /> : <ChevronDown />}
        onClick={() => setOpen(!open)}
      />
    </div>
  );
}

interface BarsProps {
  readonly bins: readonly TrafficBin[];
  readonly lengthMs: number;
  readonly offsetMs: number;
  readonly onRange: (range: TimeRange) => void;
}

function Bars({ bins, lengthMs, offsetMs, onRange }: BarsProps) {
  const zone = useTimeZone();
  const [host, width] = useWidth();
  const bars = useMemo(() => barsOf(bins, lengthMs, offsetMs, width), [bins, lengthMs, offsetMs, width]);
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const highest = Math.max(1, ...bars.map(({ totalCount }) => totalCount));
  const at = (event: PointerEvent<HTMLElement>) => {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / whole) * bars.length)));
  };
  const low = dragged === null ? -1 : Math.min(...dragged);
  const high = dragged === null ? -1 : Math.max(...dragged);
  const shown = hovered === null ? undefined : bars[hovered];
  const [first, last] = [bars[0], bars.at(-1)];

  return (
    <div ref={host} className={styles.chart}>
      <div
        className={styles.bars}
        role="img"
        aria-label={text("explorer.strip.label", {
          traces: bars.reduce((sum, { totalCount }) => sum + totalCount, 0),
          errors: bars.reduce((sum, { errorCount }) => sum + errorCount, 0),
        })}
        onPointerDown={(event) => {
          if (bars.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged([at(event), at(event)]);
        }}
        onPointerMove={(event) => {
          setHovered(at(event));
          if (dragged !== null) setDragged([dragged[0], at(event)]);
        }}
        onPointerLeave={() => setHovered(null)}
        onPointerUp={() => {
          setDragged(null);
          const [begin, end] = [bars[low], bars[high]];
          if (begin === undefined || end === undefined) return;
          const [from, to] = [new Date(begin.fromMs).toISOString(), new Date(end.toMs).toISOString()];
          onRange({ preset: null, from, to });
        }}
      >
        {bars.map(({ fromMs, totalCount, errorCount }, index) => (
          <span key={fromMs} className={styles.bar} data-chosen={(index >= low && index <= high) || undefined}>
            {totalCount > 0 && (
              <span className={styles.total} style={{ height: `${Math.max(5, (totalCount / highest) * 100)}%` }}>
                {errorCount > 0 && (
                  <span className={styles.failed} style={{ height: `${(errorCount / totalCount) * 100}%` }} />
                )}
              </span>
            )}
          </span>
        ))}
        {shown !== undefined && (
          <span className={styles.tip} style={{ left: `${((hovered! + 0.5) / bars.length) * 100}%` }}>
            {binText(shown, zone)} · {text("explorer.strip.traces", { count: shown.totalCount })}
            {shown.errorCount > 0 && (
              <b> · {text("explorer.strip.errors", { errors: formatCount(shown.errorCount) })}</b>
            )}
          </span>
        )}
      </div>
      <span className={styles.most}>{formatCompact(highest)}</span>
      {first !== undefined && last !== undefined && (
        <div className={styles.ends}>
          <span>{edgeText(first.fromMs, last.toMs, zone)}</span>
          <span>{edgeText(last.toMs, first.fromMs, zone)}</span>
        </div>
      )}
    </div>
  );
}

const DAY_MS = 86_400_000;

/** An end of the strip: its day, and where the strip is short, the time as well. */
function edgeText(ms: number, otherMs: number, zone: string): string {
  const day = formatTimePart(ms, zone, "day");
  return Math.abs(otherMs - ms) > 3 * DAY_MS ? day : `${day}, ${formatTimePart(ms, zone, "minute")}`;
}

/** An element and how wide it is, in whole pixels. */
function useWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const read = () => setWidth(element.clientWidth);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [host, width];
}
