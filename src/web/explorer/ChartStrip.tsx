// Traces over time by status, a strip of 44 px: one look at where the traffic was and where it failed. Dragging over it sets the
// range; with the keyboard the range control does the same.
import { ChevronDown, ChevronUp } from "lucide-react";
import { type PointerEvent, useState } from "react";
import { IconButton } from "../kit/Button.tsx";
import { useNarrow } from "../kit/media.ts";
import { formatCount, formatTime } from "../lib/format.ts";
import { createPreference, usePreference } from "../lib/preferences.ts";
import { useGraphql } from "../lib/queries.ts";
import type { TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { text } from "../texts/texts.ts";
import styles from "./ChartStrip.module.css";
import { projectOf, projectTraffic, type TrafficBin } from "./explorer.queries.ts";
import { type Lifetime, useBins } from "./use-bins.ts";

interface ChartStripProps extends Lifetime {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly onRange: (range: TimeRange) => void;
}

const MOST_BARS = 180;
const openPreference = createPreference("strip.open", true);

export function ChartStrip({ projectId, range, onRange, startTime, endTime }: ChartStripProps) {
  const [open, setOpen] = usePreference(openPreference);
  const narrow = useNarrow();
  const { timeRange, config, lengthMs } = useBins(range, { startTime, endTime }, MOST_BARS);
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
          <Bars bins={bins} lengthMs={lengthMs} onRange={onRange} />
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
  readonly onRange: (range: TimeRange) => void;
}

function Bars({ bins, lengthMs, onRange }: BarsProps) {
  const zone = useTimeZone();
  const [dragged, setDragged] = useState<readonly [number, number] | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const highest = Math.max(1, ...bins.map(({ totalCount }) => totalCount));
  const at = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(bins.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bins.length)));
  };
  const low = dragged === null ? -1 : Math.min(...dragged);
  const high = dragged === null ? -1 : Math.max(...dragged);
  const shown = hovered === null ? undefined : bins[hovered];

  return (
    <div
      className={styles.bars}
      role="img"
      aria-label={text("explorer.strip.label", {
        traces: bins.reduce((sum, { totalCount }) => sum + totalCount, 0),
        errors: bins.reduce((sum, { errorCount }) => sum + errorCount, 0),
      })}
      onPointerDown={(event) => {
        if (bins.length === 0) return;
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
        const [first, last] = [bins[low], bins[high]];
        if (first === undefined || last === undefined) return;
        const to = new Date(Date.parse(last.timestamp) + lengthMs).toISOString();
        onRange({ preset: null, from: new Date(first.timestamp).toISOString(), to });
      }}
    >
      {bins.map(({ timestamp, totalCount, errorCount }, index) => (
        <span key={timestamp} className={styles.bar} data-chosen={(index >= low && index <= high) || undefined}>
          {totalCount > 0 && (
            <span className={styles.total} style={{ height: `${Math.max(4, (totalCount / highest) * 100)}%` }}>
              <span className={styles.failed} style={{ height: `${(errorCount / totalCount) * 100}%` }} />
            </span>
          )}
        </span>
      ))}
      {shown !== undefined && (
        <span className={styles.tip} style={{ left: `${((hovered! + 0.5) / bins.length) * 100}%` }}>
          {formatTime(shown.timestamp, zone, Date.now())} · {text("explorer.strip.traces", { count: shown.totalCount })}
          {shown.errorCount > 0 && <b> · {text("explorer.strip.errors", { errors: formatCount(shown.errorCount) })}</b>}
        </span>
      )}
    </div>
  );
}
