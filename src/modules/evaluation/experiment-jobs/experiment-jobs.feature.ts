// Experiments that the server runs itself, as jobs that survive it.
import { feature } from "../../feature.ts";
import { modelsFeature } from "../../tracing/models/models.feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { spansFeature } from "../../tracing/spans/spans.feature.ts";
import { tracesFeature } from "../../tracing/traces/traces.feature.ts";
import { datasetsFeature } from "../datasets/datasets.feature.ts";
import { evaluatorsFeature } from "../evaluators/evaluators.feature.ts";
import { experimentsFeature } from "../experiments/experiments.feature.ts";
import { modelCallsFeature } from "../model-calls/model-calls.feature.ts";
import { modelProvidersFeature } from "../model-providers/model-providers.feature.ts";
import { promptsFeature } from "../prompts/prompts.feature.ts";
import { spendingFeature } from "../spending/spending.feature.ts";
import { createJobCountsStore } from "./estimates/job-counts.store.ts";
import { createJobEstimates } from "./estimates/job-estimates.service.ts";
import { createExperimentJobsService } from "./experiment-jobs.service.ts";
import { createExperimentJobsStore } from "./experiment-jobs.store.ts";
import { createExperimentLogsStore } from "./experiment-logs.store.ts";
import { datasetRunRoutes } from "./rest/dataset-runs.routes.ts";
import { createJobItems } from "./running/job-items.service.ts";
import { createJobLaunch, type JobLaunch } from "./running/job-launch.service.ts";
import { createJobPreparation } from "./running/job-preparation.service.ts";
import { createJobResults } from "./running/job-results.service.ts";
import { createRunningJobs } from "./running/running-jobs.service.ts";
import { createJobDatasets } from "./tasks/job-datasets.service.ts";
import { createJobTasksStore } from "./tasks/job-tasks.store.ts";

/** Between two looks at what others did to jobs: a stop is noticed within it. */
const LOOK_MS = 1000;

export const experimentJobsFeature = feature("experiment-jobs", (base) => {
  const { storage, clock, ownContext, receiver, isStorageLocked, use } = base;
  const log = base.log.named("experiments");
  const { dialect } = storage;
  const { datasets, splits } = use(datasetsFeature);
  const { experiments, runs, evaluations, evaluatedRuns } = use(experimentsFeature);
  const { calls } = use(modelCallsFeature);
  const projects = use(projectsFeature);
  const store = createExperimentJobsStore(dialect);
  const logs = createExperimentLogsStore(dialect);
  const counts = createJobCountsStore(dialect);
  const results = createJobResults({ store, logs, runs, evaluations, storage, ownContext });
  const { preparation: evaluators, runs: evaluatorRuns, links } = use(evaluatorsFeature);
  const preparation = createJobPreparation({
    endpoints: use(modelProvidersFeature).endpoints,
    projects,
    models: use(modelsFeature).models,
    clock,
  });
  const running = createRunningJobs({
    store,
    resume: (claimed) => launch.takeOver(claimed),
    giveUp: results.close,
    ownContext,
    clock,
    log,
    isAlone: dialect.name === "sqlite",
  });
  const launch: JobLaunch = createJobLaunch({
    running,
    store,
    logs,
    experiments,
    projects,
    preparation,
    evaluators,
    evaluatorRuns,
    items: createJobItems({ tasks: createJobTasksStore(dialect), evaluatedRuns, ownContext }),
    results,
    calls,
    receiver,
    isStorageLocked,
    ownContext,
    clock,
    log,
  });
  const jobs = createExperimentJobsService({
    store,
    logs,
    running,
    launch,
    preparation,
    datasets: createJobDatasets({ datasets, splits }),
    estimates: createJobEstimates({ datasets, counts, clock }),
    counts,
    evaluators,
    experiments,
    storage,
    ownContext,
    clock,
    log,
  });
  const { versions } = use(promptsFeature);
  const { customProviders } = use(modelProvidersFeature);
  const spans = use(spansFeature);
  const { traces } = use(tracesFeature);
  return {
    service: { jobs },
    routes: datasetRunRoutes({ jobs, versions, budgets: use(spendingFeature).budgets }),
    graphql: async () => {
      const [{ addExperimentJobTypes }, { addExperimentJobMutations }, { addDatasetChat }] = await Promise.all([
        import("./graphql/experiment-jobs.graphql.ts"),
        import("./graphql/experiment-job-mutations.graphql.ts"),
        import("./graphql/dataset-chat.graphql.ts"),
      ]);
      return (types) => {
        addExperimentJobTypes(types, { jobs, links, versions, customProviders });
        addExperimentJobMutations(types, jobs);
        addDatasetChat(types, { jobs, spans, traces });
      };
    },
    jobs: [
      {
        name: "experiment-jobs",
        changes: true,
        everyMilliseconds: LOOK_MS,
        async run() {
          if (running.isDue()) await running.look();
          return true;
        },
      },
    ],
    parts: [{ name: "experiments", changes: true, stop: running.drain }],
    beginStop: () => void running.drain(),
  };
});
