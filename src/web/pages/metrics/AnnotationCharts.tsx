// What people and programs say over time: mean scores of spans, traces and sessions, and of each name the scores of people beside
// those of programs, and the shares of its labels. A project without annotations shows none of it.
import { useMemo, useRef } from "react";
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { Bins } from "../../explorer/use-bins.ts";
import type { Pointer } from "../../kit/charts/pointer.ts";
import type { ChartData, Span } from "../../kit/charts/series.ts";
import { TimeChart } from "../../kit/charts/TimeChart.tsx";
import { Notice } from "../../kit/States.tsx";
import { formatShare } from "../../lib/format.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { formatScore, raterScoresOf, scoresOf, sharesOf } from "./annotation-series.ts";
import styles from "./MetricsPage.module.css";
import { annotationSeries } from "./metrics.queries.ts";
import { useSeen } from "./use-seen.ts";

interface AnnotationChartsProps {
  readonly projectId: string;
  readonly bins: Bins;
  readonly pointer: Pointer;
  readonly onSpan: (span: Span) => void;
}

interface OneChart {
  readonly name: string;
  readonly title: string;
  readonly data: ChartData;
  readonly format: (value: number | null) => string;
}

const targets = ["span", "trace", "session"] as const;
/** Names with charts of their own, by target. */
const MOST_NAMES = 12;

export function AnnotationCharts({ projectId, bins, pointer, onSpan }: AnnotationChartsProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const { timeRange, config, lengthMs } = bins;
  const query = useGraphql(annotationSeries, timeRange && { id: projectId, timeRange, bins: config }, {
    enabled: seen,
    keepPrevious: true,
    live: "slowly",
  });
  const project = projectOf(query.data);
  const charts = useMemo(() => {
    const found: OneChart[] = [];
    for (const target of project ? targets : []) {
      const { data: points, names } = project![target];
      const scores = scoresOf(points, names, lengthMs);
      const title = text(`metrics.scores.${target}`);
      // Of a single name its own chart says more.
      if (scores !== null && scores.series.length > 1)
        found.push({ name: `scores-${target}`, title, data: scores, format: formatScore });
      for (const name of names.slice(0, MOST_NAMES)) {
        const raters = raterScoresOf(points, name, lengthMs);
        const ofRaters = text(`metrics.scores.of.${target}`, { name });
        if (raters !== null)
          found.push({ name: `raters-${target}-${name}`, title: ofRaters, data: raters, format: formatScore });
        const shares = sharesOf(points, name, lengthMs);
        const ofLabels = text(`metrics.labels.${target}`, { name });
        if (shares !== null)
          found.push({ name: `labels-${target}-${name}`, title: ofLabels, data: shares, format: formatShare });
      }
    }
    return found;
  }, [project, lengthMs]);
  return (
    <div ref={place} className={styles.place}>
      {query.error !== null && <Notice tone="error">{query.error.message}</Notice>}
      <div className={styles.charts}>
        {charts.map(({ name, title, data, format }) => (
          <TimeChart
            key={name}
            kind="lines"
            error={null}
            stale={query.isPlaceholderData}
            onRetry={() => void query.refetch()}
            axisFormat={format}
            {...{ name, title, data, format, pointer, onSpan }}
          />
        ))}
      </div>
    </div>
  );
}
