// Experiments side by side in GraphQL.
import { parseRunFilter } from "../../../../filter/filter.ts";
import type { GraphqlCall } from "../../../../graphql/call.ts";
import { validated, validationResultType } from "../../../../graphql/condition-validation.ts";
import { cursorOrder, listConnection, offsetConnection } from "../../../../graphql/connection.ts";
import { costSummaryType } from "../../../../graphql/cost-summary.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import { type GraphqlTypes, getNode } from "../../../../graphql/types.ts";
import { globalId, namedId, type TypeWord } from "../../../../kernel/ids.ts";
import { ARRIVAL } from "../../../../kernel/list.ts";
import { costEntryType } from "../../../tracing/costs/cost-types.graphql.ts";
import type { CostEntry } from "../../../tracing/costs/costs.schema.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import { addedEntries, costOf, meanLatencyUs, meanScores } from "../figures/experiment-figures.rules.ts";
import type { MeasureComparison, MetricComparisons, RunTokens } from "../figures/experiment-figures.schema.ts";
import type { ComparedExample, ListedRun, RunGroup } from "../runs/compared-runs.schema.ts";
import type { ExperimentComparisonService } from "./experiment-comparison.service.ts";
import { LISTED_RUN } from "./experiment-runs.graphql.ts";

const COMPARISON: TypeWord<ComparedExample> = "ExperimentComparison";
const GROUP = "ExperimentRepeatedRunGroup";
const MICROSECONDS = 1000;

export function addComparison(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  const Group = groupType(types, comparison);
  types.ref(COMPARISON).implement({
    interfaces: [types.node],
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => globalId(COMPARISON, id) }),
      example: t.field({
        type: types.ref(EXAMPLE),
        resolve: ({ id }, _given, call) => getNode(types, call, EXAMPLE, id),
      }),
      repeatedRunGroups: t.field({
        type: [Group],
        description: "One for each experiment, the base first; an experiment without a run has an empty one.",
        resolve: async ({ id, experimentIds }, _given, call) => groupsOf(comparison, call, id, experimentIds),
      }),
    }),
  });
  types.builder.objectFields(types.ref(EXAMPLE), (t) => ({
    experimentRepeatedRunGroups: t.field({
      type: [Group],
      description: "One for each of the experiments, in their order.",
      args: { experimentIds: t.arg.idList({ required: true }) },
      resolve: async ({ id }, { experimentIds }, call) =>
        groupsOf(
          comparison,
          call,
          id,
          experimentIds.map((each) => requireRowId(EXPERIMENT, each)),
        ),
    }),
    experimentRuns: t.field({
      type: types.connection(LISTED_RUN),
      description: "Of these experiments, by experiment and repetition.",
      args: { experimentIds: t.arg.idList(), ...types.pagingArguments() },
      resolve: async ({ id }, { experimentIds, ...page }, call, info) => {
        const wanted = experimentIds?.map((each) => requireRowId(EXPERIMENT, each)) ?? null;
        const runs = (await call.load(comparison.findRunsOfExamples, id, wanted)) ?? [];
        return offsetConnection({ call, info }, runs, page);
      },
    }),
  }));
  addQueries(types, comparison);
}

async function groupsOf(
  comparison: ExperimentComparisonService,
  call: GraphqlCall,
  exampleId: number,
  experimentIds: readonly number[],
): Promise<RunGroup[]> {
  const runs = (await call.load(comparison.findRunsOfExamples, exampleId, experimentIds)) ?? [];
  return experimentIds.map((experimentId) => ({
    experimentId,
    exampleId,
    runs: runs.filter((run) => run.experimentId === experimentId),
  }));
}

function groupType(types: GraphqlTypes, comparison: ExperimentComparisonService) {
  const Mean = types.builder
    .objectRef<ReturnType<typeof meanScores>[number]>("ExperimentRepeatedRunGroupAnnotationSummary")
    .implement({
      fields: (t) => ({
        annotationName: t.exposeString("name"),
        meanScore: t.exposeFloat("mean", { nullable: true }),
      }),
    });
  types.namedFinders.set(GROUP, (call, key) => findGroup(comparison, call, key));
  return types.builder.objectRef<RunGroup>(GROUP).implement({
    interfaces: [types.node],
    fields: (t) => ({
      id: t.id({ resolve: ({ experimentId, exampleId }) => namedId(GROUP, groupKey(experimentId, exampleId)) }),
      experimentId: t.id({ resolve: ({ experimentId }) => globalId(EXPERIMENT, experimentId) }),
      runs: t.field({
        type: [types.ref(LISTED_RUN)],
        description: "By repetition.",
        resolve: ({ runs }) => [...runs],
      }),
      averageLatencyMs: t.float({
        nullable: true,
        description: "Null without runs.",
        resolve: ({ runs }) => {
          const mean = meanLatencyUs(runs);
          return mean === null ? null : mean / MICROSECONDS;
        },
      }),
      annotationSummaries: t.field({
        type: [Mean],
        description: "By name.",
        resolve: async ({ runs }, _given, call) => {
          const scores = await Promise.all(runs.map(({ id }) => call.load(comparison.findScores, id, null)));
          return [...meanScores(scores.flatMap((found) => found ?? []))];
        },
      }),
      costSummary: t.field({
        type: costSummaryType(types),
        description: "Of the traces of its runs that are stored.",
        resolve: async ({ runs }, _given, call) => {
          const entries = entriesOf(comparison, call, runs);
          const [tokens, found] = await Promise.all([tokensOf(comparison, call, runs), entries]);
          return costOf(tokens, found);
        },
      }),
      costDetailSummaryEntries: t.field({
        type: [costEntryType(types)],
        description: "By kind of token, of the traces of its runs that are stored.",
        resolve: async ({ runs }, _given, call) => addedEntries(await entriesOf(comparison, call, runs)),
      }),
    }),
  });
}

