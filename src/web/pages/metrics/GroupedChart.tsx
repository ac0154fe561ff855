// A chart whose series are the values of an attribute.
import { useMemo } from "react";
import type { Bins } from "../../explorer/use-bins.ts";
import type { Pointer } from "../../kit/charts/pointer.ts";
import type { Span } from "../../kit/charts/series.ts";
import { TimeChart } from "../../kit/charts/TimeChart.tsx";
import { formatCompact, formatCost, formatDuration, formatRoundDuration } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { attributeWord, type GroupMeasure, groupsOf, MOST_GROUPS } from "./group-series.ts";
import styles from "./MetricsPage.module.css";
import { groupSeries } from "./metrics.queries.ts";
import { useChart } from "./use-chart.ts";

interface GroupedChartProps {
  readonly projectId: string;
  readonly name: string;
  readonly title: string;
  readonly attribute: string;
  readonly measure: GroupMeasure;
  /** On spans. */
  readonly condition?: string | undefined;
  readonly bins: Bins;
  /** Of counts: bars at most. */
  readonly mostBars: number;
  readonly pointer: Pointer;
  readonly onSpan: (span: Span) => void;
}

const formats = {
  TRACES: [formatCompact, formatCompact],
  LATENCY: [formatDuration, formatRoundDuration],
  TOKENS: [formatCompact, formatCompact],
  COST: [formatCost, formatCost],
  SPANS: [formatCompact, formatCompact],
} as const;

export function GroupedChart(props: GroupedChartProps) {
  const { projectId, name, title, attribute, measure, condition, bins, mostBars, pointer, onSpan } = props;
  const kind = measure === "LATENCY" ? "lines" : "bars";
  const more = useMemo(
    () => ({ attribute, measure, condition: condition ?? null, first: MOST_GROUPS }),
    [attribute, measure, condition],
  );
  const most = kind === "lines" ? undefined : mostBars;
  const { place, ...shown } = useChart(groupSeries, projectId, bins, groupsOf[measure], more, most);
  const [format, axisFormat] = formats[measure];
  const whole = text(measure === "LATENCY" ? "metrics.grouped.latency" : "metrics.grouped", {
    ...{ title, attribute: attributeWord(attribute) },
  });
  return (
    <div ref={place} className={styles.place}>
      <TimeChart {...{ name, kind, format, axisFormat, pointer, onSpan }} title={whole} {...shown} />
    </div>
  );
}
