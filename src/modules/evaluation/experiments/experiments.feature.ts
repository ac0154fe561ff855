// Experiments: a task over the examples of a dataset, what came of it, and what evaluators say of that.

import type { ActionRows } from "../../../access/policy.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { deletionFeature } from "../../tracing/deletion/deletion.feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { annotationConfigsFeature } from "../annotation-configs/annotation-configs.feature.ts";
import { datasetsFeature } from "../datasets/datasets.feature.ts";
import { createComparedRunsStore } from "./comparison/compared-runs.store.ts";
import { createExperimentComparisonService } from "./comparison/experiment-comparison.service.ts";
import { createRunVocabularyService } from "./comparison/run-vocabulary.service.ts";
import { createScoreDifferencesStore } from "./comparison/score-differences.store.ts";
import { createEvaluatedRunsService } from "./evaluations/evaluated-runs.service.ts";
import { createEvaluatedRunsStore } from "./evaluations/evaluated-runs.store.ts";
import { createExperimentEvaluationsService } from "./evaluations/experiment-evaluations.service.ts";
import { createExperimentEvaluationsStore } from "./evaluations/experiment-evaluations.store.ts";
import { createExperimentDeletionStore } from "./experiment-deletion.store.ts";
import { experimentRoutes } from "./experiments.routes.ts";
import { createExperimentsService } from "./experiments.service.ts";
import { createExperimentsStore } from "./experiments.store.ts";
import { createExperimentCostsStore } from "./figures/experiment-costs.store.ts";
import { createExperimentFiguresStore } from "./figures/experiment-figures.store.ts";
import { createMeasureDirectionsService } from "./figures/measure-directions.service.ts";
import { createMeasureDirectionsStore } from "./figures/measure-directions.store.ts";
import { createExperimentRunsService } from "./runs/experiment-runs.service.ts";
import { createExperimentRunsStore } from "./runs/experiment-runs.store.ts";
import { createExperimentTagsService } from "./tags/experiment-tags.service.ts";
import { createExperimentTagsStore } from "./tags/experiment-tags.store.ts";

/** Between two looks for experiments whose time is over. */
const LOOK_MS = 60_000;

const actions = {
  /** With their runs and evaluations. */
  experiments: { read: "read", change: "write", delete: "write" },
} as const satisfies ActionRows;
type ExperimentsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ExperimentsActions {}
}

export const experimentsFeature = feature("experiments", { actions }, ({ storage, clock, ownContext, use }) => {
  const { users } = use(givenAccounts);
  const { dialect } = storage;
  const { datasets, splits } = use(datasetsFeature);
  const store = createExperimentsStore(dialect);
  const projects = use(projectsFeature);
  const experiments = createExperimentsService({
    store,
    deletion: createExperimentDeletionStore(dialect),
    storage,
    clock,
    datasets,
    splits,
    projects,
    traces: use(deletionFeature).deletion,
  });
  const runs = createExperimentRunsService({
    store: createExperimentRunsStore(dialect),
    storage,
    experiments,
    datasets,
    ownContext,
  });
  const evaluations = createExperimentEvaluationsService({
    store: createExperimentEvaluationsStore(dialect),
    storage,
    ownContext,
  });
  const figures = createExperimentFiguresStore(dialect);
  const evaluationRows = createEvaluatedRunsStore(dialect);
  const evaluatedRuns = createEvaluatedRunsService({ store: evaluationRows, experiments, figures });
  const tags = createExperimentTagsService({ store: createExperimentTagsStore(dialect), storage });
  const directions = createMeasureDirectionsService({
    store: createMeasureDirectionsStore(dialect),
    configs: use(annotationConfigsFeature).configs,
  });
  const comparison = createExperimentComparisonService({
    experiments: store,
    runs: createComparedRunsStore(dialect),
    figures,
    costs: createExperimentCostsStore(dialect),
    scores: createScoreDifferencesStore(dialect),
    evaluations: evaluationRows,
    directions,
  });
  const vocabulary = createRunVocabularyService({ experiments: store, figures, evaluations: evaluationRows });
  const service = { experiments, runs, evaluations, evaluatedRuns, tags };
  return {
    service,
    routes: experimentRoutes(service),
    graphql: async () => {
      const [{ addExperimentTypes }, { addExperimentMutations }] = await Promise.all([
        import("./experiments.graphql.ts"),
        import("./experiment-mutations.graphql.ts"),
      ]);
      return (types) => {
        addExperimentTypes(types, { experiments, comparison, directions, vocabulary, tags, splits, projects, users });
        addExperimentMutations(types, { experiments, tags });
      };
    },
    jobs: [
      {
        name: "dismissed-experiments",
        changes: true,
        everyMilliseconds: LOOK_MS,
        lease: "dismissedExperiments",
        run: experiments.sweepDismissed,
      },
    ],
  };
});
