// Changes of splits and labels of datasets in GraphQL.
import { argumentRefused, requireKey } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { newLabelFields } from "../../labels/labels.graphql.ts";
import type { LabelsService } from "../../labels/labels.service.ts";
import { requireObject } from "../dataset-inputs.graphql.ts";
import { requireDatasetOf } from "../dataset-mutations.graphql.ts";
import { exampleNotFound, examplesMissing } from "../datasets.errors.ts";
import { DATASET, type Dataset, type DatasetExample, EXAMPLE } from "../datasets.schema.ts";
import type { DatasetsService } from "../datasets.service.ts";
import { DATASET_LABEL, type DatasetLabel, LABEL_COLOR } from "../labels/dataset-labels.schema.ts";
import { type DatasetSplit, SPLIT } from "./dataset-splits.schema.ts";
import type { DatasetSplitsService } from "./dataset-splits.service.ts";

interface SplitMutationServices {
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
  readonly labels: LabelsService<DatasetLabel, string>;
}

type Nullish<Value> = Value | null | undefined;

export function addSplitAndLabelMutations(types: GraphqlTypes, services: SplitMutationServices): void {
  addSplitMutations(types, services);
  addMembershipMutations(types, services);
  addLabelMutations(types, services);
}

interface GivenSplit {
  readonly name: string;
  readonly description?: Nullish<string>;
  readonly color: string;
  readonly metadata?: unknown;
}

const objectOf = (value: unknown): JsonObject =>
  value === null || value === undefined ? {} : requireObject(value, "metadata: must be a JSON object");

const splitWords = ({ name, description, color, metadata }: GivenSplit) => ({
  name: storableText(name),
  description: typeof description === "string" ? storableText(description) : null,
  color: storableText(color),
  metadata: objectOf(metadata),
});

/** Examples by their ids, each once, in their order. Throws kind `invalid` for what is no id, `not_found`. */
async function requireExamples(
  datasets: DatasetsService,
  context: CallContext,
  ids: readonly string[],
): Promise<DatasetExample[]> {
  const rowIds = [...new Set(ids.map((id) => requireRowId(EXAMPLE, id)))];
  const found = await datasets.findExamples(context, rowIds);
  const missing = ids.find((id) => !found.has(requireRowId(EXAMPLE, id)));
  if (missing !== undefined) throw exampleNotFound(missing);
  return rowIds.map((id) => found.get(id)!);
}

function addSplitMutations(types: GraphqlTypes, { datasets, splits }: SplitMutationServices): void {
  const { builder } = types;
  const Payload = types.payload<{ readonly split: DatasetSplit }>("DatasetSplitMutationPayload", (t) => ({
    datasetSplit: t.field({ type: types.ref(SPLIT), resolve: ({ split }) => split }),
  }));
  const PayloadWithExamples = types.payload<{
    readonly split: DatasetSplit;
    readonly examples: readonly DatasetExample[];
  }>("DatasetSplitMutationPayloadWithExamples", (t) => ({
    datasetSplit: t.field({ type: types.ref(SPLIT), resolve: ({ split }) => split }),
    examples: t.field({ type: [types.ref(EXAMPLE)], resolve: ({ examples }) => [...examples] }),
  }));
  const DeletePayload = types.payload<{ readonly deleted: readonly DatasetSplit[] }>(
    "DeleteDatasetSplitsMutationPayload",
    (t) => ({ datasetSplits: t.field({ type: [types.ref(SPLIT)], resolve: ({ deleted }) => [...deleted] }) }),
  );
  const CreateInput = builder.inputType("CreateDatasetSplitInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      color: t.string({ required: true }),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const PatchInput = builder.inputType("PatchDatasetSplitInput", {
    fields: (t) => ({
      datasetSplitId: t.id({ required: true }),
      name: t.string(),
      description: t.string(),
      color: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const DeleteInput = builder.inputType("DeleteDatasetSplitInput", {
    fields: (t) => ({ datasetSplitIds: t.idList({ required: true }) }),
  });
  const CreateWithExamplesInput = builder.inputType("CreateDatasetSplitWithExamplesInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      color: t.string({ required: true }),
      metadata: t.field({ type: "JSON" }),
      exampleIds: t.idList({ required: true }),
    }),
  });
  builder.mutationFields((t) => ({
    createDatasetSplit: t.field({
      type: Payload,
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => ({ split: await splits.createSplit(call.context, splitWords(input)) }),
    }),
    patchDatasetSplit: t.field({
      type: Payload,
      description: "What is left out stays.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input: { datasetSplitId, name, description, color, metadata } }, call) => {
        const words = {
          ...(typeof name === "string" ? { name: storableText(name) } : {}),
          ...(typeof color === "string" ? { color: storableText(color) } : {}),
          ...(description === undefined
            ? {}
            : { description: description === null ? null : storableText(description) }),
          ...(metadata === null || metadata === undefined ? {} : { metadata: objectOf(metadata) }),
        };
        return { split: await splits.updateSplit(call.context, datasetSplitId, words) };
      },
    }),
    deleteDatasetSplits: t.field({
      type: DeletePayload,
      description: "All or nothing; examples stay.",
      may: "datasets.change",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        deleted: await splits.deleteSplits(call.context, [...new Set(input.datasetSplitIds)]),
      }),
    }),
    createDatasetSplitWithExamples: t.field({
      type: PayloadWithExamples,
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: CreateWithExamplesInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const examples = await requireExamples(datasets, call.context, input.exampleIds);
        const ids = examples.map(({ id }) => id);
        return { split: await splits.createOfExamples(call.context, splitWords(input), ids), examples };
      },
    }),
  }));
}

