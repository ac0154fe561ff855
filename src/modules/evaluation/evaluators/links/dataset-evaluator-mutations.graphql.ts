// What attaches evaluators to datasets, changes and detaches them, in GraphQL.
import type { GraphqlTypes, InputFields } from "../../../../graphql/types.ts";
import { annotationConfigInput, configOfInput } from "../../annotation-configs/annotation-configs.graphql.ts";
import { type VersionInputRef, versionInput } from "../../prompts/content/prompt-inputs.graphql.ts";
import { givenContent } from "../../prompts/prompt-mutations.graphql.ts";
import { descriptionOf } from "../evaluator-inputs.graphql.ts";
import { DATASET_EVALUATOR, type DatasetEvaluator } from "../evaluators.schema.ts";
import { inputMappingInput, inputMappingOf } from "../mapping/input-mapping.graphql.ts";
import type { DatasetEvaluatorDeletionService } from "./dataset-evaluator-deletion.service.ts";
import type { DatasetEvaluatorsService } from "./dataset-evaluators.service.ts";
import type { DatasetLlmEvaluatorsService, LlmEvaluatorFields } from "./dataset-llm-evaluators.service.ts";

interface LinkMutationServices {
  readonly links: Pick<DatasetEvaluatorsService, "createBuiltIn" | "updateBuiltIn">;
  readonly llm: DatasetLlmEvaluatorsService;
  readonly deletion: Pick<DatasetEvaluatorDeletionService, "deleteDatasetEvaluators">;
}

type PayloadRef = ReturnType<typeof mutationPayload>;

export function addDatasetEvaluatorMutations(types: GraphqlTypes, services: LinkMutationServices): void {
  const Payload = mutationPayload(types);
  addLlmMutations(types, Payload, services.llm);
  addBuiltInMutations(types, Payload, services.links);
  addDeletion(types, services.deletion);
}

function mutationPayload(types: GraphqlTypes) {
  return types.payload<{ readonly evaluator: DatasetEvaluator }>("DatasetEvaluatorMutationPayload", (t) => ({
    evaluator: t.field({ type: types.ref(DATASET_EVALUATOR), resolve: ({ evaluator }) => evaluator }),
  }));
}

function addLlmMutations(types: GraphqlTypes, Payload: PayloadRef, llm: DatasetLlmEvaluatorsService): void {
  const { builder } = types;
  const Config = annotationConfigInput(types);
  const Mapping = inputMappingInput(types);
  const Version = versionInput(types);
  const contents = (t: InputFields) => ({
    name: t.field({ type: "Identifier", required: true }),
    description: t.string(),
    promptVersionId: t.id({
      description: "Of the version that promptVersion was made from; absent for a new prompt.",
    }),
    promptVersion: t.field({ type: Version, required: true }),
    outputConfigs: t.field({ type: [Config], required: true }),
    inputMapping: t.field({ type: Mapping }),
  });
  const CreateInput = builder.inputType("CreateDatasetLLMEvaluatorInput", {
    fields: (t) => ({ datasetId: t.id({ required: true }), ...contents(t) }),
  });
  const UpdateInput = builder.inputType("UpdateDatasetLLMEvaluatorInput", {
    fields: (t) => ({
      datasetEvaluatorId: t.id({ required: true }),
      datasetId: t.id({ required: true, description: "Unused: the evaluator stays with its dataset." }),
      ...contents(t),
    }),
  });
  builder.mutationFields((t) => ({
    createDatasetLlmEvaluator: t.field({
      type: Payload,
      description: "An evaluator that asks a model, with its prompt, its tag and the project of its traces.",
      may: "evaluators.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        evaluator: await llm.createLlm(call.context, input.datasetId, llmFields(input)),
      }),
    }),
    updateDatasetLlmEvaluator: t.field({
      type: Payload,
      description: "Changes it for every dataset that uses it. A prompt that changes gets a version.",
      may: "evaluators.change",
      adds: true,
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        evaluator: await llm.updateLlm(call.context, input.datasetEvaluatorId, llmFields(input)),
      }),
    }),
  }));
}

