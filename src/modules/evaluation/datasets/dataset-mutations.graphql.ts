// Changes of datasets and their examples in GraphQL.
import { argumentRefused } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { SPAN } from "../../tracing/spans/spans.schema.ts";
import {
  addedExample,
  changedWords,
  namedExample,
  objectText,
  patchOperations,
  requireObject,
  versionWordsOf,
} from "./dataset-inputs.graphql.ts";
import { exampleNotFound, operationRefused, unknownDataset, wrongDatasetId } from "./datasets.errors.ts";
import { DATASET, type Dataset, EXAMPLE } from "./datasets.schema.ts";
import type { DatasetsService } from "./datasets.service.ts";
import type { DatasetChangesService } from "./examples/dataset-changes.service.ts";
import type { ExampleOperation } from "./examples/dataset-operations.rules.ts";

interface DatasetMutationServices {
  readonly datasets: DatasetsService;
  readonly changes: DatasetChangesService;
}

/** What changes of a dataset answer. */
export function datasetPayload(types: GraphqlTypes) {
  return types.once("DatasetMutationPayload", () =>
    types.payload<{ readonly dataset: Dataset }>("DatasetMutationPayload", (t) => ({
      dataset: t.field({ type: types.ref(DATASET), resolve: ({ dataset }) => dataset }),
    })),
  );
}

export function addDatasetMutations(types: GraphqlTypes, services: DatasetMutationServices): void {
  addDatasetChanges(types, services);
  addExampleAdditions(types, services);
  addExampleOperations(types, services);
}

/** The dataset of a global id. Throws kind `invalid` for any other text, `not_found`. */
export async function requireDatasetOf(datasets: DatasetsService, context: CallContext, id: string): Promise<Dataset> {
  const rowId = rowIdOf(id);
  const dataset = (await datasets.findDatasets(context, [rowId])).get(rowId);
  if (dataset === undefined) throw unknownDataset(id);
  return dataset;
}

function rowIdOf(id: string): number {
  try {
    return requireRowId(DATASET, id);
  } catch {
    throw wrongDatasetId(id);
  }
}

function addDatasetChanges(types: GraphqlTypes, { datasets }: DatasetMutationServices): void {
  const { builder } = types;
  const CreateDatasetInput = builder.inputType("CreateDatasetInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const PatchDatasetInput = builder.inputType("PatchDatasetInput", {
    fields: (t) => ({
      datasetId: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const DeleteDatasetInput = builder.inputType("DeleteDatasetInput", {
    fields: (t) => ({ datasetId: t.id({ required: true }) }),
  });
  const Payload = datasetPayload(types);
  builder.mutationFields((t) => ({
    createDataset: t.field({
      type: Payload,
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: CreateDatasetInput, required: true }) },
      resolve: async (_root, { input: { name, description, metadata } }, call) => ({
        dataset: await datasets.createDataset(call.context, {
          name: storableText(name),
          description: typeof description === "string" ? storableText(description) : null,
          metadata: objectText(metadata),
        }),
      }),
    }),
    patchDataset: t.field({
      type: Payload,
      description: "What is left out stays; null clears the description.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: PatchDatasetInput, required: true }) },
      resolve: async (_root, { input: { datasetId, ...given } }, call) => {
        const changes = {
          ...changedWords(given),
          ...(given.metadata === undefined ? {} : { metadata: objectText(given.metadata) }),
        };
        return { dataset: await datasets.updateDataset(call.context, rowIdOf(datasetId), changes) };
      },
    }),
    deleteDataset: t.field({
      type: Payload,
      description: "With its versions and examples. Splits and labels stay.",
      may: "datasets.change",
      adds: false,
      args: { input: t.arg({ type: DeleteDatasetInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        dataset: await datasets.deleteDataset(call.context, input.datasetId),
      }),
    }),
  }));
}

function addExampleAdditions(types: GraphqlTypes, { datasets, changes }: DatasetMutationServices): void {
  const { builder } = types;
  const DatasetExampleInput = builder.inputType("DatasetExampleInput", {
    fields: (t) => ({
      input: t.field({ type: "JSON", required: true }),
      output: t.field({ type: "JSON", required: true }),
      metadata: t.field({ type: "JSON", required: true }),
      spanId: t.id({ description: "Of the span that it is made of." }),
      externalId: t.string({ description: "An id of the sender's own." }),
    }),
  });
  const AddInput = builder.inputType("AddExamplesToDatasetInput", {
    fields: (t) => ({
      datasetId: t.id({ required: true }),
      examples: t.field({ type: [DatasetExampleInput], required: true }),
      datasetVersionDescription: t.string(),
      datasetVersionMetadata: t.field({ type: "JSON" }),
    }),
  });
  builder.mutationField("addExamplesToDataset", (t) =>
    t.field({
      type: datasetPayload(types),
      description: "In one new version.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: AddInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { datasetId, examples, datasetVersionDescription, datasetVersionMetadata } = input;
        const words = versionWordsOf(datasetVersionDescription, datasetVersionMetadata);
        const operations = examples.map((example, position) => {
          const { spanId } = example;
          const linked = spanId === null || spanId === undefined ? null : requireRowId(SPAN, spanId);
          return addedExample(example, `examples[${position}]`, linked);
        });
        const dataset = await requireDatasetOf(datasets, call.context, datasetId);
        await changes.applyOperations(call.context, dataset, operations, words);
        return { dataset };
      },
    }),
  );
}

const fieldWords = { INPUT: "input", OUTPUT: "output", METADATA: "metadata" } as const;

