// Experiments in GraphQL: the experiments of a dataset, and their statistics.

import { cursorOrder, listConnection, NEWEST_FIRST, offsetConnection } from "../../../graphql/connection.ts";
import { costSummaryType } from "../../../graphql/cost-summary.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import { labelFractionType } from "../../../graphql/label-fraction.ts";
import { optimizationDirectionType } from "../../../graphql/optimization-direction.ts";
import { type GraphqlTypes, getNode } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { parseJson } from "../../../kernel/json.ts";
import { ARRIVAL } from "../../../kernel/list.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { costEntryType } from "../../tracing/costs/cost-types.graphql.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { DATASET, DATASET_VERSION, type Dataset } from "../datasets/datasets.schema.ts";
import { SPLIT } from "../datasets/splits/dataset-splits.schema.ts";
import type { DatasetSplitsService } from "../datasets/splits/dataset-splits.service.ts";
import { addComparison } from "./comparison/experiment-comparison.graphql.ts";
import type { ExperimentComparisonService } from "./comparison/experiment-comparison.service.ts";
import { addRunTypes } from "./comparison/experiment-runs.graphql.ts";
import { addRunVocabulary } from "./comparison/run-vocabulary.graphql.ts";
import type { RunVocabularyService } from "./comparison/run-vocabulary.service.ts";
import { addScoreDifferences } from "./comparison/score-differences.graphql.ts";
import { EXPERIMENT, type Experiment, type ExperimentSort } from "./experiments.schema.ts";
import type { ExperimentsService } from "./experiments.service.ts";
import { costOf } from "./figures/experiment-figures.rules.ts";
import type { EvaluationSummary, ScoreRange } from "./figures/experiment-figures.schema.ts";
import { addMeasureDirections } from "./figures/measure-directions.graphql.ts";
import { SCORE_DIRECTION } from "./figures/measure-directions.schema.ts";
import type { MeasureDirectionsService } from "./figures/measure-directions.service.ts";
import { EXPERIMENT_TAG } from "./tags/experiment-tags.schema.ts";
import type { ExperimentTagsService } from "./tags/experiment-tags.service.ts";

interface ExperimentTypesServices {
  readonly experiments: ExperimentsService;
  readonly comparison: ExperimentComparisonService;
  readonly directions: MeasureDirectionsService;
  readonly vocabulary: RunVocabularyService;
  readonly tags: ExperimentTagsService;
  readonly splits: DatasetSplitsService;
  readonly projects: ProjectsService;
  readonly users: UsersService;
}

/** An evaluation of an experiment, with the experiment: its labels are read with those of others. */
interface SummaryOfExperiment extends EvaluationSummary {
  readonly experimentId: number;
}

const MICROSECONDS = 1000;

export function addExperimentTypes(types: GraphqlTypes, services: ExperimentTypesServices): void {
  addExperimentNode(types, services);
  addExperimentFigures(types, services);
  addMeasureDirections(types, services.directions);
  addRunVocabulary(types, services.vocabulary);
  addRunTypes(types, services.comparison);
  addComparison(types, services.comparison);
  addTagNode(types, services);
  addScoreDifferences(types, services.comparison);
  addDatasetFields(types, services);
}

function addTagNode(types: GraphqlTypes, { tags }: ExperimentTypesServices): void {
  types.defineNode(EXPERIMENT_TAG, {
    find: (call, id) => call.load(tags.findTags, id, null),
    fields: (t) => ({
      experimentId: t.id({ resolve: ({ experimentId }) => globalId(EXPERIMENT, experimentId) }),
      name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
      description: t.exposeString("description", { nullable: true }),
    }),
  });
}

