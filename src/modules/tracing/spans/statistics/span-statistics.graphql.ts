// Statistics of projects over their spans, in GraphQL.
import { binsOf, requirePeriodOf, requireProbability, scopeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import type { SpanCountBin, SpanStatisticsService } from "./span-statistics.service.ts";

const MICROSECONDS = 1000;

export function addSpanStatistics(types: GraphqlTypes, statistics: SpanStatisticsService): void {
  const { builder, TimeRange, TimeBinConfig, ref } = types;

  const SpanCountTimeSeriesDataPoint = builder.objectRef<SpanCountBin>("SpanCountTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      okCount: t.int({ nullable: true, resolve: ({ ok }) => ok }),
      errorCount: t.int({ nullable: true, resolve: ({ error }) => error }),
      unsetCount: t.int({ nullable: true, resolve: ({ unset }) => unset }),
      totalCount: t.int({ nullable: true, resolve: ({ total }) => total }),
    }),
  });
  const SpanCountTimeSeries = builder.objectRef<readonly SpanCountBin[]>("SpanCountTimeSeries").implement({
    fields: (t) => ({ data: t.field({ type: [SpanCountTimeSeriesDataPoint], resolve: (bins) => [...bins] }) }),
  });

  builder.objectFields(ref(PROJECT), (t) => {
    const range = { timeRange: t.arg({ type: TimeRange }), filterCondition: t.arg.string() };
    const scope = { ...range, sessionFilterCondition: t.arg.string() };
    type Which = "prompt" | "completion" | "total";
    const tokens = (which: Which) =>
      t.float({
        args: range,
        resolve: async ({ id }, given, call) => {
          const sums = await call.load(statistics.tokens, id, scopeOf(given));
          const { prompt, completion } = sums ?? { prompt: 0, completion: 0 };
          return { prompt, completion, total: prompt + completion }[which];
        },
      });
    return {
      recordCount: t.int({
        description: "Spans.",
        args: scope,
        resolve: async ({ id }, given, call) => {
          return (await call.load(statistics.count, id, scopeOf(given))) ?? 0;
        },
      }),
      tokenCountTotal: tokens("total"),
      tokenCountPrompt: tokens("prompt"),
      tokenCountCompletion: tokens("completion"),
      spanLatencyMsQuantile: t.float({
        nullable: true,
        args: { probability: t.arg.float({ required: true }), ...scope },
        resolve: async ({ id }, { probability, ...given }, call) => {
          const options = { ...scopeOf(given), probability: requireProbability(probability) };
          const quantile = await call.load(statistics.latencyQuantile, id, options);
          return quantile === null ? null : quantile / MICROSECONDS;
        },
      }),
      spanCountTimeSeries: t.field({
        type: SpanCountTimeSeries,
        args: {
          timeRange: t.arg({ type: TimeRange, required: true }),
          timeBinConfig: t.arg({ type: TimeBinConfig }),
          filterCondition: t.arg.string(),
        },
        resolve: ({ id }, { timeRange, timeBinConfig, filterCondition }, call) => {
          return statistics.countSeries(
            call.context,
            id,
            requirePeriodOf(timeRange, call.nowUs),
            scopeOf({ timeRange, filterCondition }),
            binsOf(timeBinConfig, requirePeriodOf(timeRange, call.nowUs)),
          );
        },
      }),
    };
  });
}
