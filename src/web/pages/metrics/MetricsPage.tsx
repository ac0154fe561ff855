// The metrics of a project: figures of the range, charts that share their bins, their pointer and the range, and lists of what
// stands out, which lead to the rows.
import { RefreshCw } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation, useParams } from "wouter";
import { projectOf, traceFigures } from "../../explorer/explorer.queries.ts";
import { Onboarding } from "../../explorer/onboarding/Onboarding.tsx";
import { ProjectPage, useProject } from "../../explorer/ProjectPage.tsx";
import { StatsBar } from "../../explorer/StatsBar.tsx";
import { useBins } from "../../explorer/use-bins.ts";
import { IconButton } from "../../kit/Button.tsx";
import { createPointer } from "../../kit/charts/pointer.ts";
import type { Span } from "../../kit/charts/series.ts";
import { TimeChart } from "../../kit/charts/TimeChart.tsx";
import { useNarrow } from "../../kit/media.ts";
import { Notice } from "../../kit/States.tsx";
import { TimeRangeControl } from "../../kit/TimeRangeControl.tsx";
import { useTimeRange } from "../../lib/address.ts";
import { formatCompact, formatCount, formatDuration, formatRoundDuration, formatShare } from "../../lib/format.ts";
import { useGraphql, useRefresh } from "../../lib/queries.ts";
import { LiveRange } from "../../lib/time-range.ts";
import { LiveButton } from "../../shell/LiveButton.tsx";
import { text } from "../../texts/texts.ts";
import { allSpansOf, latenciesOf, modelCallsOf, tokensOf, toolCallsOf, tracesOf } from "./chart-data.ts";
import { useListLink } from "./list-links.ts";
import styles from "./MetricsPage.module.css";
import { latencySeries, spanSeries, tokenSeries, traceSeries } from "./metrics.queries.ts";
import { TopLists } from "./TopLists.tsx";
import { type AskedChart, useChart } from "./use-chart.ts";

/** Bars of a chart: as many as can be told apart. */
const MOST_BARS = 180;
const MOST_BARS_NARROW = 72;
const shown = ["traces"] as const;
const all = {};
const modelCalls = { condition: "span_kind == 'LLM'" };
const toolCalls = { condition: "span_kind == 'TOOL'" };

export default function MetricsPage() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const [, navigate] = useLocation();
  const [range, setRange] = useTimeRange();
  const { project } = useProject(projectId);
  const narrow = useNarrow();
  const [pointer] = useState(createPointer);
  const refresh = useRefresh(shown);
  const { startTime = null, endTime = null } = project ?? {};
  const bins = useBins(range, { startTime, endTime }, narrow ? MOST_BARS_NARROW : MOST_BARS);
  const timeRange = useMemo(() => new LiveRange(range), [range]);
  const link = useListLink(projectId, range);
  const figures = useGraphql(
    traceFigures,
    { id: projectId, timeRange, condition: "" },
    { keepPrevious: true, live: "slowly" },
  );
  const counted = projectOf(figures.data)?.traceFigures;

  const traces = useChart(traceSeries, projectId, bins, tracesOf, all);
  const latencies = useChart(latencySeries, projectId, bins, latenciesOf, all);
  const tokens = useChart(tokenSeries, projectId, bins, tokensOf, all);
  const spans = useChart(spanSeries, projectId, bins, allSpansOf, all);
  const models = useChart(spanSeries, projectId, bins, modelCallsOf, modelCalls);
  const tools = useChart(spanSeries, projectId, bins, toolCallsOf, toolCalls);

  if (project?.hasTraces === false) {
    return (
      <ProjectPage projectId={projectId} tab="metrics">
        <Onboarding />
      </ProjectPage>
    );
  }
  const onSpan = ({ fromMs, toMs }: Span) =>
    setRange({ preset: null, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });
  const chart = (name: string, title: string, asked: AskedChart, kind: "bars" | "lines") => {
    const { place, ...shown } = asked;
    const format = kind === "lines" ? formatDuration : formatCompact;
    const axisFormat = kind === "lines" ? formatRoundDuration : formatCompact;
    return (
      <div ref={place} className={styles.place}>
        <TimeChart {...{ name, title, kind, format, axisFormat, pointer, onSpan }} {...shown} />
      </div>
    );
  };

  return (
    <ProjectPage
      projectId={projectId}
      tab="metrics"
      actions={
        <>
          <TimeRangeControl range={range} onChange={setRange} />
          <IconButton label={text("explorer.refresh")} icon={<RefreshCw />} onClick={refresh} />
          <LiveButton />
        </>
      }
    >
      {figures.error && <Notice tone="error">{figures.error.message}</Notice>}
      <div className={styles.page}>
        <StatsBar
          stats={[
            {
              label: text("explorer.stat.traces"),
              value: counted && formatCount(counted.count),
              hint: text("metrics.traces.hint"),
              onClick: () => navigate(link("traces", {})),
            },
            {
              label: text("explorer.stat.errors"),
              value: counted && formatShare(counted.count === 0 ? 0 : counted.errorCount / counted.count),
              failed: (counted?.errorCount ?? 0) > 0,
              hint: text("explorer.stat.errors.hint"),
              onClick: () => navigate(link("traces", { filter: "error_count > 0" })),
            },
            { label: text("explorer.stat.p50"), value: counted && formatDuration(counted.latencyMsP50) },
            {
              label: text("explorer.stat.p99"),
              value: counted && formatDuration(counted.latencyMsP99),
              hint: text("explorer.stat.p99.hint"),
              onClick: () => navigate(link("traces", { sort: "-latencyMs" })),
            },
            { label: text("explorer.stat.tokens"), value: counted && formatCompact(counted.tokenCountTotal) },
          ]}
        />
        <div className={styles.charts}>
          {chart("traces", text("metrics.traces"), traces, "bars")}
          {chart("latency", text("metrics.latency"), latencies, "lines")}
          {chart("tokens", text("metrics.tokens"), tokens, "bars")}
          {chart("spans", text("metrics.spans"), spans, "bars")}
          {chart("models", text("metrics.model-calls"), models, "bars")}
          {chart("tools", text("metrics.tool-calls"), tools, "bars")}
        </div>
        <TopLists projectId={projectId} timeRange={timeRange} link={link} />
      </div>
    </ProjectPage>
  );
}
