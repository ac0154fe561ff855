// Experiments of one dataset side by side, by example, and their statistics.
import { evaluationsRead, parseRunFilter, requestedFilter } from "../../../../filter/filter.ts";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { EvaluatedRunsStore } from "../evaluations/evaluated-runs.store.ts";
import {
  comparedTwice,
  comparedWithItself,
  comparedWithNothing,
  otherDataset,
  unknownExperiment,
} from "../experiments.errors.ts";
import type { Experiment } from "../experiments.schema.ts";
import type { ExperimentsStore } from "../experiments.store.ts";
import type { ExperimentCostsStore } from "../figures/experiment-costs.store.ts";
import type { MetricComparisons } from "../figures/experiment-figures.schema.ts";
import type { ExperimentFiguresStore } from "../figures/experiment-figures.store.ts";
import type { MeasureDirectionsService } from "../figures/measure-directions.service.ts";
import type { ComparedExample, ListedRun } from "../runs/compared-runs.schema.ts";
import type { ComparedRunsStore } from "./compared-runs.store.ts";
import { differenceOf } from "./score-differences.rules.ts";
import type { ScoreDifference } from "./score-differences.schema.ts";
import type { ScoreDifferencesStore } from "./score-differences.store.ts";

interface ExperimentComparisonDependencies {
  readonly experiments: ExperimentsStore;
  readonly runs: ComparedRunsStore;
  readonly figures: ExperimentFiguresStore;
  readonly costs: ExperimentCostsStore;
  readonly scores: ScoreDifferencesStore;
  readonly evaluations: EvaluatedRunsStore;
  readonly directions: MeasureDirectionsService;
}

export type ExperimentComparisonService = ReturnType<typeof createExperimentComparisonService>;

export function createExperimentComparisonService(dependencies: ExperimentComparisonDependencies) {
  const { experiments, runs, figures, costs, scores, evaluations, directions } = dependencies;

  /** The base first. Throws kind `invalid` for the base among the others, one twice and one of another dataset, `not_found`. */
  async function requireComparable(
    context: CallContext,
    baseId: number,
    otherIds: readonly number[],
  ): Promise<readonly Experiment[]> {
    if (otherIds.includes(baseId)) throw comparedWithItself();
    if (new Set(otherIds).size < otherIds.length) throw comparedTwice();
    const ids = [baseId, ...otherIds];
    const found = new Map((await experiments.findAll(context, ids)).map((experiment) => [experiment.id, experiment]));
    return ids.map((id) => {
      const experiment = found.get(id);
      if (experiment === undefined) throw unknownExperiment(id);
      if (experiment.datasetId !== found.get(baseId)!.datasetId) throw otherDataset(id);
      return experiment;
    });
  }

  return {
    /** A row for each example of the base, in the order of their making. With a condition those of which some run in one of the
     *  experiments matches. Throws as described at `requireComparable`, and `filter.invalid`. */
    async compare(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
      { condition, ...request }: PageRequest & { readonly condition?: string | undefined },
    ): Promise<PlacedPage<ComparedExample>> {
      const filter = requestedFilter(condition, parseRunFilter);
      const compared = await requireComparable(context, baseId, otherIds);
      const experimentIds = compared.map(({ id }) => id);
      const page = await runs.listExamples(context, [baseId, ...otherIds], filter, request);
      return { ...page, items: page.items.map(({ id }) => ({ id, experimentIds })) };
    },

    /** Names of evaluations that a valid condition reads and that no run of the experiments has, as warnings. Throws kind `not_found`
     *  for an experiment that is not there. */
    async listWarnings(context: CallContext, ids: readonly number[], condition: string): Promise<readonly string[]> {
      const known = new Set((await experiments.findAll(context, ids)).map(({ id }) => id));
      const missing = ids.find((id) => !known.has(id));
      if (missing !== undefined) throw unknownExperiment(missing);
      const read = evaluationsRead(condition);
      if (read.length === 0 || ids.length === 0) return [];
      const given = new Set([...(await figures.findSummaries(context, ids)).values()].flat().map(({ name }) => name));
      return read.filter((name) => !given.has(name)).map((name) => `no run has an evaluation named \`${name}\``);
    },

    /** Throws as `compare`, and kind `invalid` without others. */
    async compareMetrics(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
    ): Promise<MetricComparisons> {
      if (otherIds.length === 0) throw comparedWithNothing();
      await requireComparable(context, baseId, otherIds);
      return figures.compareMetrics(context, [baseId, ...otherIds], await directions.getPlain(context));
    },

    /** Of each of the others and each evaluation, by experiment and name. Throws as `compareMetrics`. */
    async compareScores(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
      threshold: number,
    ): Promise<readonly ScoreDifference[]> {
      if (otherIds.length === 0) throw comparedWithNothing();
      await requireComparable(context, baseId, otherIds);
      return (await scores.findSpreads(context, baseId, otherIds, threshold)).map(differenceOf);
    },

    /** Runs of some experiments by example, each by experiment and repetition. */
    findRunsOfExamples: (
      context: CallContext,
      exampleIds: readonly number[],
      experimentIds: readonly number[] | null,
    ) => runs.findOfExamples(context, exampleIds, experimentIds),
    findRuns: (context: CallContext, ids: readonly number[]): Promise<Map<number, ListedRun>> =>
      runs.find(context, ids),
    listRuns: runs.listOfExperiments,
    findOutputs: runs.findOutputs,
    findScores: runs.findScores,
    findEvaluations: evaluations.findEvaluations,
    findEvaluationsById: evaluations.find,
    findTraced: figures.findTraced,
    findRunFigures: figures.findRunFigures,
    findTokens: figures.findTokens,
    findCostEntries: costs.findCostEntries,
    findRunCostEntries: costs.findRunCostEntries,
    findSummaries: figures.findSummaries,
    findLabels: figures.findLabels,
    findScoreRanges: figures.findScoreRanges,
  };
}
