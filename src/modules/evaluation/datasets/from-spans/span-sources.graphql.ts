// Examples out of spans in GraphQL: what a span would be, and the ways to choose some.
import { argumentRefused } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { SPAN } from "../../../tracing/spans/spans.schema.ts";
import { versionWordsOf } from "../dataset-inputs.graphql.ts";
import { datasetPayload, requireDatasetOf } from "../dataset-mutations.graphql.ts";
import { unknownDataset } from "../datasets.errors.ts";
import { exampleRevision } from "../datasets.graphql.ts";
import { DATASET } from "../datasets.schema.ts";
import { type DatasetsService, requireDatasetName } from "../datasets.service.ts";
import type { DatasetTarget } from "../examples/dataset-changes.service.ts";
import { splitNames } from "../uploads/upload-json.rules.ts";
import {
  addSelectionPreview,
  editInput,
  editsOf,
  expectedOutputInput,
  MOST_EDITS,
  ruleOf,
} from "./selected-examples.graphql.ts";
import type { SpanExample } from "./span-example.rules.ts";
import { selectionInput, selectionOf } from "./span-selections.graphql.ts";
import type { SpanSourcesService } from "./span-sources.service.ts";

interface SpanSourceServices {
  readonly datasets: DatasetsService;
  readonly sources: SpanSourcesService;
}

export function addSpanSources(types: GraphqlTypes, services: SpanSourceServices): void {
  const { builder } = types;
  const { datasets, sources } = services;
  const AsExample = builder.objectRef<SpanExample>("SpanAsExampleRevision").implement({
    interfaces: [exampleRevision(types)],
    fields: (t) => ({
      input: t.field({ type: "JSON", resolve: ({ input }) => input }),
      output: t.field({ type: "JSON", resolve: ({ output }) => output }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => metadata }),
    }),
  });
  builder.objectField(types.ref(SPAN), "asExampleRevision", (t) =>
    t.field({
      type: AsExample,
      description: "What it would be as an example of a dataset.",
      resolve: ({ id }, _given, call) => call.loadExisting(sources.findSpanExamples, id),
    }),
  );
  const AddSpansInput = builder.inputType("AddSpansToDatasetInput", {
    fields: (t) => ({
      datasetId: t.id({ required: true }),
      spanIds: t.idList({ required: true }),
      datasetVersionDescription: t.string(),
      datasetVersionMetadata: t.field({ type: "JSON" }),
    }),
  });
  const Selection = selectionInput(types);
  const ExpectedOutput = expectedOutputInput(types);
  const Edit = editInput(types);
  addSelectionPreview(types, sources, { Selection, ExpectedOutput });
  const AddSelectionInput = builder.inputType("AddSelectionToDatasetInput", {
    fields: (t) => ({
      datasetId: t.id({ description: "Either this or newDatasetName." }),
      newDatasetName: t.string({ description: "Of a dataset that is made together with the examples." }),
      selection: t.field({ type: Selection, required: true }),
      expectedOutput: t.field({ type: ExpectedOutput, description: "The output of each span, where it is left out." }),
      edits: t.field({
        type: [Edit],
        description: `What examples of single spans say instead: at most ${MOST_EDITS}, each of a span that is chosen.`,
      }),
      splitNames: t.stringList({ description: "The examples are put into these; those that are not there are made." }),
      datasetVersionDescription: t.string(),
      datasetVersionMetadata: t.field({ type: "JSON" }),
    }),
  });
  builder.mutationFields((t) => ({
    addSpansToDataset: t.field({
      type: datasetPayload(types),
      description: "An example for each of the spans, in one new version.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: AddSpansInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const words = versionWordsOf(input.datasetVersionDescription, input.datasetVersionMetadata);
        const dataset = await requireDatasetOf(datasets, call.context, input.datasetId);
        const spanIds = input.spanIds.map((id) => requireRowId(SPAN, id));
        await sources.addSpans(call.context, dataset, { spanIds }, words);
        return { dataset };
      },
    }),
    addSelectionToDataset: t.field({
      type: datasetPayload(types),
      description:
        "An example for each of the spans, of the root spans of traces or of the turns of sessions, or of all that match, in one new version.",
      may: "datasets.change",
      adds: true,
      args: { input: t.arg({ type: AddSelectionInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const words = versionWordsOf(input.datasetVersionDescription, input.datasetVersionMetadata);
        const selection = selectionOf(input.selection);
        const options = {
          splits: splitNames(input.splitNames ?? [], "splitNames"),
          rule: ruleOf(input.expectedOutput),
          edits: editsOf(input.edits ?? []),
        };
        const target = await targetOf(datasets, call.context, input);
        const { datasetId } = await sources.addSpans(call.context, target, selection, words, options);
        const dataset = (await datasets.findDatasets(call.context, [datasetId])).get(datasetId);
        if (dataset === undefined) throw unknownDataset(globalId(DATASET, datasetId));
        return { dataset };
      },
    }),
  }));
}

type Given = string | null | undefined;

/** Throws kind `invalid` unless exactly one of the two is given, `not_found`. */
async function targetOf(
  datasets: DatasetsService,
  context: CallContext,
  { datasetId, newDatasetName }: { readonly datasetId?: Given; readonly newDatasetName?: Given },
): Promise<DatasetTarget> {
  if (datasetId != null && newDatasetName != null) {
    throw argumentRefused("newDatasetName", "must not stand beside a datasetId");
  }
  if (datasetId != null) return requireDatasetOf(datasets, context, datasetId);
  if (newDatasetName == null) throw argumentRefused("datasetId", "name a dataset or a newDatasetName");
  const newName = storableText(newDatasetName);
  requireDatasetName(newName);
  return { newName };
}
