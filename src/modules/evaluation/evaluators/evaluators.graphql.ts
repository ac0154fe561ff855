// Evaluators in GraphQL: built-in ones and those that ask models, and their lists.
import type { GraphqlCall } from "../../../graphql/call.ts";
import { listConnection, offsetConnection } from "../../../graphql/connection.ts";
import { type GraphqlTypes, getNode } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { DATASET } from "../datasets/datasets.schema.ts";
import type { DatasetsService } from "../datasets/datasets.service.ts";
import { PROMPT, PROMPT_VERSION, PROMPT_VERSION_TAG } from "../prompts/prompts.schema.ts";
import type { PromptTagsService } from "../prompts/versions/prompt-tags.service.ts";
import { builtInEvaluators } from "./built-in/built-in-evaluators.rules.ts";
import { evaluatorOrderOf, listInputs } from "./evaluator-inputs.graphql.ts";
import { evaluatorWithoutPrompt } from "./evaluators.errors.ts";
import {
  BUILT_IN_EVALUATOR,
  type BuiltInEvaluator,
  DATASET_EVALUATOR,
  EVALUATOR,
  type Evaluator,
  evaluatorWords,
  LLM_EVALUATOR,
  type LlmEvaluator,
} from "./evaluators.schema.ts";
import type { EvaluatorsService } from "./evaluators.service.ts";
import type { DatasetEvaluatorsService } from "./links/dataset-evaluators.service.ts";
import { schemaOfVersion } from "./llm/evaluator-content.rules.ts";
import { outputConfigType } from "./output-configs.graphql.ts";
import { withOutputIds } from "./output-configs.rules.ts";

interface EvaluatorTypesServices {
  readonly evaluators: EvaluatorsService;
  readonly links: DatasetEvaluatorsService;
  readonly datasets: Pick<DatasetsService, "findDatasets">;
  readonly tags: Pick<PromptTagsService, "findTags">;
  readonly users: Pick<UsersService, "findUsers">;
}

export function addEvaluatorTypes(types: GraphqlTypes, services: EvaluatorTypesServices): void {
  addEvaluatorInterface(types, services);
  addBuiltInNode(types, services);
  addLlmNode(types, services);
  addEvaluatorQueries(types, services.evaluators);
}

function addEvaluatorInterface(types: GraphqlTypes, { links, datasets }: EvaluatorTypesServices): void {
  const { builder } = types;
  const Kind = builder.enumType("EvaluatorKind", { values: ["LLM", "CODE", "BUILTIN"] as const });
  // Under its name, so that the connection has it for its nodes.
  types.once(EVALUATOR, () =>
    builder.interfaceRef<Evaluator>(EVALUATOR).implement({
      resolveType: ({ kind }) => evaluatorWords[kind],
      fields: (t) => ({
        id: t.id({ resolve: ({ kind, id }) => globalId(evaluatorWords[kind], id) }),
        name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
        description: t.exposeString("description", { nullable: true }),
        metadata: t.field({
          type: "JSON",
          resolve: (evaluator): JsonObject =>
            evaluator.kind === "LLM" ? {} : { type: builtInEvaluators.get(evaluator.name)!.category },
        }),
        kind: t.field({ type: Kind, resolve: ({ kind }) => kind }),
        createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
        updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
        isBuiltin: t.boolean({ resolve: ({ kind }) => kind === "BUILTIN" }),
        datasets: t.field({
          type: types.connection(DATASET),
          description: "That use it, by name.",
          args: { first: t.arg.int({ defaultValue: 50 }), after: t.arg.string() },
          resolve: async ({ id }, page, call, info) => {
            const used = (await call.load(links.listOfEvaluators, id, null)) ?? [];
            const ids = [...new Set(used.map(({ datasetId }) => datasetId))];
            const found = await Promise.all(ids.map((each) => call.load(datasets.findDatasets, each, null)));
            const shown = found.filter((dataset) => dataset !== null);
            shown.sort((one, other) => (one.name < other.name ? -1 : 1));
            return offsetConnection({ call, info }, shown, page);
          },
        }),
        datasetEvaluators: t.field({
          type: [types.ref(DATASET_EVALUATOR)],
          description: "Its links to datasets, by name.",
          resolve: async ({ id }, _given, call) => [...((await call.load(links.listOfEvaluators, id, null)) ?? [])],
        }),
      }),
    }),
  );
}

