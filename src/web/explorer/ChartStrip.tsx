// What is listed, over time by status, a strip of 44 px: one look at where the traffic was and where it failed. Dragging over it sets
// the range, and so do arrow keys with Shift, and Enter.
import { ChevronDown, ChevronUp } from "lucide-react";
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "../kit/Button.tsx";
import { binText } from "../kit/charts/ticks.ts";
import { classes } from "../kit/classes.ts";
import { useNarrow } from "../kit/media.ts";
import { formatCompact, formatCount, formatTimePart } from "../lib/format.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import type { TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import { barsOf, type CountedBin } from "./bins.ts";
import styles from "./ChartStrip.module.css";
import { useProject } from "./ProjectPage.tsx";
import { type Bins as BinsOfRange, useBins } from "./use-bins.ts";

/** What the bars count, by the key of its words: what is listed, or what it says instead. */
export type Counted = "traces" | "spans" | "turns";

export interface Strip {
  readonly counted: Counted;
  /** Undefined until they are counted. */
  readonly bins: readonly CountedBin[] | null | undefined;
  readonly problem: string | null;
  readonly of: StripBins;
}

/** Asked for; several become one bar where they would be too thin. */
const MOST_BINS = 180;
const openPreference = createPreference("strip.open", true);

interface StripBins extends BinsOfRange {
  /** What is asked for: nothing while no strip is shown. */
  readonly period: BinsOfRange["timeRange"];
}

/** The bins of the strip over the range of a list. */
export function useStrip(projectId: string, range: TimeRange): StripBins {
  const [open] = usePreference(openPreference);
  const narrow = useNarrow();
  const { project } = useProject(projectId);
  const bins = useBins(range, { startTime: project?.startTime ?? null, endTime: project?.endTime ?? null }, MOST_BINS);
  const period = open && !narrow ? bins.timeRange : null;
  return useMemo(() => ({ ...bins, period }), [bins, period]);
}

interface ChartStripProps extends Strip {
  /** The bars are those of what was listed before. */
  readonly counting: boolean;
  readonly onRange: (range: TimeRange) => void;
}

export function ChartStrip({ counted, bins, problem, of, counting, onRange }: ChartStripProps) {
  const [open, setOpen] = usePreference(openPreference);
  if (useNarrow()) return null;
  const { lengthMs } = of;
  return (
    <div className={classes(styles.strip, counting && styles.counting)} aria-busy={counting}>
      {open &&
        (bins ? (
          <Bars counted={counted} bins={bins} lengthMs={lengthMs} onRange={onRange} />
        ) : (
          <div className={styles.waiting}>{problem}</div>
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
  readonly counted: Counted;
  readonly bins: readonly CountedBin[];
  readonly lengthMs: number;
  readonly onRange: (range: TimeRange) => void;
}

function Bars({ counted, bins, lengthMs, onRange }: BarsProps) {
  const zone = useTimeZone();
  const [host, width] = useWidth();
  const bars = useMemo(() => barsOf(bins, lengthMs, zone, width), [bins, lengthMs, zone, width]);
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const highest = Math.max(1, ...bars.map(({ totalCount }) => totalCount));
  const at = (event: PointerEvent<HTMLElement>) => {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / whole) * bars.length)));
  };
  const keys = useId();
  const open = (one: number, other: number) => {
    setDragged(null);
    const [begin, end] = [bars[Math.min(one, other)], bars[Math.max(one, other)]];
    if (begin === undefined || end === undefined) return;
    const [from, to] = [new Date(begin.fromMs).toISOString(), new Date(end.toMs).toISOString()];
    onRange({ preset: null, from, to });
  };
  const end = bars.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const now = Math.min(hovered ?? end, end);
    const next = { ArrowLeft: hovered === null ? end : now - 1, ArrowRight: now + 1, Home: 0, End: end }[event.key];
    if (next !== undefined) {
      const place = Math.min(end, Math.max(0, next));
      setHovered(place);
      setDragged(event.shiftKey ? [dragged?.[0] ?? now, place] : null);
    } else if (event.key === "Enter" && hovered !== null) {
      open(dragged?.[0] ?? now, now);
    } else if (event.key === "Escape" && hovered !== null) {
      leave();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = () => {
    setHovered(null);
    setDragged(null);
  };
  const low = dragged === null ? -1 : Math.min(...dragged);
  const high = dragged === null ? -1 : Math.max(...dragged);
  const shown = hovered === null ? undefined : bars[hovered];
  const spoken = shown ?? bars.at(-1);
  const inWords = ({ totalCount, errorCount }: (typeof bars)[number]) =>
    [
      text(`explorer.strip.${counted}`, { count: totalCount }),
      ...(errorCount > 0 ? [text("explorer.strip.errors", { errors: formatCount(errorCount) })] : []),
    ].join(", ");
  const [first, last] = [bars[0], bars.at(-1)];

  return (
    <div ref={host} className={styles.chart}>
      <div
        className={styles.bars}
        role="slider"
        tabIndex={0}
        aria-describedby={keys}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, end)}
        aria-valuenow={Math.max(0, Math.min(hovered ?? end, end))}
        aria-valuetext={spoken && `${binText(spoken, zone)}: ${inWords(spoken)}`}
        onKeyDown={onKeyDown}
        onBlur={leave}
        aria-label={text(`explorer.strip.${counted}.label`, {
          count: bars.reduce((sum, { totalCount }) => sum + totalCount, 0),
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
        onPointerUp={() => open(low, high)}
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
            {binText(shown, zone)} · {text(`explorer.strip.${counted}`, { count: shown.totalCount })}
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
      <p id={keys} className="visually-hidden">
        {text("charts.keys")}
      </p>
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
