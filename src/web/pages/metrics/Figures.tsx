// The figures of the range, each with its course and its change against the period before.
import { useMemo } from "react";
import { useLocation } from "wouter";
import { projectOf, type TraceFigures, traceFigures } from "../../explorer/explorer.queries.ts";
import { BigNumber } from "../../kit/charts/BigNumber.tsx";
import { Notice } from "../../kit/States.tsx";
import { formatCompact, formatCost, formatCount, formatDuration, formatShare } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { LiveRange, neighbourOf, RangeBefore, type TimeRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import type { ListLink } from "./list-links.ts";
import styles from "./MetricsPage.module.css";
import type { AskedChart } from "./use-chart.ts";

interface FiguresProps {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly link: ListLink;
  /** Their data are the courses of the figures. */
  readonly charts: Readonly<Record<"traces" | "latencies" | "tokens" | "costs", Pick<AskedChart, "data">>>;
}

export function Figures({ projectId: id, range, link, charts }: FiguresProps) {
  const [, navigate] = useLocation();
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const rangeBefore = useMemo(() => new RangeBefore(range), [range]);
  const hasBefore = neighbourOf(range, Date.now(), "before") !== null;
  const figures = useGraphql(traceFigures, { id, timeRange, condition: "" }, { keepPrevious: true, live: "slowly" });
  const former = useGraphql(
    traceFigures,
    { id, timeRange: rangeBefore, condition: "" },
    { enabled: hasBefore, live: "slowly" },
  );
  const now = projectOf(figures.data)?.traceFigures;
  const before = hasBefore ? projectOf(former.data)?.traceFigures : undefined;
  const figure = (
    of: (figures: TraceFigures) => number | null,
    format: (value: number | null | undefined) => string,
  ) => ({
    value: now && format(of(now)),
    now: now && of(now),
    before: before && of(before),
    format,
  });

  return (
    <>
      {figures.error && <Notice tone="error">{figures.error.message}</Notice>}
      <div className={styles.figures}>
        <BigNumber
          label={text("explorer.stat.traces")}
          {...figure(({ count }) => count, formatCount)}
          hint={text("metrics.traces.hint")}
          onClick={() => navigate(link("traces", {}))}
          course={sumsOf(charts.traces)}
          color="--ink-3"
        />
        <BigNumber
          label={text("explorer.stat.errors")}
          {...figure(errorShare, formatShare)}
          worse="up"
          failed={(now?.errorCount ?? 0) > 0}
          hint={text("explorer.stat.errors.hint")}
          onClick={() => navigate(link("traces", { filter: "error_count > 0" }))}
          course={courseOf(charts.traces, "error")}
          color="--error"
        />
        <BigNumber
          label={text("metrics.p99")}
          {...figure(({ latencyMsP99 }) => latencyMsP99, formatDuration)}
          worse="up"
          hint={text("explorer.stat.p99.hint")}
          onClick={() => navigate(link("traces", { sort: "-latencyMs" }))}
          course={courseOf(charts.latencies, "p99")}
          color="--kind-evaluator"
        />
        <BigNumber
          label={text("explorer.stat.tokens")}
          {...figure(({ tokenCountTotal }) => tokenCountTotal, formatCompact)}
          course={sumsOf(charts.tokens)}
          color="--kind-llm"
        />
        <BigNumber
          label={text("costs.cost")}
          {...figure(({ costTotal }) => costTotal, formatCost)}
          worse="up"
          hint={text("costs.stat.traces.hint")}
          onClick={() => navigate(link("traces", { sort: "-costTotal" }))}
          course={sumsOf(charts.costs)}
          color="--kind-prompt"
        />
      </div>
    </>
  );
}

function errorShare({ count, errorCount }: TraceFigures): number {
  return count === 0 ? 0 : errorCount / count;
}

function courseOf({ data }: Pick<AskedChart, "data">, key: string): readonly (number | null)[] | undefined {
  return data?.series.find((series) => series.key === key)?.values;
}

/** Of all series of a chart together. */
function sumsOf({ data }: Pick<AskedChart, "data">): readonly number[] | undefined {
  return data?.begins.map((_, at) => data.series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
}
