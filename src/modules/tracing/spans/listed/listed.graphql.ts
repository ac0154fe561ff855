// `Project.listedTraces` and `Project.listedSpans`: the figures, facets and series that stand beside a list, over the rows that the list
// with the same arguments goes through. Fields that exist here only.
import { type GivenRange, rangeOf, requireSeriesOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { traceFiguresType } from "../../traces/list/trace-list.graphql.ts";
import type {
  CountedBin,
  TraceFacets,
  TraceFacetValue,
  TraceListService,
} from "../../traces/list/trace-list.service.ts";
import { requireValues, spanFacetsType } from "../facets/facets.graphql.ts";
import type { FacetsService } from "../facets/facets.service.ts";
import { searchProgressType } from "../search/search.graphql.ts";
import type { SpanStatisticsService } from "../statistics/span-statistics.service.ts";
import type { ListedService, ListedSpans, ListedTraces } from "./listed.service.ts";

interface ListedServices {
  readonly listed: ListedService;
  readonly traceList: TraceListService;
  readonly spanStatistics: SpanStatisticsService;
  readonly spanFacets: FacetsService;
}

const MICROSECONDS = 1000;

/** What stands beside a list. The feature of annotations adds those of the rows. */
export function listedTracesRef({ builder, once }: GraphqlTypes) {
  return once("ListedTraces", () => builder.objectRef<ListedTraces>("ListedTraces"));
}

export function listedSpansRef({ builder, once }: GraphqlTypes) {
  return once("ListedSpans", () => builder.objectRef<ListedSpans>("ListedSpans"));
}

export function addListed(types: GraphqlTypes, services: ListedServices): void {
  const { listed } = services;
  const traces = listedTracesType(types, services);
  const spans = listedSpansType(types, services);
  types.builder.objectFields(types.ref(PROJECT), (t) => {
    const args = {
      timeRange: t.arg({ type: types.TimeRange }),
      filterCondition: t.arg.string(),
      text: t.arg.string(),
    };
    return {
      listedTraces: t.field({
        type: traces,
        description: `What the list of traces with these arguments goes through, counted. With a text: what one answer of the search
finds, at most 10,000 traces; \`progress\` says whether these are all.`,
        args,
        resolve: ({ id }, given, { context }) => listed.findTraces(context, requestOf(id, given)),
      }),
      listedSpans: t.field({
        type: spans,
        description: "The same for spans.",
        args,
        resolve: ({ id }, given, { context }) => listed.findSpans(context, requestOf(id, given)),
      }),
    };
  });
}

interface Given {
  readonly timeRange?: GivenRange;
  readonly filterCondition?: string | null | undefined;
  readonly text?: string | null | undefined;
}

function requestOf(projectId: number, { timeRange, filterCondition, text }: Given) {
  return { projectId, range: rangeOf(timeRange), condition: filterCondition ?? "", text: text ? text : null };
}

function listedTracesType(types: GraphqlTypes, { traceList }: ListedServices) {
  const { builder } = types;
  const Value = builder.objectRef<TraceFacetValue>("TraceFacetValue").implement({
    fields: (t) => ({
      value: t.exposeString("value", {
        description: "As conditions compare it; of long texts the first 200 characters.",
      }),
      count: t.exposeInt("count", { description: "Traces." }),
    }),
  });
  const Facets = builder.objectRef<TraceFacets>("TraceFacets").implement({
    description: "Values with the number of traces that have them, most frequent first.",
    fields: (t) => {
      const values = (facet: keyof TraceFacets["values"], description: string) =>
        t.field({
          type: [Value],
          description,
          args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
          resolve: (facets, { first }) => facets.values[facet].slice(0, requireValues(first)),
        });
      return {
        kinds: values("kind", "Of any span of the trace."),
        names: values("name", "Of any span of the trace."),
        users: values("user", "Of the root span, as `user.id` in conditions on traces."),
        complete: t.exposeBoolean("complete", { description: "All traces were counted, not only the newest." }),
        countedTraces: t.exposeInt("countedTraces", { description: "How many were." }),
      };
    },
  });
  return listedTracesRef(types).implement({
    fields: (t) => ({
      progress: t.field({
        type: searchProgressType(types),
        nullable: true,
        description: "Null without a text.",
        resolve: ({ progress }) => progress,
      }),
      figures: t.field({
        type: traceFiguresType(types),
        resolve: ({ scope }, _given, { context }) => traceList.getFigures(context, scope),
      }),
      facets: t.field({
        type: Facets,
        description: "Of the newest 10,000 traces at most, with some 200,000 spans.",
        resolve: ({ scope }, _given, { context }) => traceList.getFacets(context, scope),
      }),
      series: t.field({
        type: [listedBinType(types)],
        nullable: true,
        description: "By start, in every bin of the range; null for a range without a start.",
        args: { timeRange: t.arg({ type: types.TimeRange }), timeBinConfig: t.arg({ type: types.TimeBinConfig }) },
        resolve: ({ scope }, { timeRange, timeBinConfig }, { context, nowUs }) =>
          typeof timeRange?.start !== "number"
            ? null
            : traceList.countSeries(context, scope, ...requireSeriesOf({ timeRange, timeBinConfig }, nowUs)),
      }),
    }),
  });
}

function listedBinType({ builder, once }: GraphqlTypes) {
  return once("ListedBin", () =>
    builder.objectRef<CountedBin>("ListedBin").implement({
      fields: (t) => ({
        timestamp: t.field({ type: "DateTime", resolve: ({ beginUs }) => beginUs }),
        totalCount: t.exposeInt("count"),
        errorCount: t.exposeInt("errors"),
      }),
    }),
  );
}

function listedSpansType(types: GraphqlTypes, { spanStatistics, spanFacets }: ListedServices) {
  const { builder } = types;
  const Figures = builder.objectRef<ListedSpans>("SpanFigures").implement({
    fields: (t) => {
      const latency = (probability: number) =>
        t.float({
          nullable: true,
          resolve: async ({ scope }, _given, call) => {
            const quantile = await call.load(spanStatistics.latencyQuantile, scope.projectId, {
              ...scope,
              probability,
            });
            return quantile === null ? null : quantile / MICROSECONDS;
          },
        });
      return {
        count: t.int({
          resolve: async ({ scope }, _given, call) =>
            (await call.load(spanStatistics.count, scope.projectId, scope)) ?? 0,
        }),
        errorCount: t.int({
          resolve: async ({ scope }, _given, { context }) => {
            const statuses = await spanFacets.facetsOf(context, scope.projectId, scope).values("status", 3);
            return statuses.find(({ value }) => value === "ERROR")?.count ?? 0;
          },
        }),
        latencyMsP50: latency(0.5),
        latencyMsP99: latency(0.99),
        tokenCountTotal: t.float({
          resolve: async ({ scope }, _given, call) => {
            const sums = await call.load(spanStatistics.tokens, scope.projectId, scope);
            return sums === null ? 0 : sums.prompt + sums.completion;
          },
        }),
      };
    },
  });
  return listedSpansRef(types).implement({
    fields: (t) => ({
      progress: t.field({
        type: searchProgressType(types),
        nullable: true,
        description: "Null without a text.",
        resolve: ({ progress }) => progress,
      }),
      figures: t.field({ type: Figures, resolve: (spans) => spans }),
      facets: t.field({
        type: spanFacetsType(types),
        resolve: ({ scope }, _given, { context }) => spanFacets.facetsOf(context, scope.projectId, scope),
      }),
      series: t.field({
        type: [listedBinType(types)],
        nullable: true,
        description: "By start, in every bin of the range; null for a range without a start.",
        args: { timeRange: t.arg({ type: types.TimeRange }), timeBinConfig: t.arg({ type: types.TimeBinConfig }) },
        async resolve({ scope }, { timeRange, timeBinConfig }, { context, nowUs }) {
          if (typeof timeRange?.start !== "number") return null;
          const [period, bins] = requireSeriesOf({ timeRange, timeBinConfig }, nowUs);
          const counts = await spanStatistics.countSeries(context, scope.projectId, period, scope, bins);
          return counts.map(({ beginUs, total, error }) => ({ beginUs, count: total ?? 0, errors: error ?? 0 }));
        },
      }),
    }),
  });
}
