// Statistics of projects over their traces, in GraphQL.
import { histogramBinType } from "../../../../graphql/histogram.ts";
import { requireProbability, requireSeriesOf, scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type {
  SeriesBin,
  TokenKindCount,
  TraceCounts,
  TraceLatencies,
  TraceStatisticsService,
  TraceTokens,
} from "./trace-statistics.service.ts";

const MICROSECONDS = 1000;
const PARTS = ["p50", "p75", "p90", "p95", "p99", "p999", "max"] as const;

export function addTraceStatistics(types: GraphqlTypes, statistics: TraceStatisticsService): void {
  const { builder, TimeRange, ref } = types;

  builder.objectFields(ref(PROJECT), (t) => {
    const scope = {
      timeRange: t.arg({ type: TimeRange }),
      filterCondition: t.arg.string(),
      sessionFilterCondition: t.arg.string(),
    };
    return {
      hasTraces: t.boolean({
        resolve: async ({ id }, _given, call) => (await call.load(statistics.findFilled, id, null)) ?? false,
      }),
      startTime: t.field({
        type: "DateTime",
        nullable: true,
        resolve: async ({ id }, _given, call) => (await call.load(statistics.bounds, id, null))?.startUs ?? null,
      }),
      endTime: t.field({
        type: "DateTime",
        nullable: true,
        resolve: async ({ id }, _given, call) => (await call.load(statistics.bounds, id, null))?.endUs ?? null,
      }),
      traceCount: t.int({
        args: scope,
        resolve: async ({ id }, given, call) => {
          return (await call.load(statistics.count, id, scopeOf(given))) ?? 0;
        },
      }),
      errorTraceCount: t.int({
        description: "Traces in which a span failed.",
        args: scope,
        resolve: async ({ id }, given, call) => (await call.load(statistics.countErrors, id, scopeOf(given))) ?? 0,
      }),
      latencyMsQuantile: t.float({
        nullable: true,
        description: "Of traces.",
        args: { probability: t.arg.float({ required: true }), ...scope },
        resolve: async ({ id }, { probability, ...given }, call) => {
          const options = { ...scopeOf(given), probability: requireProbability(probability) };
          const quantile = await call.load(statistics.latencyQuantile, id, options);
          return quantile === null ? null : quantile / MICROSECONDS;
        },
      }),
    };
  });
  addHistograms(types, statistics);
  addSeries(types, statistics);
}

function addHistograms(types: GraphqlTypes, statistics: TraceStatisticsService): void {
  const { builder, TimeRange, ref } = types;
  builder.objectFields(ref(PROJECT), (t) => {
    const args = {
      timeRange: t.arg({ type: TimeRange }),
      filterCondition: t.arg.string(),
      sessionFilterCondition: t.arg.string(),
    };
    const histogram = (of: "latency" | "tokens", unit: number, description: string) =>
      t.field({
        type: [histogramBinType(types)],
        description,
        args,
        resolve: async ({ id }, given, call) => {
          const bins = await call.readOnce(statistics.histogram, id, scopeOf(given), of);
          return bins.map(({ min, max, count }) => ({ min: min / unit, max: max / unit, count }));
        },
      });
    return {
      traceLatencyMsHistogram: histogram("latency", MICROSECONDS, "Traces by latency, in bins with round edges."),
      traceTokenCountHistogram: histogram("tokens", 1, "Traces with tokens by how many, in bins with round edges."),
    };
  });
}

function countSeriesType({ builder }: GraphqlTypes) {
  const TimeSeriesDataPoint = builder.objectRef<SeriesBin<TraceCounts>>("TimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      value: t.float({ nullable: true, resolve: ({ value }) => value?.count ?? null }),
    }),
  });
  const TimeSeries = builder.interfaceRef<readonly SeriesBin<TraceCounts>[]>("TimeSeries").implement({
    fields: (t) => ({ data: t.field({ type: [TimeSeriesDataPoint], resolve: (bins) => [...bins] }) }),
  });
  return builder
    .objectRef<readonly SeriesBin<TraceCounts>[]>("TraceCountTimeSeries")
    .implement({ interfaces: [TimeSeries] });
}