function addExperimentNode(types: GraphqlTypes, services: ExperimentTypesServices): void {
  const { experiments, comparison, tags, splits, projects, users } = services;
  types.defineNode(EXPERIMENT, {
    find: (call, id) => call.load(experiments.findExperiments, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => parseJson(metadata) }),
      repetitions: t.exposeInt("repetitions"),
      sequenceNumber: t.exposeInt("number", { description: "Counts the experiments of the dataset." }),
      projectName: t.exposeString("projectName", { nullable: true }),
      isEphemeral: t.boolean({
        description: "It is dismissed, and deleted within a day.",
        resolve: ({ dismissedUs }) => dismissedUs !== null,
      }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      lastUpdatedAt: t.field({
        type: "DateTime",
        nullable: true,
        description: "The last change of it, or the end of its last run.",
        resolve: async ({ id, updatedUs }, _given, call) => {
          const figures = await call.load(comparison.findRunFigures, id, null);
          return Math.max(updatedUs, figures?.lastEndUs ?? 0);
        },
      }),
      tags: t.field({
        type: [types.ref(EXPERIMENT_TAG)],
        description: "Names that point at it, by name.",
        resolve: async ({ id }, _given, call) => (await call.load(tags.findOfExperiments, id, null)) ?? [],
      }),
      isBaseline: t.boolean({
        description: "Others of the dataset are compared with it.",
        resolve: async ({ id, datasetId }, _given, call) =>
          (await call.load(tags.findBaselines, datasetId, null)) === id,
      }),
      dataset: t.field({
        type: types.ref(DATASET),
        resolve: ({ datasetId }, _given, call) => getNode(types, call, DATASET, datasetId),
      }),
      datasetVersion: t.field({
        type: types.ref(DATASET_VERSION),
        resolve: ({ versionId }, _given, call) => getNode(types, call, DATASET_VERSION, versionId),
      }),
      datasetSplits: t.field({
        type: types.connection(SPLIT),
        description: "Those by which the examples were chosen.",
        args: types.pagingArguments(),
        resolve: async ({ id }, page, call, info) => {
          const ids = (await call.load(experiments.findSplitIds, id, null)) ?? [];
          const found = await Promise.all(ids.map((splitId) => call.load(splits.findSplits, splitId, null)));
          return offsetConnection(
            { call, info },
            found.filter((split) => split !== null),
            page,
          );
        },
      }),
      project: t.field({
        type: types.ref(PROJECT),
        nullable: true,
        description: "That holds the traces of its task; null when it is gone.",
        resolve: ({ projectName }, _given, call) => call.load(projects.findProjectsByName, projectName, null),
      }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      runCount: t.int({
        resolve: async ({ id }, _given, call) => (await call.load(comparison.findRunFigures, id, null))?.runs ?? 0,
      }),
      expectedRunCount: t.int({
        description: "Examples of the snapshot × repetitions.",
        resolve: ({ exampleCount, repetitions }) => exampleCount * repetitions,
      }),
    }),
  });
}

function addExperimentFigures(types: GraphqlTypes, { comparison, directions }: ExperimentTypesServices): void {
  const LabelFraction = labelFractionType(types);
  const Summary = types.builder.objectRef<SummaryOfExperiment>("ExperimentAnnotationSummary").implement({
    fields: (t) => ({
      annotationName: t.exposeString("name"),
      minScore: t.exposeFloat("minScore", { nullable: true }),
      maxScore: t.exposeFloat("maxScore", { nullable: true }),
      meanScore: t.exposeFloat("meanScore", {
        nullable: true,
        description: "The mean of the means of the examples: one with more runs weighs no more.",
      }),
      optimizationDirection: t.field({
        type: optimizationDirectionType(types),
        description:
          "Which scores are the better ones, never NONE: as the annotation configuration of the name or a user has set it, else the higher.",
        resolve: async ({ name }, _given, call) =>
          (await call.load(directions.findOfEvaluations, name, null)) ?? SCORE_DIRECTION,
      }),
      count: t.exposeInt("count"),
      errorCount: t.exposeInt("errorCount"),
      scoreCount: t.exposeInt("scoreCount"),
      labelCount: t.exposeInt("labelCount"),
      labelFractions: t.field({
        type: [LabelFraction],
        description: "Of the runs with a label, most often first.",
        resolve: async ({ experimentId, name, labelCount }, _given, call) => {
          const labels = (await call.load(comparison.findLabels, experimentId, null)) ?? [];
          return labels
            .filter((share) => share.name === name)
            .map(({ label, amount }) => ({ label, fraction: amount / labelCount }));
        },
      }),
    }),
  });
  types.builder.objectFields(types.ref(EXPERIMENT), (t) => ({
    annotationSummaries: t.field({
      type: [Summary],
      description: "By name.",
      args: { annotationName: t.arg.string() },
      resolve: async ({ id }, { annotationName }, call) => {
        const found = (await call.load(comparison.findSummaries, id, null)) ?? [];
        const wanted = found.filter(({ name }) => typeof annotationName !== "string" || name === annotationName);
        return wanted.map((summary) => ({ ...summary, experimentId: id }));
      },
    }),
    errorRate: t.float({
      nullable: true,
      description: "The share of the runs that failed; null without runs.",
      resolve: async ({ id }, _given, call) => {
        const figures = await call.load(comparison.findRunFigures, id, null);
        return figures === null ? null : figures.failed / figures.runs;
      },
    }),
    averageRunLatencyMs: t.float({
      nullable: true,
      description: "Null without runs.",
      resolve: async ({ id }, _given, call) => {
        const figures = await call.load(comparison.findRunFigures, id, null);
        return figures === null ? null : figures.latencyUs / MICROSECONDS;
      },
    }),
    costSummary: t.field({
      type: costSummaryType(types),
      description: "Of the traces of its runs that are stored.",
      resolve: async ({ id }, _given, call) => {
        const [tokens, entries] = await Promise.all([
          call.load(comparison.findTokens, id, null),
          call.load(comparison.findCostEntries, id, null),
        ]);
        return costOf(tokens, entries ?? []);
      },
    }),
    costDetailSummaryEntries: t.field({
      type: [costEntryType(types)],
      description: "By kind of token, of the traces of its runs that are stored.",
      resolve: async ({ id }, _given, call) => (await call.load(comparison.findCostEntries, id, null)) ?? [],
    }),
  }));
}