interface GivenLlm {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly promptVersionId?: string | null | undefined;
  readonly promptVersion: VersionInputRef["$inferInput"];
  readonly outputConfigs: readonly Parameters<typeof configOfInput>[0][];
  readonly inputMapping?: Parameters<typeof inputMappingOf>[0];
}

function llmFields(given: GivenLlm): LlmEvaluatorFields {
  return {
    name: given.name,
    description: descriptionOf(given.description),
    inputMapping: inputMappingOf(given.inputMapping),
    outputs: given.outputConfigs.map(configOfInput),
    content: givenContent(given.promptVersion),
    promptVersionId: given.promptVersionId ?? null,
  };
}

function addBuiltInMutations(types: GraphqlTypes, Payload: PayloadRef, links: LinkMutationServices["links"]): void {
  const { builder } = types;
  const Config = annotationConfigInput(types);
  const Mapping = inputMappingInput(types);
  const CreateInput = builder.inputType("CreateDatasetBuiltinEvaluatorInput", {
    fields: (t) => ({
      datasetId: t.id({ required: true }),
      evaluatorId: t.id({ required: true }),
      name: t.field({ type: "Identifier", required: true }),
      inputMapping: t.field({ type: Mapping }),
      outputConfigs: t.field({ type: [Config], description: "Absent for those of the evaluator." }),
      description: t.string(),
    }),
  });
  const UpdateInput = builder.inputType("UpdateDatasetBuiltinEvaluatorInput", {
    fields: (t) => ({
      datasetEvaluatorId: t.id({ required: true }),
      name: t.field({ type: "Identifier", required: true }),
      inputMapping: t.field({ type: Mapping }),
      outputConfigs: t.field({ type: [Config], description: "Absent for those of the evaluator." }),
      description: t.string(),
    }),
  });
  const fieldsOf = (
    given: Omit<GivenLlm, "promptVersion" | "outputConfigs"> & {
      readonly outputConfigs?: GivenLlm["outputConfigs"] | null | undefined;
    },
  ) => ({
    name: given.name,
    description: descriptionOf(given.description),
    inputMapping: inputMappingOf(given.inputMapping),
    outputs: given.outputConfigs?.map(configOfInput) ?? null,
  });
  builder.mutationFields((t) => ({
    createDatasetBuiltinEvaluator: t.field({
      type: Payload,
      may: "evaluators.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { datasetId, evaluatorId } = input;
        return { evaluator: await links.createBuiltIn(call.context, { ...fieldsOf(input), datasetId, evaluatorId }) };
      },
    }),
    updateDatasetBuiltinEvaluator: t.field({
      type: Payload,
      may: "evaluators.change",
      adds: true,
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        evaluator: await links.updateBuiltIn(call.context, input.datasetEvaluatorId, fieldsOf(input)),
      }),
    }),
  }));
}

function addDeletion(types: GraphqlTypes, deletion: LinkMutationServices["deletion"]): void {
  const { builder } = types;
  const Input = builder.inputType("DeleteDatasetEvaluatorsInput", {
    fields: (t) => ({
      datasetEvaluatorIds: t.idList({ required: true }),
      deleteAssociatedPrompt: t.boolean({
        required: true,
        defaultValue: true,
        description: "Also the prompts that were made for them and that no other evaluator uses.",
      }),
    }),
  });
  const Payload = types.payload<{ readonly ids: readonly string[] }>("DeleteDatasetEvaluatorsPayload", (t) => ({
    datasetEvaluatorIds: t.idList({ resolve: ({ ids }) => [...ids] }),
  }));
  builder.mutationField("deleteDatasetEvaluators", (t) =>
    t.field({
      type: Payload,
      description: "With the traces of their evaluations. Ids that are not there are left out of the answer.",
      may: "evaluators.change",
      adds: true,
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_root, { input: { datasetEvaluatorIds, deleteAssociatedPrompt } }, call) => ({
        ids: await deletion.deleteDatasetEvaluators(call.context, datasetEvaluatorIds, deleteAssociatedPrompt),
      }),
    }),
  );
}
