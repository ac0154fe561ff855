// What calls of models cost, as fields of spans, traces, sessions and projects.

import { costSources } from "../../../costs/span-cost.ts";
import { costSummaryType } from "../../../graphql/cost-summary.ts";
import { requireSeriesOf, scopeOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { SESSION } from "../sessions/sessions.schema.ts";
import { SPAN } from "../spans/spans.schema.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { costEntryType, dollarsOf, summaryOf } from "./cost-types.graphql.ts";
import type { CostBin, CostsService } from "./costs.service.ts";

export function addCosts(types: GraphqlTypes, costs: CostsService): void {
  addSpanCosts(types, costs);
  addSumsOfSpans(types, costs);
  addProjectCosts(types, costs);
}

function addSpanCosts(types: GraphqlTypes, costs: CostsService): void {
  const { builder, ref } = types;
  const CostSource = builder.enumType("CostSource", {
    values: Object.fromEntries(costSources.map((source) => [source.toUpperCase(), { value: source }])),
  });
  builder.objectFields(ref(SPAN), (t) => ({
    costSummary: t.field({
      type: costSummaryType(types),
      nullable: true,
      description: "Of the span itself; null for what is no call of a model, or reports nothing that costs.",
      resolve: async ({ id }, _given, call) => {
        const sums = await call.load(costs.spanSums, id, null);
        return sums === null ? null : summaryOf(sums);
      },
    }),
    costDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      resolve: async ({ id }, _given, call) => (await call.load(costs.spanEntries, id, null)) ?? [],
    }),
    cumulativeCostDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      description: "Of the span and of everything below it, each call once.",
      resolve: async ({ id }, _given, call) => (await call.load(costs.cumulativeEntries, id, null)) ?? [],
    }),
    costSource: t.field({
      type: CostSource,
      nullable: true,
      description: "Where the amount is from: a price, the sender, or unknown, because no price is known.",
      resolve: async ({ id }, _given, call) => (await call.load(costs.spanSources, id, null))?.source ?? null,
    }),
    givenCost: t.float({
      nullable: true,
      description: "What the sender says that the call costs, in USD, also where a price is known.",
      resolve: async ({ id }, _given, call) => dollarsOf((await call.load(costs.spanSources, id, null))?.given ?? null),
    }),
  }));
}

function addSumsOfSpans(types: GraphqlTypes, costs: CostsService): void {
  const { builder, ref } = types;
  builder.objectFields(ref(TRACE), (t) => ({
    costSummary: t.field({
      type: costSummaryType(types),
      description: "Of all its spans, each call once.",
      resolve: async ({ id }, _given, call) => summaryOf(await call.load(costs.traceSums, id, null)),
    }),
    costDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      resolve: async ({ id }, _given, call) => (await call.load(costs.traceEntries, id, null)) ?? [],
    }),
  }));
  builder.objectFields(ref(SESSION), (t) => ({
    costSummary: t.field({
      type: costSummaryType(types),
      resolve: async ({ id }, _given, call) => summaryOf(await call.load(costs.sessionSums, id, null)),
    }),
    costDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      resolve: async ({ id }, _given, call) => (await call.load(costs.sessionEntries, id, null)) ?? [],
    }),
  }));
}

function addProjectCosts(types: GraphqlTypes, costs: CostsService): void {
  const { builder, ref, TimeRange, TimeBinConfig } = types;
  const CostPoint = builder.objectRef<CostBin>("TraceTokenCostTimeSeriesDataPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
      promptCost: t.float({ nullable: true, resolve: ({ sums }) => dollarsOf(sums?.prompt ?? null) }),
      completionCost: t.float({ nullable: true, resolve: ({ sums }) => dollarsOf(sums?.completion ?? null) }),
      totalCost: t.float({ nullable: true, resolve: ({ sums }) => dollarsOf(sums?.total ?? null) }),
    }),
  });
  const CostSeries = builder.objectRef<readonly CostBin[]>("TraceTokenCostTimeSeries").implement({
    fields: (t) => ({ data: t.field({ type: [CostPoint], resolve: (bins) => [...bins] }) }),
  });
  builder.objectFields(ref(PROJECT), (t) => ({
    costSummary: t.field({
      type: costSummaryType(types),
      args: {
        timeRange: t.arg({ type: TimeRange }),
        filterCondition: t.arg.string(),
        sessionFilterCondition: t.arg.string(),
      },
      resolve: async ({ id }, given, call) => summaryOf(await call.load(costs.projectSums, id, scopeOf(given))),
    }),
    traceTokenCostTimeSeries: t.field({
      type: CostSeries,
      description: "By the start of the calls.",
      args: {
        timeRange: t.arg({ type: TimeRange, required: true }),
        timeBinConfig: t.arg({ type: TimeBinConfig }),
      },
      resolve: ({ id }, given, call) => call.readOnce(costs.listSeries, id, ...requireSeriesOf(given, call.nowUs)),
    }),
  }));
}
