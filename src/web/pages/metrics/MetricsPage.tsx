// The metrics of a project: figures of the range, charts that share their bins, their pointer and the range, and lists of what
// stands out, which lead to the rows.
import { useMemo, useState } from "react";
import { useParams } from "wouter";
import { MOST_BARS } from "../../explorer/bins.ts";
import { LateOnboarding } from "../../explorer/LateOnboarding.tsx";
import { ProjectPage, useProject } from "../../explorer/ProjectPage.tsx";
import { RangeActions } from "../../explorer/RangeActions.tsx";
import { useBins } from "../../explorer/use-bins.ts";
import { createPointer } from "../../kit/charts/pointer.ts";
import type { Span } from "../../kit/charts/series.ts";
import { TimeChart } from "../../kit/charts/TimeChart.tsx";
import { useNarrow } from "../../kit/media.ts";
import { useAddress, useTimeRange } from "../../lib/address.ts";
import { formatCompact, formatDuration, formatRoundDuration } from "../../lib/format.ts";
import { useRefresh } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { text } from "../../texts/texts.ts";
import { Agreements } from "./Agreements.tsx";
import { AnnotationCharts } from "./AnnotationCharts.tsx";
import { CostChart } from "./CostChart.tsx";
import { CostLists } from "./CostLists.tsx";
import { allSpansOf, latenciesOf, modelCallsOf, tokensOf, toolCallsOf, tracesOf } from "./chart-data.ts";
import { askedSplits, costSplits } from "./cost-series.ts";
import { Figures } from "./Figures.tsx";
import { GroupBy } from "./GroupBy.tsx";
import { GroupedChart } from "./GroupedChart.tsx";
import type { GroupMeasure } from "./group-series.ts";
import { Histograms } from "./Histograms.tsx";
import { useListLink } from "./list-links.ts";
import styles from "./MetricsPage.module.css";
import { costSeries, latencySeries, spanSeries, tokenSeries, traceSeries } from "./metrics.queries.ts";
import { TopLists } from "./TopLists.tsx";
import { type AskedChart, useChart } from "./use-chart.ts";

/** Asked for; counts of several become one bar where they would be too thin. */
const MOST_BINS = 180;
const MOST_BARS_NARROW = 40;
/** Parameter of the address: what costs are split by. */
const SPLIT = "costs";
/** Parameter of the address: the attribute by which the charts are grouped. */
const GROUP = "group";
const shown = ["traces"] as const;
const all = {};
const modelCalls = { condition: "span_kind == 'LLM'" };
const toolCalls = { condition: "span_kind == 'TOOL'" };

export default function MetricsPage() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const [range, setRange] = useTimeRange();
  const { project } = useProject(projectId);
  const narrow = useNarrow();
  const [pointer] = useState(createPointer);
  const refresh = useRefresh(shown);
  const { startTime = null, endTime = null } = project ?? {};
  const most = narrow ? MOST_BARS_NARROW : MOST_BARS;
  const bins = useBins(range, { startTime, endTime }, MOST_BINS);
  // Quantiles cannot be put together afterwards, so a line has as many points as it is drawn with.
  const lineBins = useBins(range, { startTime, endTime }, narrow ? MOST_BARS_NARROW : MOST_BINS);
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const link = useListLink(projectId, range);
  const traces = useChart(traceSeries, projectId, bins, tracesOf, all, most, "at once");
  const latencies = useChart(latencySeries, projectId, lineBins, latenciesOf, all, undefined, "at once");
  const tokens = useChart(tokenSeries, projectId, bins, tokensOf, all, most, "at once");
  const { get, set } = useAddress();
  const group = get(GROUP);
  const when = group === null ? "seen" : "never";
  const split = costSplits.find((each) => each === get(SPLIT)) ?? "kind";
  const { asked, read } = askedSplits[split];
  const { place: costPlace, ...costs } = useChart(costSeries, projectId, bins, read, asked, most, "at once");
  const spans = useChart(spanSeries, projectId, bins, allSpansOf, all, most, when);
  const models = useChart(spanSeries, projectId, bins, modelCallsOf, modelCalls, most, when);
  const tools = useChart(spanSeries, projectId, bins, toolCallsOf, toolCalls, most, when);

  if (project?.hasTraces === false) {
    return (
      <ProjectPage projectId={projectId} tab="metrics">
        <LateOnboarding />
      </ProjectPage>
    );
  }
  const onSpan = ({ fromMs, toMs }: Span) =>
    setRange({ preset: null, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });
  /** What is drawn in a place that stays the same. */
  const grouped = (name: string, title: string, measure: GroupMeasure, condition?: string) =>
    group !== null && (
      <GroupedChart
        {...{ projectId, name, title, measure, condition, pointer, onSpan }}
        attribute={group}
        bins={measure === "LATENCY" ? lineBins : bins}
        mostBars={most}
      />
    );
  const chart = (name: string, title: string, asked: AskedChart, measure: GroupMeasure, condition?: string) => {
    const { place, ...shown } = asked;
    const kind = measure === "LATENCY" ? "lines" : "bars";
    const format = kind === "lines" ? formatDuration : formatCompact;
    const axisFormat = kind === "lines" ? formatRoundDuration : formatCompact;
    return (
      <div ref={place} className={styles.place}>
        {grouped(name, title, measure, condition) || (
          <TimeChart {...{ name, title, kind, format, axisFormat, pointer, onSpan }} {...shown} />
        )}
      </div>
    );
  };

  return (
    <ProjectPage
      projectId={projectId}
      tab="metrics"
      actions={<RangeActions range={range} onRange={setRange} onRefresh={refresh} />}
    >
      <div className={styles.page}>
        <Figures projectId={projectId} range={range} link={link} charts={{ traces, latencies, tokens, costs }} />
        <div>
          <GroupBy
            projectId={projectId}
            attribute={group}
            onChange={(attribute) => set({ [GROUP]: attribute }, "replace")}
          />
        </div>
        <div className={styles.charts}>
          {chart("traces", text("metrics.traces"), traces, "TRACES")}
          {chart("latency", text("metrics.latency"), latencies, "LATENCY")}
        </div>
        <TopLists projectId={projectId} timeRange={timeRange} link={link} />
        <div ref={costPlace} className={styles.place}>
          {grouped("costs", text("costs.cost"), "COST") || (
            <CostChart
              {...{ projectId, pointer, onSpan, split }}
              onSplit={(next) => set({ [SPLIT]: next === "kind" ? null : next }, "replace")}
              asked={costs}
            />
          )}
        </div>
        <CostLists projectId={projectId} bins={bins} link={link} />
        <div className={styles.charts}>
          {chart("tokens", text("metrics.tokens"), tokens, "TOKENS")}
          {chart("spans", text("metrics.spans"), spans, "SPANS")}
          {chart("models", text("metrics.model-calls"), models, "SPANS", modelCalls.condition)}
          {chart("tools", text("metrics.tool-calls"), tools, "SPANS", toolCalls.condition)}
        </div>
        <Histograms projectId={projectId} bins={bins} link={link} />
        <Agreements projectId={projectId} bins={bins} link={link} />
        <AnnotationCharts projectId={projectId} bins={lineBins} pointer={pointer} onSpan={onSpan} />
      </div>
    </ProjectPage>
  );
}
