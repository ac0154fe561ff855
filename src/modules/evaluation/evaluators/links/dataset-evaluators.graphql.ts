// Evaluators of datasets in GraphQL.
import { listConnection } from "../../../../graphql/connection.ts";
import { type GraphqlTypes, getNode } from "../../../../graphql/types.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { USER } from "../../../accounts/users/users.schema.ts";
import type { UsersService } from "../../../accounts/users/users.service.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import { DATASET } from "../../datasets/datasets.schema.ts";
import { evaluatorOrderOf, listInputs } from "../evaluator-inputs.graphql.ts";
import { evaluatorProjectGone } from "../evaluators.errors.ts";
import { DATASET_EVALUATOR, EVALUATOR, type InputMapping } from "../evaluators.schema.ts";
import type { EvaluatorsService } from "../evaluators.service.ts";
import { outputConfigType } from "../output-configs.graphql.ts";
import { withOutputIds } from "../output-configs.rules.ts";
import type { DatasetEvaluatorsService } from "./dataset-evaluators.service.ts";

interface LinkTypesServices {
  readonly links: DatasetEvaluatorsService;
  readonly evaluators: Pick<EvaluatorsService, "findEvaluators">;
  readonly projects: Pick<ProjectsService, "findProjectsByName">;
  readonly users: Pick<UsersService, "findUsers">;
}

export function addDatasetEvaluatorTypes(types: GraphqlTypes, services: LinkTypesServices): void {
  addLinkNode(types, services);
  addDatasetFields(types, services.links);
}

function addLinkNode(types: GraphqlTypes, { links, evaluators, projects, users }: LinkTypesServices): void {
  const Mapping = types.builder.objectRef<InputMapping>("EvaluatorInputMapping").implement({
    fields: (t) => ({
      literalMapping: t.field({ type: "JSON", resolve: ({ literalMapping }): JsonObject => literalMapping }),
      pathMapping: t.field({ type: "JSON", resolve: ({ pathMapping }): JsonObject => ({ ...pathMapping }) }),
    }),
  });
  types.defineNode(DATASET_EVALUATOR, {
    find: (call, id) => call.load(links.findDatasetEvaluators, id, null),
    fields: (t) => ({
      name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
      description: t.string({
        nullable: true,
        description: "Its own, else that of the evaluator.",
        resolve: async ({ description, evaluatorId }, _given, call) =>
          description ?? (await call.load(evaluators.findEvaluators, evaluatorId, null))?.description,
      }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      dataset: t.field({
        type: types.ref(DATASET),
        resolve: ({ datasetId }, _given, call) => getNode(types, call, DATASET, datasetId),
      }),
      evaluator: t.field({
        type: types.ref(EVALUATOR),
        resolve: ({ evaluatorId }, _given, call) => call.loadExisting(evaluators.findEvaluators, evaluatorId),
      }),
      outputConfigs: t.field({
        type: [outputConfigType(types)],
        description: "Its own, else those of the evaluator.",
        resolve: async ({ outputs, evaluatorId }, _given, call) =>
          withOutputIds(outputs ?? (await call.loadExisting(evaluators.findEvaluators, evaluatorId)).outputs),
      }),
      inputMapping: t.field({ type: Mapping, resolve: ({ inputMapping }) => inputMapping }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      project: t.field({
        type: types.ref(PROJECT),
        description: "Where the traces of its evaluations are.",
        resolve: async ({ name, projectName }, _given, call) => {
          const project = await call.load(projects.findProjectsByName, projectName, null);
          if (project === null) throw evaluatorProjectGone(name);
          return project;
        },
      }),
    }),
  });
}

function addDatasetFields(types: GraphqlTypes, links: DatasetEvaluatorsService): void {
  const { Sort, Filter } = listInputs(types, "DatasetEvaluator");
  types.builder.objectFields(types.ref(DATASET), (t) => ({
    evaluatorCount: t.int({
      resolve: async ({ id }, _given, call) => (await call.load(links.countOfDatasets, id, null)) ?? 0,
    }),
    datasetEvaluator: t.field({
      type: types.ref(DATASET_EVALUATOR),
      args: { datasetEvaluatorId: t.arg.id({ required: true }) },
      resolve: ({ id }, { datasetEvaluatorId }, call) => links.getOfDataset(call.context, id, datasetEvaluatorId),
    }),
    datasetEvaluators: t.field({
      type: types.connection(DATASET_EVALUATOR),
      description: "By name, unless sorted.",
      args: { ...types.pagingArguments(), sort: t.arg({ type: Sort }), filter: t.arg({ type: Filter }) },
      resolve: ({ id }, { sort, filter, ...page }, call, info) =>
        listConnection({ call, info }, page, evaluatorOrderOf(sort), (request) =>
          call.load(links.listOfDatasets, id, { ...request, nameContains: filter?.value ?? "" }),
        ),
    }),
  }));
}
