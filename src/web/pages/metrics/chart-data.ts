// From the answers of the server to what charts show.
import { projectOf } from "../../explorer/explorer.queries.ts";
import type { ChartData, ChartSeries } from "../../kit/charts/series.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import type { latencySeries, spanSeries, tokenSeries, traceSeries } from "./metrics.queries.ts";

type Points = readonly { readonly timestamp: string }[];
type SeriesOf<Point> = Omit<ChartSeries, "values"> & { readonly of: (point: Point) => number | null };

function dataOf<Point extends Points[number]>(
  points: readonly Point[] | undefined,
  lengthMs: number,
  series: readonly SeriesOf<Point>[],
): ChartData | undefined {
  return (
    points && {
      begins: points.map(({ timestamp }) => Date.parse(timestamp)),
      lengthMs,
      series: series.map(({ of, ...look }) => ({ ...look, values: points.map(of) })),
    }
  );
}

const FINE = "--kind-unknown";

export function tracesOf(answer: ResultOf<typeof traceSeries>, lengthMs: number): ChartData | undefined {
  return dataOf(projectOf(answer)?.traceCountByStatusTimeSeries.data, lengthMs, [
    { key: "error", label: text("metrics.failed"), color: "--error", of: (point) => point.errorCount },
    { key: "ok", label: text("metrics.fine"), color: FINE, of: (point) => point.okCount },
  ]);
}

/** Spans in the colour of their kind. */
function spansOf(color: string) {
  return (answer: ResultOf<typeof spanSeries>, lengthMs: number): ChartData | undefined =>
    dataOf(projectOf(answer)?.spanCountTimeSeries.data, lengthMs, [
      { key: "error", label: text("metrics.failed"), color: "--error", of: (point) => point.errorCount ?? 0 },
      {
        key: "ok",
        label: text("metrics.fine"),
        color,
        of: ({ totalCount, errorCount }) => (totalCount ?? 0) - (errorCount ?? 0),
      },
    ]);
}
export const allSpansOf = spansOf(FINE);
export const modelCallsOf = spansOf("--kind-llm");
export const toolCallsOf = spansOf("--kind-tool");

/** Milliseconds. */
export function latenciesOf(answer: ResultOf<typeof latencySeries>, lengthMs: number): ChartData | undefined {
  const data = dataOf(projectOf(answer)?.traceLatencyMsPercentileTimeSeries.data, lengthMs, [
    { key: "p99", label: "P99", color: "--kind-guardrail", look: "dots", of: (point) => point.p99 },
    { key: "p95", label: "P95", color: "--kind-evaluator", look: "band", of: (point) => point.p95 },
    { key: "p50", label: "P50", color: "--ink", of: (point) => point.p50 },
  ]);
  return data && { ...data, durations: true };
}

export function tokensOf(answer: ResultOf<typeof tokenSeries>, lengthMs: number): ChartData | undefined {
  return dataOf(projectOf(answer)?.traceTokenCountTimeSeries.data, lengthMs, [
    {
      key: "prompt",
      label: text("metrics.prompt"),
      color: "--kind-prompt",
      of: (point) => point.promptTokenCount ?? 0,
    },
    {
      key: "completion",
      label: text("metrics.completion"),
      color: "--kind-llm",
      of: (point) => point.completionTokenCount ?? 0,
    },
  ]);
}