/** Evaluators of one kind by row id. */
function finderOf<Found extends Evaluator>({ evaluators }: EvaluatorTypesServices, kind: Found["kind"]) {
  return async (call: GraphqlCall, id: number): Promise<Found | null> => {
    const found = await call.load(evaluators.findEvaluators, id, null);
    return found?.kind === kind ? (found as Found) : null;
  };
}

function addBuiltInNode(types: GraphqlTypes, services: EvaluatorTypesServices): void {
  types.defineNode(BUILT_IN_EVALUATOR, {
    interfaces: [types.ref(EVALUATOR)],
    find: finderOf<BuiltInEvaluator>(services, "BUILTIN"),
    fields: (t) => ({
      inputSchema: t.field({
        type: "JSON",
        nullable: true,
        resolve: ({ name }) => builtInEvaluators.get(name)!.inputSchema,
      }),
      outputConfigs: t.field({
        type: [outputConfigType(types)],
        resolve: ({ outputs }) => withOutputIds(outputs),
      }),
      user: t.field({ type: types.ref(USER), nullable: true, resolve: () => null }),
    }),
  });
}

function addLlmNode(types: GraphqlTypes, services: EvaluatorTypesServices): void {
  const { evaluators, tags, users } = services;
  types.defineNode(LLM_EVALUATOR, {
    interfaces: [types.ref(EVALUATOR)],
    find: finderOf<LlmEvaluator>(services, "LLM"),
    fields: (t) => ({
      outputConfigs: t.field({
        type: [outputConfigType(types)],
        resolve: ({ outputs }) => withOutputIds(outputs),
      }),
      prompt: t.field({
        type: types.ref(PROMPT),
        resolve: ({ promptId }, _given, call) => getNode(types, call, PROMPT, promptId),
      }),
      promptVersionTag: t.field({
        type: types.ref(PROMPT_VERSION_TAG),
        nullable: true,
        description: "It points at the version that runs.",
        resolve: ({ promptTagId }, _given, call) =>
          promptTagId === null ? null : call.load(tags.findTags, promptTagId, null),
      }),
      promptVersion: t.field({
        type: types.ref(PROMPT_VERSION),
        description: "The version that runs: the tagged one, else the newest.",
        resolve: async ({ id, name }, _given, call) => {
          const version = await call.load(evaluators.findRunningVersions, id, null);
          if (version === null) throw evaluatorWithoutPrompt(name);
          return version;
        },
      }),
      inputSchema: t.field({
        type: "JSON",
        nullable: true,
        description: "The variables of its template.",
        resolve: async ({ id }, _given, call) => {
          const version = await call.load(evaluators.findRunningVersions, id, null);
          return version === null ? null : schemaOfVersion(version);
        },
      }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
    }),
  });
}

function addEvaluatorQueries(types: GraphqlTypes, evaluators: EvaluatorsService): void {
  const { Sort, Filter } = listInputs(types, "Evaluator");
  types.builder.queryFields((t) => ({
    builtInEvaluators: t.field({
      type: [types.ref(BUILT_IN_EVALUATOR)],
      description: "By name.",
      may: "evaluators.read",
      resolve: (_root, _given, call) => evaluators.listBuiltIn(call.context),
    }),
    evaluators: t.field({
      type: types.connection(EVALUATOR),
      description:
        "Those that ask models, and built-in ones that a dataset uses; by name, unless sorted. The filter also finds the names that " +
        "datasets give them.",
      may: "evaluators.read",
      args: { ...types.pagingArguments(), sort: t.arg({ type: Sort }), filter: t.arg({ type: Filter }) },
      resolve: (_root, { sort, filter, ...page }, call, info) =>
        listConnection({ call, info }, page, evaluatorOrderOf(sort), (request) =>
          evaluators.listEvaluators(call.context, filter?.value ?? "", request),
        ),
    }),
    evaluatorCount: t.int({
      may: "evaluators.read",
      resolve: (_root, _given, call) => evaluators.countEvaluators(call.context),
    }),
  }));
}
