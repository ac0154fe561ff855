// Experiments of one dataset side by side, by example, and what they come to.
import type { PageRequest, PlacedPage } from "../../kernel/list.ts";
import type { CallContext } from "../../storage/storage.ts";
import type { ComparedExample, ListedRun } from "./compared-runs.schema.ts";
import type { ComparedRunsStore } from "./compared-runs.store.ts";
import type { EvaluatedRunsStore } from "./evaluated-runs.store.ts";
import type { MetricComparisons } from "./experiment-figures.schema.ts";
import type { ExperimentFiguresStore } from "./experiment-figures.store.ts";
import {
  comparedTwice,
  comparedWithItself,
  comparedWithNothing,
  otherDataset,
  unknownExperiment,
} from "./experiments.errors.ts";
import type { Experiment } from "./experiments.schema.ts";
import type { ExperimentsStore } from "./experiments.store.ts";

interface ExperimentComparisonDependencies {
  readonly experiments: Pick<ExperimentsStore, "findAll">;
  readonly runs: ComparedRunsStore;
  readonly figures: ExperimentFiguresStore;
  readonly evaluations: Pick<EvaluatedRunsStore, "findSaid" | "find">;
}

export type ExperimentComparisonService = ReturnType<typeof createExperimentComparisonService>;

export function createExperimentComparisonService(dependencies: ExperimentComparisonDependencies) {
  const { experiments, runs, figures, evaluations } = dependencies;

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
    /** A row for each example of the base, in the order of their making. Throws as described at `requireComparable`. */
    async compare(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
      request: PageRequest,
    ): Promise<PlacedPage<ComparedExample>> {
      const compared = await requireComparable(context, baseId, otherIds);
      const experimentIds = compared.map(({ id }) => id);
      const page = await runs.listExamples(context, baseId, request);
      return { ...page, items: page.items.map(({ id }) => ({ id, experimentIds })) };
    },

    /** Throws as `compare`, and kind `invalid` without others. */
    async compareMetrics(
      context: CallContext,
      baseId: number,
      otherIds: readonly number[],
    ): Promise<MetricComparisons> {
      if (otherIds.length === 0) throw comparedWithNothing();
      await requireComparable(context, baseId, otherIds);
      return figures.compareMetrics(context, baseId, otherIds);
    },

    /** Runs of some experiments by example, each by experiment and repetition. */
    findRunsOfExamples: (
      context: CallContext,
      exampleIds: readonly number[],
      experimentIds: readonly number[] | null,
    ) => runs.findOfExamples(context, exampleIds, experimentIds),
    findRuns: (context: CallContext, ids: readonly number[]): Promise<Map<number, ListedRun>> =>
      runs.find(context, ids),
    listRuns: runs.listOfExperiment,
    findOutputs: runs.findOutputs,
    findScores: runs.findScores,
    findEvaluations: evaluations.findSaid,
    findEvaluationsById: evaluations.find,
    findTraced: figures.findTraced,
    findRunFigures: figures.findRunFigures,
    findTokens: figures.findTokens,
    findSummaries: figures.findSummaries,
    findLabels: figures.findLabels,
  };
}