function addDatasetFields(types: GraphqlTypes, { experiments, comparison, tags }: ExperimentTypesServices): void {
  const Range = types.builder.objectRef<ScoreRange>("DatasetExperimentAnnotationSummary").implement({
    fields: (t) => ({
      annotationName: t.exposeString("name"),
      minScore: t.exposeFloat("minScore", { nullable: true }),
      maxScore: t.exposeFloat("maxScore", { nullable: true }),
    }),
  });
  const Column = types.builder.enumType("ExperimentColumn", {
    values: { sequenceNumber: { value: ARRIVAL }, createdAt: { value: "createdAt" } } as const,
  });
  const Sort = types.builder.inputType("ExperimentSort", {
    fields: (t) => ({
      col: t.field({ type: Column, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  types.builder.objectFields(types.ref(DATASET), (t) => ({
    baselineExperiment: t.field({
      type: types.ref(EXPERIMENT),
      nullable: true,
      resolve: async ({ id }: Dataset, _given, call) => {
        const baseline = await call.load(tags.findBaselines, id, null);
        return baseline === null ? null : call.load(experiments.findExperiments, baseline, null);
      },
    }),
    experiments: t.field({
      type: types.connection(EXPERIMENT),
      description: "Newest first, unless sorted.",
      args: {
        sort: t.arg({ type: Sort }),
        sequenceNumbers: t.arg.intList({ description: "Only these numbers; an empty list finds no experiment." }),
        includeEphemeral: t.arg.boolean({ defaultValue: false }),
        filterCondition: t.arg.string({ description: "A text in the name or description, in any letter case." }),
        filterIds: t.arg.idList(),
        ...types.pagingArguments(),
      },
      resolve: async (
        { id },
        { sort, sequenceNumbers, includeEphemeral, filterCondition, filterIds, ...page },
        call,
        info,
      ) => {
        const choice = {
          withDismissed: includeEphemeral ?? false,
          text: filterCondition || undefined,
          ids: filterIds?.map((each) => requireRowId(EXPERIMENT, each)),
          numbers: sequenceNumbers ?? undefined,
        };
        const order = sort ? cursorOrder(sort.col, sort.dir) : NEWEST_FIRST;
        return listConnection<Experiment, ExperimentSort>({ call, info }, page, order, (request) =>
          call.load(experiments.listOfDatasets, id, { ...request, ...choice }),
        );
      },
    }),
    experimentCount: t.int({
      args: { datasetVersionId: t.arg.id(), includeEphemeral: t.arg.boolean({ defaultValue: false }) },
      resolve: async ({ id }, { datasetVersionId, includeEphemeral }, call) => {
        const versionId =
          typeof datasetVersionId === "string" ? requireRowId(DATASET_VERSION, datasetVersionId) : undefined;
        const withDismissed = includeEphemeral ?? false;
        return (await call.load(experiments.countChosen, id, { withDismissed, versionId })) ?? 0;
      },
    }),
    experimentAnnotationSummaries: t.field({
      type: [Range],
      description: "The evaluations of all its experiments, by name, with their lowest and highest scores.",
      args: { includeEphemeral: t.arg.boolean({ defaultValue: false }) },
      resolve: async ({ id }, { includeEphemeral }, call) => {
        const withDismissed = includeEphemeral ?? false;
        return [...((await call.load(comparison.findScoreRanges, id, { withDismissed })) ?? [])];
      },
    }),
  }));
}