function operationInput({ builder }: GraphqlTypes) {
  const Value = builder.inputType("DatasetExampleValueInput", {
    fields: (t) => ({
      input: t.field({ type: "JSON", required: true }),
      output: t.field({ type: "JSON", required: true }),
      metadata: t.field({ type: "JSON", required: true }),
      externalId: t.string(),
    }),
  });
  const Field = builder.enumType("DatasetExampleField", { values: ["INPUT", "OUTPUT", "METADATA"] as const });
  const Add = builder.inputType("AddDatasetExampleOperation", {
    fields: (t) => ({ value: t.field({ type: Value, required: true }) }),
  });
  const Replace = builder.inputType("ReplaceDatasetExampleFieldOperation", {
    fields: (t) => ({
      exampleId: t.id({ required: true }),
      field: t.field({ type: Field, required: true }),
      value: t.field({ type: "JSON", required: true }),
    }),
  });
  const Remove = builder.inputType("RemoveDatasetExampleOperation", {
    fields: (t) => ({ exampleId: t.id({ required: true }) }),
  });
  return builder.inputType("DatasetExampleOperation", {
    isOneOf: true,
    fields: (t) => ({
      add: t.field({ type: Add }),
      replace: t.field({ type: Replace }),
      remove: t.field({ type: Remove }),
    }),
  });
}

type GivenOperation = ReturnType<typeof operationInput>["$inferInput"];

function operationOf({ add, replace, remove }: GivenOperation, position: number): ExampleOperation {
  const place = `operations[${position}]`;
  if (add) return addedExample(add.value, `${place}.add.value`);
  if (replace) {
    const value = requireObject(replace.value, `${place}.replace.value must be a JSON object.`);
    const named = namedExample(replace.exampleId, `${place}.replace.exampleId is not a dataset example ID.`);
    return { kind: "replace", named, fields: { [fieldWords[replace.field]]: value } };
  }
  if (remove) {
    return {
      kind: "remove",
      named: namedExample(remove.exampleId, `${place}.remove.exampleId is not a dataset example ID.`),
    };
  }
  throw operationRefused(`${place} must be exactly one of add, replace and remove.`);
}

function addExampleOperations(types: GraphqlTypes, { datasets, changes }: DatasetMutationServices): void {
  const { builder } = types;
  const Payload = datasetPayload(types);
  const Operation = operationInput(types);
  const Patch = builder.inputType("DatasetExamplePatch", {
    fields: (t) => ({
      exampleId: t.id({ required: true }),
      input: t.field({ type: "JSON" }),
      output: t.field({ type: "JSON" }),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const PatchInput = builder.inputType("PatchDatasetExamplesInput", {
    description: "Two generations of programs share this input: one sends `patches`, the other `operations`.",
    fields: (t) => ({
      datasetId: t.id(),
      patches: t.field({ type: [Patch] }),
      operations: t.field({ type: [Operation], description: "Applied in order." }),
      versionDescription: t.string(),
      versionMetadata: t.field({ type: "JSON" }),
    }),
  });
  const DeleteInput = builder.inputType("DeleteDatasetExamplesInput", {
    fields: (t) => ({
      exampleIds: t.idList({ required: true }),
      datasetVersionDescription: t.string(),
      datasetVersionMetadata: t.field({ type: "JSON" }),
      datasetId: t.id(),
    }),
  });

  /** The dataset that is named, else that of the first example. */
  async function datasetOf(
    context: CallContext,
    id: string | null | undefined,
    operations: readonly ExampleOperation[],
  ) {
    if (typeof id === "string") return requireDatasetOf(datasets, context, id);
    const named = operations.flatMap((operation) => (operation.kind === "add" ? [] : [operation.named]))[0];
    if (named === undefined) throw argumentRefused("datasetId", "must be given");
    const example = (await datasets.findExamples(context, [named.namedExample!])).get(named.namedExample!);
    if (example === undefined) throw exampleNotFound(named.text);
    return requireDatasetOf(datasets, context, globalId(DATASET, example.datasetId));
  }

  builder.mutationFields((t) => ({
    patchDatasetExamples: t.field({
      type: Payload,
      description: "In one new version.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { patches, operations: given } = input;
        if ((patches === null || patches === undefined) === (given === null || given === undefined)) {
          throw argumentRefused("input", "exactly one of patches and operations must be given");
        }
        if (given?.length === 0) throw operationRefused("Must provide at least one operation.");
        const operations = given?.map(operationOf) ?? patchOperations(patches!);
        const words = versionWordsOf(input.versionDescription, input.versionMetadata);
        const dataset = await datasetOf(call.context, input.datasetId, operations);
        await changes.applyOperations(call.context, dataset, operations, words);
        return { dataset };
      },
    }),
    deleteDatasetExamples: t.field({
      type: Payload,
      description: "In one new version; older ones go on to show them.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const ids = [...new Set(input.exampleIds)];
        if (ids.length === 0) throw argumentRefused("exampleIds", "Must provide examples to delete");
        const operations = ids.map(
          (id): ExampleOperation => ({
            kind: "remove",
            named: namedExample(id, `${id} is not the id of a ${EXAMPLE}`),
          }),
        );
        const words = versionWordsOf(input.datasetVersionDescription, input.datasetVersionMetadata);
        const dataset = await datasetOf(call.context, input.datasetId, operations);
        await changes.applyOperations(call.context, dataset, operations, words);
        return { dataset };
      },
    }),
  }));
}
