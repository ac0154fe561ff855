// Examples out of spans in GraphQL: what a span would be, and the ways to choose some.
import { argumentRefused } from "../../graphql/connection.ts";
import { requireRowId } from "../../graphql/ids.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { SESSION } from "../sessions/sessions.schema.ts";
import { SPAN } from "../spans/spans.schema.ts";
import { TRACE } from "../traces/traces.schema.ts";
import { versionWordsOf } from "./dataset-inputs.graphql.ts";
import { datasetPayload, requireDatasetOf } from "./dataset-mutations.graphql.ts";
import { exampleRevision } from "./datasets.graphql.ts";
import type { DatasetsService } from "./datasets.service.ts";
import type { SpanExample } from "./span-example.rules.ts";
import type { SpanSelection } from "./span-selections.service.ts";
import type { SpanSourcesService } from "./span-sources.service.ts";
import { splitNames } from "./upload-json.rules.ts";

interface SpanSourceServices {
  readonly datasets: DatasetsService;
  readonly sources: SpanSourcesService;
}

export function addSpanSources(types: GraphqlTypes, services: SpanSourceServices): void {
  const { builder } = types;
  const { datasets, sources } = services;
  const AsExample = builder.objectRef<SpanExample>("SpanAsExampleRevision").implement({
    interfaces: [exampleRevision(types)] as never,
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
  const AddSelectionInput = builder.inputType("AddSelectionToDatasetInput", {
    fields: (t) => ({
      datasetId: t.id({ required: true }),
      selection: t.field({ type: Selection, required: true }),
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
        const splits = splitNames(input.splitNames ?? [], "splitNames");
        const dataset = await requireDatasetOf(datasets, call.context, input.datasetId);
        await sources.addSpans(call.context, dataset, selection, words, splits);
        return { dataset };
      },
    }),
  }));
}

function selectionInput({ builder, TimeRange }: GraphqlTypes) {
  const Matching = builder.inputType("MatchingSpansInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      filterCondition: t.string(),
      traceFilterCondition: t.string(),
      timeRange: t.field({ type: TimeRange }),
      rootSpansOnly: t.boolean({ required: true, defaultValue: false }),
    }),
  });
  const MatchingSessions = builder.inputType("MatchingSessionsInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      sessionFilterCondition: t.string(),
      timeRange: t.field({ type: TimeRange }),
    }),
  });
  return builder.inputType("DatasetSelectionInput", {
    isOneOf: true,
    fields: (t) => ({
      spanIds: t.idList(),
      traceIds: t.idList(),
      sessionIds: t.idList(),
      matching: t.field({ type: Matching }),
      matchingSessions: t.field({ type: MatchingSessions }),
    }),
  });
}

function selectionOf(given: ReturnType<typeof selectionInput>["$inferInput"]): SpanSelection {
  const { spanIds, traceIds, sessionIds, matching, matchingSessions } = given;
  if (spanIds) return { spanIds: spanIds.map((id) => requireRowId(SPAN, id)) };
  if (traceIds) return { traceIds: traceIds.map((id) => requireRowId(TRACE, id)) };
  if (sessionIds) return { sessionIds: sessionIds.map((id) => requireRowId(SESSION, id)) };
  if (matching) {
    return {
      matching: {
        projectId: requireRowId(PROJECT, matching.projectId),
        condition: matching.filterCondition ?? "",
        traceCondition: matching.traceFilterCondition ?? "",
        startUs: matching.timeRange?.start ?? null,
        endUs: matching.timeRange?.end ?? null,
        rootsOnly: matching.rootSpansOnly,
      },
    };
  }
  if (matchingSessions) {
    return {
      matchingSessions: {
        projectId: requireRowId(PROJECT, matchingSessions.projectId),
        condition: matchingSessions.sessionFilterCondition ?? "",
        startUs: matchingSessions.timeRange?.start ?? null,
        endUs: matchingSessions.timeRange?.end ?? null,
      },
    };
  }
  throw argumentRefused("selection", "exactly one way to choose must be given");
}