function addSeries(types: GraphqlTypes, statistics: TraceStatisticsService): void {
  const { builder, TimeRange, TimeBinConfig, ref } = types;

  const StatusPoint = builder.objectRef<SeriesBin<TraceCounts>>("TraceCountByStatusTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      okCount: t.int({ resolve: ({ value }) => (value === null ? 0 : value.count - value.errors) }),
      errorCount: t.int({ resolve: ({ value }) => value?.errors ?? 0 }),
      totalCount: t.int({ resolve: ({ value }) => value?.count ?? 0 }),
    }),
  });
  const LatencyPoint = builder
    .objectRef<SeriesBin<TraceLatencies>>("TraceLatencyMsPercentileTimeSeriesDataPoint")
    .implement({
      fields: (t) => {
        const part = (name: (typeof PARTS)[number]) =>
          t.float({
            nullable: true,
            resolve: ({ value }) => (typeof value?.[name] === "number" ? value[name] / MICROSECONDS : null),
          });
        return {
          timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
          p50: part("p50"),
          p75: part("p75"),
          p90: part("p90"),
          p95: part("p95"),
          p99: part("p99"),
          p999: part("p999"),
          max: part("max"),
        };
      },
    });
  const TokenKindEntry = builder.objectRef<TokenKindCount>("TraceTokenCountDetailsTimeSeriesEntry").implement({
    fields: (t) => ({
      tokenType: t.exposeString("tokenType"),
      tokenCount: t.exposeFloat("tokens", { nullable: true }),
    }),
  });
  const TokenPoint = builder.objectRef<SeriesBin<TraceTokens>>("TraceTokenCountTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      promptTokenCount: t.float({ nullable: true, resolve: ({ value }) => value?.prompt ?? null }),
      completionTokenCount: t.float({ nullable: true, resolve: ({ value }) => value?.completion ?? null }),
      totalTokenCount: t.float({
        nullable: true,
        resolve: ({ value }) => (value === null ? null : value.prompt + value.completion),
      }),
      promptTokenCountDetails: t.field({
        type: [TokenKindEntry],
        description: "By kind of token, of calls that name a model or say what they cost.",
        resolve: async ({ value }) => ((await value?.kinds()) ?? []).filter(({ isPrompt }) => isPrompt),
      }),
      completionTokenCountDetails: t.field({
        type: [TokenKindEntry],
        resolve: async ({ value }) => ((await value?.kinds()) ?? []).filter(({ isPrompt }) => !isPrompt),
      }),
    }),
  });

  const TraceCountTimeSeries = countSeriesType(types);
  const TraceCountByStatusTimeSeries = builder
    .objectRef<readonly SeriesBin<TraceCounts>[]>("TraceCountByStatusTimeSeries")
    .implement({ fields: (t) => ({ data: t.field({ type: [StatusPoint], resolve: (bins) => [...bins] }) }) });
  const TraceLatencyPercentileTimeSeries = builder
    .objectRef<readonly SeriesBin<TraceLatencies>[]>("TraceLatencyPercentileTimeSeries")
    .implement({ fields: (t) => ({ data: t.field({ type: [LatencyPoint], resolve: (bins) => [...bins] }) }) });
  const TraceTokenCountTimeSeries = builder
    .objectRef<readonly SeriesBin<TraceTokens>[]>("TraceTokenCountTimeSeries")
    .implement({ fields: (t) => ({ data: t.field({ type: [TokenPoint], resolve: (bins) => [...bins] }) }) });

  builder.objectFields(ref(PROJECT), (t) => {
    const args = {
      timeRange: t.arg({ type: TimeRange, required: true }),
      timeBinConfig: t.arg({ type: TimeBinConfig }),
    };
    return {
      traceCountTimeSeries: t.field({
        type: TraceCountTimeSeries,
        args,
        resolve: ({ id }, given, { context, nowUs }) =>
          statistics.countSeries(context, id, ...requireSeriesOf(given, nowUs)),
      }),
      traceCountByStatusTimeSeries: t.field({
        type: TraceCountByStatusTimeSeries,
        args,
        resolve: ({ id }, given, { context, nowUs }) =>
          statistics.countSeries(context, id, ...requireSeriesOf(given, nowUs)),
      }),
      sessionTurnTimeSeries: t.field({
        type: TraceCountByStatusTimeSeries,
        description: "Traces of the sessions that match the condition on sessions; without one, of every session.",
        args: { ...args, sessionFilterCondition: t.arg.string() },
        resolve: ({ id }, { sessionFilterCondition, ...given }, { context, nowUs }) => {
          const [period, bins] = requireSeriesOf(given, nowUs);
          return statistics.countTurns(context, id, period, sessionFilterCondition ?? "", bins);
        },
      }),
      traceLatencyMsPercentileTimeSeries: t.field({
        type: TraceLatencyPercentileTimeSeries,
        args,
        resolve: ({ id }, given, { context, nowUs }) =>
          statistics.latencySeries(context, id, ...requireSeriesOf(given, nowUs)),
      }),
      traceTokenCountTimeSeries: t.field({
        type: TraceTokenCountTimeSeries,
        args,
        resolve: ({ id }, given, { context, nowUs }) =>
          statistics.tokenSeries(context, id, ...requireSeriesOf(given, nowUs)),
      }),
    };
  });
}
