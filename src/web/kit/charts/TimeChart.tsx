// A chart over time in its place on a page: head with the names of its series, then what is drawn, or the same as a table, or why
// there is neither. It fails, waits and is empty by itself.
import { type ReactNode, useId, useMemo, useState } from "react";
import type { PageFailure } from "../../lib/failure.ts";
import { Late, late } from "../../lib/late.tsx";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import { classes } from "../classes.ts";
import { CHART_HEIGHT, ChartFrame, ChartWaiting } from "./ChartFrame.tsx";
import { ChartTable } from "./ChartTable.tsx";
import type { ChartKind } from "./drawing.ts";
import { type Pointer, usePointed } from "./pointer.ts";
import { binAt, type ChartData, type ChartSeries, endOf, isEmpty, type Span, sumOf } from "./series.ts";
import { summaryOf } from "./summary.ts";
import styles from "./TimeChart.module.css";
import { binText } from "./ticks.ts";

const { Part: Plot } = late(() => import("./Plot.tsx"));

interface TimeChartProps {
  /** Of the page's charts, one of its own. */
  readonly name: string;
  readonly title: string;
  readonly kind: ChartKind;
  /** Undefined while it is asked for. */
  readonly data: ChartData | undefined;
  readonly error: PageFailure | null;
  readonly onRetry: () => void;
  /** The data belongs to another range than that of now. */
  readonly stale: boolean;
  readonly format: (value: number | null) => string;
  /** Shorter, where the values of an axis are round. */
  readonly axisFormat: (value: number) => string;
  readonly pointer: Pointer;
  readonly onSpan: (span: Span) => void;
  /** Beside the title: what the chart is split by, and the like. */
  readonly controls?: ReactNode;
  /** Below the chart. */
  readonly children?: ReactNode;
}

export function TimeChart(props: TimeChartProps) {
  const { name, title, kind, data, error, onRetry, stale, format, axisFormat, pointer, onSpan, controls } = props;
  const zone = useTimeZone();
  const summary = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(
    () => data && { ...data, series: data.series.filter(({ key }) => !hidden.has(key)) },
    [data, hidden],
  );
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    if (next.size < (data?.series.length ?? 0)) setHidden(next);
  };
  return (
    <ChartFrame
      {...{ title, error, onRetry, stale, controls }}
      filled={shown && shown.begins.length > 0 && !isEmpty(shown)}
      legend={
        data && <Legend data={data} kind={kind} hidden={hidden} onToggle={toggle} format={format} pointer={pointer} />
      }
      table={() => shown && <ChartTable title={title} {...tableOf(shown, zone, format)} />}
      drawing={() =>
        shown && (
          <Late fallback={<ChartWaiting title={title} />}>
            <p id={summary} className="visually-hidden">
              {summaryOf(shown, kind, zone, format)} {text("charts.keys")}
            </p>
            <Plot
              name={name}
              label={title}
              describedBy={summary}
              data={shown}
              kind={kind}
              height={CHART_HEIGHT}
              zone={zone}
              format={format}
              axisFormat={axisFormat}
              pointer={pointer}
              onSpan={onSpan}
            />
          </Late>
        )
      }
    >
      {props.children}
    </ChartFrame>
  );
}

/** The newest bin first. Bins without anything are left out. */
function tableOf(data: ChartData, zone: string, format: TimeChartProps["format"]) {
  const rows = data.begins
    .map((begin, index) => ({ begin, index, values: data.series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .map(({ begin, index, values }) => ({
      key: String(begin),
      cells: [binText({ fromMs: begin, toMs: endOf(data, index) }, zone), ...values.map(format)],
    }))
    .reverse();
  return { heads: [text("charts.time"), ...data.series.map(({ label }) => label)], rows };
}

interface LegendProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  readonly format: (value: number | null) => string;
  readonly pointer: Pointer;
}

/** The values at the time under the pointer; at rest, of bars, the sums. */
function Legend({ data, kind, hidden, onToggle, format, pointer }: LegendProps) {
  const pointed = usePointed(pointer);
  const index = pointed === null ? null : binAt(data, pointed.ms);
  const shownOf = (series: ChartSeries) =>
    index !== null ? format(series.values[index] ?? null) : kind === "bars" ? format(sumOf(series)) : "";
  return (
    <ul className={styles.legend}>
      {data.series.map((series) => (
        <li key={series.key}>
          <button
            type="button"
            className={styles.series}
            aria-pressed={!hidden.has(series.key)}
            onClick={() => onToggle(series.key)}
          >
            <span
              className={classes(styles.mark, styles[series.look === "dots" ? "dots" : kind])}
              style={{ color: `var(${series.color})` }}
            />
            <span className={styles.name}>{series.label}</span>
            <span className={styles.value}>{shownOf(series)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
