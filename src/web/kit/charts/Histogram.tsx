// How many of something lie between two values each: bars that are walked by pointer and by keys, and lead to what they count.
import { type KeyboardEvent, type MouseEvent, useId, useState } from "react";
import type { PageFailure } from "../../lib/failure.ts";
import { formatCompact, formatCount } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { ChartFrame } from "./ChartFrame.tsx";
import { ChartTable } from "./ChartTable.tsx";
import { ChartTip, TipLine } from "./ChartTip.tsx";
import styles from "./Histogram.module.css";
import { countOf, edgeLabels, type HistogramData, highestBin } from "./histogram-data.ts";

interface HistogramProps {
  readonly title: string;
  /** What lies between the edges, such as `Latency`. */
  readonly measure: string;
  /** Undefined while it is asked for. */
  readonly data: HistogramData | undefined;
  readonly error: PageFailure | null;
  readonly onRetry: () => void;
  readonly stale: boolean;
  readonly format: (value: number) => string;
  /** Opens what a bin counts. */
  readonly onBin?: ((bin: number) => void) | undefined;
}

export function Histogram(props: HistogramProps) {
  const { title, measure, data, error, onRetry, stale, format, onBin } = props;
  const between = (at: number) => {
    const { min = 0, max = 0 } = data?.bins[at] ?? {};
    return min === max ? format(min) : text("charts.bin", { from: format(min), to: format(max) });
  };
  return (
    <ChartFrame
      {...{ title, error, onRetry, stale }}
      filled={data && data.bins.length > 0}
      legend={data !== undefined && data.series.length > 1 ? <Legend data={data} /> : undefined}
      table={() =>
        data && (
          <ChartTable
            title={title}
            heads={[measure, ...data.series.map(({ label }) => label)]}
            rows={data.bins.map(({ min }, at) => ({
              key: String(min),
              cells: [between(at), ...data.series.map(({ counts }) => formatCount(counts[at]))],
            }))}
          />
        )
      }
      drawing={() => data && <Bars {...{ title, data, between, format, onBin }} />}
    />
  );
}

interface BarsProps extends Pick<HistogramProps, "title" | "format" | "onBin"> {
  readonly data: HistogramData;
  /** A bin in words. */
  readonly between: (bin: number) => string;
}

function Bars({ title, data, between, format, onBin }: BarsProps) {
  const keys = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const { bins, series } = data;
  const last = bins.length - 1;
  const at = pointed === null ? null : Math.min(pointed, last);
  const fullest = highestBin(data);
  const highest = Math.max(1, countOf(data, fullest));
  const binUnder = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * bins.length)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = at ?? fullest;
    const to = {
      ArrowLeft: from - (at === null ? 0 : 1),
      ArrowRight: from + (at === null ? 0 : 1),
      Home: 0,
      End: last,
    };
    const next = to[event.key as keyof typeof to];
    if (next !== undefined) {
      event.preventDefault();
      setPointed(Math.min(last, Math.max(0, next)));
    } else if (event.key === "Enter" && at !== null && onBin !== undefined) {
      event.preventDefault();
      onBin(at);
    } else if (event.key === "Escape" && at !== null) {
      event.stopPropagation();
      setPointed(null);
    }
  };
  const counts = (bin: number) =>
    series.map((each) => text("charts.bin.count", { series: each.label, count: formatCount(each.counts[bin]) }));
  const shown = at ?? fullest;
  return (
    <div className={styles.chart}>
      <span className={styles.most}>{formatCompact(highest)}</span>
      <p id={keys} className="visually-hidden">
        {text("charts.bin.most", { bin: between(fullest), count: formatCount(countOf(data, fullest)) })}{" "}
        {text(onBin === undefined ? "charts.bin.keys" : "charts.bin.keys.open")}
      </p>
      <div
        className={classes(styles.bars, onBin !== undefined && styles.opens)}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-describedby={keys}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={`${between(shown)}: ${counts(shown).join(", ")}`}
        onKeyDown={onKeyDown}
        onBlur={() => setPointed(null)}
        onPointerMove={(event) => setPointed(binUnder(event))}
        onPointerLeave={() => setPointed(null)}
        onClick={(event) => onBin?.(binUnder(event))}
      >
        {bins.map((bin, place) => (
          <span key={bin.min} className={styles.bin} data-pointed={place === at || undefined}>
            {series.map(({ key, color, counts: of }) => (
              <span
                key={key}
                className={styles.bar}
                style={{ height: `${((of[place] ?? 0) / highest) * 100}%`, background: `var(${color})` }}
              />
            ))}
          </span>
        ))}
        {at !== null && (
          <ChartTip title={between(at)} style={tipPlace(at, bins.length)}>
            {series.map(({ key, counts: of, ...shown }) => (
              <TipLine key={key} {...shown} value={formatCount(of[at])} />
            ))}
          </ChartTip>
        )}
      </div>
      <div className={styles.axis} aria-hidden="true">
        {edgeLabels(bins).map(({ place, value }) => (
          <span key={place} style={{ left: `${place * 100}%` }}>
            {format(value)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Beside the bar, on the side with more space. */
function tipPlace(at: number, bins: number) {
  const place = (at + 0.5) / bins;
  const side = at > (bins - 1) / 2 ? { right: `${(1 - place) * 100}%` } : { left: `${place * 100}%` };
  return { ...side, maxWidth: "60%", margin: "0 10px" };
}

function Legend({ data: { series } }: { readonly data: HistogramData }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ key, counts, ...shown }) => (
        <li key={key}>
          <TipLine {...shown} value={formatCount(counts.reduce((sum, count) => sum + count, 0))} />
        </li>
      ))}
    </ul>
  );
}
