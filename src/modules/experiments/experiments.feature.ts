// Experiments: a task over the examples of a dataset, what came of it, and what evaluators say of that.
import { datasetsFeature } from "../datasets/datasets.feature.ts";
import { feature } from "../feature.ts";
import { projectsFeature } from "../projects/projects.feature.ts";
import { createEvaluatedRunsService } from "./evaluated-runs.service.ts";
import { createEvaluatedRunsStore } from "./evaluated-runs.store.ts";
import { createExperimentEvaluationsService } from "./experiment-evaluations.service.ts";
import { createExperimentEvaluationsStore } from "./experiment-evaluations.store.ts";
import { createExperimentRunsService } from "./experiment-runs.service.ts";
import { createExperimentRunsStore } from "./experiment-runs.store.ts";
import { experimentRoutes } from "./experiments.routes.ts";
import { createExperimentsService } from "./experiments.service.ts";
import { createExperimentsStore } from "./experiments.store.ts";

export const experimentsFeature = feature("experiments", ({ storage, clock, use }) => {
  const { datasets, splits } = use(datasetsFeature);
  const experiments = createExperimentsService({
    store: createExperimentsStore(storage.dialect),
    storage,
    clock,
    datasets,
    splits,
    projects: use(projectsFeature),
  });
  const runs = createExperimentRunsService({
    store: createExperimentRunsStore(storage.dialect),
    storage,
    experiments,
    datasets,
  });
  const evaluations = createExperimentEvaluationsService({
    store: createExperimentEvaluationsStore(storage.dialect),
    storage,
  });
  const evaluatedRuns = createEvaluatedRunsService({ store: createEvaluatedRunsStore(storage.dialect), experiments });
  const service = { experiments, runs, evaluations, evaluatedRuns };
  return { service, routes: experimentRoutes(service) };
});
