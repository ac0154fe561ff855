// Experiments that the server runs, in GraphQL: their jobs, and what is left of them.
import { listConnection, NEWEST_FIRST, offsetConnection } from "../../../../graphql/connection.ts";
import { type GraphqlTypes, getNode } from "../../../../graphql/types.ts";
import { parseStoredJson } from "../../../../kernel/json.ts";
import { DATASET } from "../../datasets/datasets.schema.ts";
import { DATASET_EVALUATOR } from "../../evaluators/evaluators.schema.ts";
import type { DatasetEvaluatorsService } from "../../evaluators/links/dataset-evaluators.service.ts";
import { EXPERIMENT } from "../../experiments/experiments.schema.ts";
import type { CustomProvidersService } from "../../model-providers/custom/custom-providers.service.ts";
import type { PromptVersionsService } from "../../prompts/prompt-versions.service.ts";
import type { JobEstimate } from "../estimates/job-estimate.schema.ts";
import { EXPERIMENT_JOB, EXPERIMENT_LOG, jobStatuses, stopReasons } from "../experiment-jobs.schema.ts";
import type { ExperimentJobsService } from "../experiment-jobs.service.ts";
import { jobAmountTypes } from "./job-amounts.graphql.ts";
import { addLogTypes } from "./job-logs.graphql.ts";
import { taskConfigType } from "./task-config.graphql.ts";

interface JobTypesServices {
  readonly jobs: ExperimentJobsService;
  readonly links: DatasetEvaluatorsService;
  readonly versions: PromptVersionsService;
  readonly customProviders: CustomProvidersService;
}

export function addExperimentJobTypes(types: GraphqlTypes, services: JobTypesServices): void {
  addLogTypes(types);
  addJobNode(types, services);
  const { jobs } = services;
  types.builder.objectFields(types.ref(EXPERIMENT), (t) => ({
    job: t.field({
      type: types.ref(EXPERIMENT_JOB),
      nullable: true,
      description: "Null for experiments that programs run.",
      resolve: ({ id }, _given, call) => call.load(jobs.findJobs, id, null),
    }),
  }));
  types.builder.objectFields(types.ref(DATASET), (t) => ({
    experimentJobs: t.field({
      type: types.connection(EXPERIMENT_JOB),
      description: "Newest first.",
      args: types.pagingArguments(),
      resolve: ({ id }, page, call, info) =>
        listConnection({ call, info }, page, NEWEST_FIRST, (request) => call.load(jobs.listOfDatasets, id, request)),
    }),
  }));
}

function addJobNode(types: GraphqlTypes, services: JobTypesServices): void {
  const { jobs, links } = services;
  const { builder } = types;
  const Status = builder.enumType("ExperimentJobStatus", { values: jobStatuses });
  const Reason = builder.enumType("ExperimentJobStopReason", { values: stopReasons });
  const amounts = jobAmountTypes(types);
  types.defineNode(EXPERIMENT_JOB, {
    find: (call, id) => call.load(jobs.findJobs, id, null),
    fields: (t) => ({
      status: t.field({ type: Status, resolve: ({ status }) => status }),
      stopReason: t.field({ type: Reason, nullable: true, resolve: ({ stopReason }) => stopReason }),
      stopMessage: t.exposeString("stopMessage", { nullable: true }),
      isPausing: t.exposeBoolean("isPausing", { description: "It ends when its running calls do." }),
      needsCredentials: t.exposeBoolean("needsCredentials", {
        description: "Keys or headers came with the request that started it: no other server can go on with it.",
      }),
      experiment: t.field({
        type: types.ref(EXPERIMENT),
        resolve: ({ id }, _given, call) => getNode(types, call, EXPERIMENT, id),
      }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      startedAt: t.field({ type: "DateTime", description: "The last time.", resolve: ({ startedUs }) => startedUs }),
      endedAt: t.field({ type: "DateTime", nullable: true, resolve: ({ endedUs }) => endedUs }),
      maxConcurrency: t.int({ resolve: ({ task }) => task.maxConcurrency }),
      limits: t.field({ type: amounts.Limits, resolve: ({ limits }) => limits }),
      spent: t.field({ type: amounts.Spent, resolve: ({ spent }) => spent }),
      progress: t.field({
        type: amounts.Progress,
        nullable: true,
        resolve: ({ id }, _given, call) => call.load(jobs.findProgress, id, null),
      }),
      estimate: t.field({
        type: amounts.Estimate,
        nullable: true,
        description: "What it was expected to take before its start.",
        resolve: ({ estimate }) => (estimate === null ? null : parseStoredJson<JobEstimate>(estimate)),
      }),
      taskConfig: t.field({ type: taskConfigType(types, services), nullable: true, resolve: (job) => job }),
      lastError: t.field({
        type: types.ref(EXPERIMENT_LOG),
        nullable: true,
        resolve: ({ id }, _given, call) => call.load(jobs.findLastErrors, id, null),
      }),
      errors: t.field({
        type: types.connection(EXPERIMENT_LOG),
        description: "Since the last start, newest first.",
        args: types.pagingArguments(),
        resolve: ({ id }, page, call, info) =>
          listConnection({ call, info }, page, NEWEST_FIRST, (request) => call.load(jobs.listErrors, id, request)),
      }),
      datasetEvaluators: t.field({
        type: types.connection(DATASET_EVALUATOR),
        description: "In the order in which they were named.",
        args: types.pagingArguments(),
        resolve: async ({ id }, page, call, info) => {
          const ids = (await call.load(jobs.findEvaluatorIds, id, null)) ?? [];
          const found = await Promise.all(ids.map((each) => call.load(links.findDatasetEvaluators, each, null)));
          return offsetConnection(
            { call, info },
            found.filter((link) => link !== null),
            page,
          );
        },
      }),
    }),
  });
}