/** As programs know it. */
function groupKey(experimentId: number, exampleId: number): string {
  return `experiment_id=${experimentId}:dataset_example_id=${exampleId}`;
}

const GROUP_KEY = /^experiment_id=(\d{1,10}):dataset_example_id=(\d{1,10})$/;

/** Null for a key of another form, and for a pair without runs. */
async function findGroup(
  comparison: ExperimentComparisonService,
  call: GraphqlCall,
  key: string,
): Promise<RunGroup | null> {
  const [, experimentId, exampleId] = GROUP_KEY.exec(key)?.map(Number) ?? [];
  if (experimentId === undefined || exampleId === undefined) return null;
  const [group] = await groupsOf(comparison, call, exampleId, [experimentId]);
  return group === undefined || group.runs.length === 0 ? null : group;
}

async function entriesOf(
  comparison: ExperimentComparisonService,
  call: GraphqlCall,
  runs: readonly ListedRun[],
): Promise<CostEntry[]> {
  const found = await Promise.all(runs.map(({ id }) => call.load(comparison.findRunCostEntries, id, null)));
  return found.flatMap((each) => each ?? []);
}

async function tokensOf(
  comparison: ExperimentComparisonService,
  call: GraphqlCall,
  runs: readonly ListedRun[],
): Promise<RunTokens | null> {
  const keys = runs.flatMap(({ traceKey }) => traceKey ?? []);
  const traced = await Promise.all(keys.map((key) => call.load(comparison.findTraced, key, null)));
  const found = traced.filter((each) => each !== null);
  if (found.length === 0) return null;
  return {
    prompt: found.reduce((sum, { prompt }) => sum + prompt, 0),
    completion: found.reduce((sum, { completion }) => sum + completion, 0),
  };
}

function addQueries(types: GraphqlTypes, comparison: ExperimentComparisonService): void {
  const { builder } = types;
  const Outcomes = builder.objectRef<MeasureComparison>("ExperimentRunMetricComparison").implement({
    description: "Examples of the base by whether its mean is better than the best of the others.",
    fields: (t) => ({
      numRunsImproved: t.exposeInt("improved"),
      numRunsRegressed: t.exposeInt("regressed"),
      numRunsEqual: t.exposeInt("equal"),
      numRunsWithoutComparison: t.exposeInt("without"),
    }),
  });
  const Comparisons = builder.objectRef<MetricComparisons>("ExperimentRunMetricComparisons").implement({
    fields: (t) => ({
      latency: t.field({ type: Outcomes, resolve: ({ latency }) => latency }),
      totalTokenCount: t.field({ type: Outcomes, resolve: ({ total }) => total }),
      promptTokenCount: t.field({ type: Outcomes, resolve: ({ prompt }) => prompt }),
      completionTokenCount: t.field({ type: Outcomes, resolve: ({ completion }) => completion }),
      totalCost: t.field({ type: Outcomes, resolve: ({ totalCost }) => totalCost }),
      promptCost: t.field({ type: Outcomes, resolve: ({ promptCost }) => promptCost }),
      completionCost: t.field({ type: Outcomes, resolve: ({ completionCost }) => completionCost }),
    }),
  });
  builder.queryFields((t) => ({
    compareExperiments: t.field({
      type: types.connection(COMPARISON),
      description:
        "A row for each example of the base, in the order of their making; with a condition those with a matching run in any of the experiments.",
      may: "experiments.read",
      args: {
        baseExperimentId: t.arg.id({ required: true }),
        compareExperimentIds: t.arg.idList({ required: true }),
        first: t.arg.int({ defaultValue: 50 }),
        after: t.arg.string(),
        filterCondition: t.arg.string(),
      },
      resolve: (_root, { baseExperimentId, compareExperimentIds, filterCondition, ...page }, call, info) => {
        const baseId = requireRowId(EXPERIMENT, baseExperimentId);
        const otherIds = compareExperimentIds.map((id) => requireRowId(EXPERIMENT, id));
        const condition = filterCondition ?? undefined;
        return listConnection({ call, info }, page, cursorOrder(ARRIVAL, "asc"), (request) =>
          comparison.compare(call.context, baseId, otherIds, { ...request, condition }),
        );
      },
    }),
    validateExperimentRunFilterCondition: t.field({
      type: validationResultType(types),
      description: "Warns of evaluations that no run of the experiments has.",
      may: "experiments.read",
      args: { condition: t.arg.string({ required: true }), experimentIds: t.arg.idList({ required: true }) },
      resolve: (_root, { condition, experimentIds }, call) => {
        const ids = experimentIds.map((id) => requireRowId(EXPERIMENT, id));
        return validated(parseRunFilter, condition, () => comparison.listWarnings(call.context, ids, condition));
      },
    }),
    experimentRunMetricComparisons: t.field({
      type: Comparisons,
      may: "experiments.read",
      args: {
        baseExperimentId: t.arg.id({ required: true }),
        compareExperimentIds: t.arg.idList({ required: true }),
      },
      resolve: (_root, { baseExperimentId, compareExperimentIds }, call) =>
        comparison.compareMetrics(
          call.context,
          requireRowId(EXPERIMENT, baseExperimentId),
          compareExperimentIds.map((id) => requireRowId(EXPERIMENT, id)),
        ),
    }),
  }));
}