function addMembershipMutations(types: GraphqlTypes, { datasets, splits }: SplitMutationServices): void {
  const { builder } = types;
  const OnePayload = types.payload<{ readonly example: DatasetExample }>(
    "SetDatasetExampleSplitsMutationPayload",
    (t) => ({ example: t.field({ type: types.ref(EXAMPLE), resolve: ({ example }) => example }) }),
  );
  const ManyPayload = types.payload<{ readonly examples: readonly DatasetExample[] }>(
    "SetDatasetExamplesSplitsMutationPayload",
    (t) => ({ examples: t.field({ type: [types.ref(EXAMPLE)], resolve: ({ examples }) => [...examples] }) }),
  );
  const OneInput = builder.inputType("SetDatasetExampleSplitsInput", {
    fields: (t) => ({ exampleId: t.id({ required: true }), datasetSplitIds: t.idList({ required: true }) }),
  });
  const ManyInput = builder.inputType("SetDatasetExamplesSplitsInput", {
    fields: (t) => ({
      exampleIds: t.idList({ required: true }),
      datasetSplitIds: t.idList({ required: true }),
      datasetId: t.id(),
    }),
  });
  const set = async (context: CallContext, exampleIds: readonly string[], splitIds: readonly string[]) => {
    const rowIds = [...new Set(splitIds.map((id) => requireRowId(SPLIT, id)))];
    const examples = await requireExamples(datasets, context, exampleIds);
    await splits.setSplits(
      context,
      examples.map(({ id }) => id),
      rowIds,
    );
    return examples;
  };
  builder.mutationFields((t) => ({
    setDatasetExampleSplits: t.field({
      type: OnePayload,
      description: "The example is then in exactly these.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: OneInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const [example] = await set(call.context, [input.exampleId], input.datasetSplitIds);
        return { example: example! };
      },
    }),
    setDatasetExamplesSplits: t.field({
      type: ManyPayload,
      description: "Each of the examples is then in exactly these.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: ManyInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { exampleIds, datasetSplitIds, datasetId } = input;
        if (exampleIds.length === 0) throw argumentRefused("exampleIds", "must not be empty");
        if (typeof datasetId === "string") {
          const rowId = requireRowId(DATASET, datasetId);
          const examples = await requireExamples(datasets, call.context, exampleIds);
          const foreign = examples.findIndex((example) => example.datasetId !== rowId);
          if (foreign >= 0) throw examplesMissing([exampleIds[foreign]!]);
        }
        return { examples: await set(call.context, exampleIds, datasetSplitIds) };
      },
    }),
  }));
}

function addLabelMutations(types: GraphqlTypes, { datasets, labels }: SplitMutationServices): void {
  const { builder } = types;
  const CreatePayload = types.payload<{ readonly label: DatasetLabel; readonly datasets: readonly Dataset[] }>(
    "CreateDatasetLabelMutationPayload",
    (t) => ({
      datasetLabel: t.field({ type: types.ref(DATASET_LABEL), resolve: ({ label }) => label }),
      datasets: t.field({ type: [types.ref(DATASET)], resolve: (payload) => [...payload.datasets] }),
    }),
  );
  const DeletePayload = types.payload<{ readonly deleted: readonly DatasetLabel[] }>(
    "DeleteDatasetLabelsMutationPayload",
    (t) => ({ datasetLabels: t.field({ type: [types.ref(DATASET_LABEL)], resolve: ({ deleted }) => [...deleted] }) }),
  );
  const SetPayload = types.payload<{ readonly dataset: Dataset }>("SetDatasetLabelsMutationPayload", (t) => ({
    dataset: t.field({ type: types.ref(DATASET), resolve: ({ dataset }) => dataset }),
  }));
  const CreateInput = builder.inputType("CreateDatasetLabelInput", {
    fields: (t) => ({ ...newLabelFields(t), datasetIds: t.idList() }),
  });
  const DeleteInput = builder.inputType("DeleteDatasetLabelsInput", {
    fields: (t) => ({ datasetLabelIds: t.idList({ required: true }) }),
  });
  const SetInput = builder.inputType("SetDatasetLabelsInput", {
    fields: (t) => ({ datasetId: t.id({ required: true }), datasetLabelIds: t.idList({ required: true }) }),
  });
  builder.mutationFields((t) => ({
    createDatasetLabel: t.field({
      type: CreatePayload,
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input: { name, description = null, color, datasetIds } }, call) => {
        if (!new RegExp(LABEL_COLOR).test(color)) throw argumentRefused("color", `Expected a hex color, got ${color}`);
        if (name === "") throw argumentRefused("name", "must not be empty");
        requireKey("name", storableText(name));
        const given = await Promise.all((datasetIds ?? []).map((id) => requireDatasetOf(datasets, call.context, id)));
        const words = {
          name: storableText(name),
          description: description === null ? null : storableText(description),
          color,
        };
        return { label: await labels.createLabel(call.context, words, datasetIds ?? []), datasets: given };
      },
    }),
    deleteDatasetLabels: t.field({
      type: DeletePayload,
      description: "All or nothing; datasets have them no longer.",
      may: "datasets.change",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input }, call) => ({
        deleted: await labels.deleteLabels(call.context, [...new Set(input.datasetLabelIds)]),
      }),
    }),
    setDatasetLabels: t.field({
      type: SetPayload,
      description: "The dataset then has exactly these.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: SetInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const dataset = await requireDatasetOf(datasets, call.context, input.datasetId);
        await labels.setLabels(call.context, input.datasetId, input.datasetLabelIds);
        return { dataset };
      },
    }),
  }));
}
