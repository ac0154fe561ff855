// Experiments over REST.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { globalId } from "../../../kernel/ids.ts";
import { newestFirst } from "../../../kernel/list.ts";
import { DATASET, DATASET_VERSION } from "../datasets/datasets.schema.ts";
import type { EvaluatedRunsService } from "./evaluations/evaluated-runs.service.ts";
import { experimentEvaluationRoutes } from "./evaluations/experiment-evaluations.routes.ts";
import type { ExperimentEvaluationsService } from "./evaluations/experiment-evaluations.service.ts";
import { requireCursorOf, requireIdInPath } from "./experiment-ids.rules.ts";
import { experimentDatasetNotFound } from "./experiments.errors.ts";
import {
  EXPERIMENT,
  ExperimentChanges,
  ExperimentDeletionQuery,
  ExperimentPageAnswer,
  ExperimentQuery,
  experimentBody,
  NewExperiment,
  OneExperiment,
} from "./experiments.schema.ts";
import type { ExperimentsService } from "./experiments.service.ts";
import { experimentRunRoutes } from "./runs/experiment-runs.routes.ts";
import type { ExperimentRunsService } from "./runs/experiment-runs.service.ts";
import { experimentTagRoutes } from "./tags/experiment-tags.routes.ts";
import type { ExperimentTagsService } from "./tags/experiment-tags.service.ts";

interface RoutesNeeds {
  readonly evaluations: ExperimentEvaluationsService;
  readonly evaluatedRuns: EvaluatedRunsService;
  readonly runs: ExperimentRunsService;
  readonly experiments: ExperimentsService;
  readonly tags: ExperimentTagsService;
}

const experiment_id = globalId(EXPERIMENT, 1);
/** What is made beside it. */
const madeId = globalId(EXPERIMENT, 2);
const dataset_id = globalId(DATASET, 1);
const instant = "2026-03-01T10:00:00+00:00";
const experiment = {
  id: experiment_id,
  dataset_id,
  dataset_version_id: globalId(DATASET_VERSION, 1),
  name: "shorter answers",
  description: null,
  repetitions: 1,
  metadata: {},
  project_name: "Experiment-9b1c0d2e3f4a5b6c7d8e9f01",
  created_at: instant,
  updated_at: instant,
  example_count: 2,
  successful_run_count: 1,
  failed_run_count: 0,
  missing_run_count: 1,
};
const parameters = { experiment_id };
const errors = { not_found: "No experiment has this id.", invalid: "This is no id." };

export function experimentRoutes(needs: RoutesNeeds): RouteModule {
  return {
    name: "experiments",
    routes: [
      ...datasetRoutes(needs),
      ...singleRoutes(needs),
      ...experimentRunRoutes(needs.runs),
      ...experimentEvaluationRoutes(needs.evaluations, needs.evaluatedRuns),
      ...experimentTagRoutes(needs),
    ],
  };
}

function datasetRoutes({ experiments }: RoutesNeeds): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/datasets/{dataset_id}/experiments",
      operationId: "createExperiment",
      links: {
        getExperiment: { experiment_id: "$response.body#/data/id" },
        updateExperiment: { experiment_id: "$response.body#/data/id" },
        deleteExperiment: { experiment_id: "$response.body#/data/id" },
      },
      summary: "Create an experiment",
      description:
        "Of the examples as they are at a version: later changes of the dataset or of splits do not reach it.",
      action: "experiments.change",
      status: 200,
      storageLocked: true,
      body: NewExperiment,
      response: OneExperiment,
      errors: {
        not_found: "No dataset has this id, it has no such version or none at all, or a split is not there.",
        invalid: "One of the ids is not valid, or a split is blank.",
      },
      example: {
        parameters: { dataset_id },
        body: { name: "shorter answers", repetitions: 1 },
        response: { data: { ...experiment, id: madeId } },
      },
      handler: async ({ context, params, body }) => ({
        data: experimentBody(await experiments.createExperiment(context, params.dataset_id, body)),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/datasets/{dataset_id}/experiments",
      operationId: "listExperiments",
      summary: "List the experiments of a dataset",
      description: "Newest first.",
      action: "experiments.read",
      status: 200,
      query: ExperimentQuery,
      response: ExperimentPageAnswer,
      errors: { not_found: "The id is that of something else.", invalid: "The id or the cursor is not valid." },
      example: {
        parameters: { dataset_id, limit: 50 },
        response: { data: [experiment], next_cursor: null },
      },
      handler: async ({ context, params, query }) => {
        const datasetId = requireIdInPath(DATASET, "a dataset", params.dataset_id, experimentDatasetNotFound);
        requireCursorOf(EXPERIMENT, "an experiment", query.cursor);
        return newestFirst(
          EXPERIMENT,
          query,
          (request) => experiments.listCounted(context, datasetId, request),
          experimentBody,
        );
      },
    }),
  ];
}

function singleRoutes({ experiments }: RoutesNeeds): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/experiments/{experiment_id}",
      operationId: "getExperiment",
      summary: "Get an experiment",
      action: "experiments.read",
      status: 200,
      response: OneExperiment,
      errors,
      example: { parameters, response: { data: experiment } },
      handler: async ({ context, params }) => ({
        data: experimentBody(await experiments.getCounted(context, params.experiment_id)),
      }),
    }),
    route({
      method: "PATCH",
      path: "/v1/experiments/{experiment_id}",
      operationId: "updateExperiment",
      summary: "Change name, description or metadata of an experiment",
      action: "experiments.change",
      status: 200,
      storageLocked: true,
      body: ExperimentChanges,
      response: OneExperiment,
      errors: { ...errors, invalid: "This is no id, or nothing is to be changed." },
      example: { parameters, body: { name: "shorter answers" }, response: { data: experiment } },
      handler: async ({ context, params, body }) => ({
        data: experimentBody(await experiments.updateExperiment(context, params.experiment_id, body)),
      }),
    }),
    route({
      method: "DELETE",
      path: "/v1/experiments/{experiment_id}",
      operationId: "deleteExperiment",
      summary: "Delete an experiment",
      description: "With its runs and their evaluations.",
      action: "experiments.delete",
      status: 204,
      query: ExperimentDeletionQuery,
      errors,
      example: { parameters: { experiment_id: madeId, delete_project: false } },
      handler: async ({ context, params, query }) => {
        await experiments.deleteExperiment(context, params.experiment_id, query.delete_project);
      },
    }),
  ];
}
