// Datasets in GraphQL: datasets, their versions and examples, and the lists that lead to them.

import type { GraphqlCall } from "../../../graphql/call.ts";
import { BY_NAME, cursorOrder, listConnection } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import { findNode, type GraphqlTypes } from "../../../graphql/types.ts";
import { findRowId } from "../../../kernel/ids.ts";
import { type Json, parseJson } from "../../../kernel/json.ts";
import { ARRIVAL } from "../../../kernel/list.ts";
import type { RevisionKind } from "../../../model/dataset.ts";
import type { NameSort } from "../../../storage/list.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { SPAN } from "../../tracing/spans/spans.schema.ts";
import { defineLabelNode } from "../labels/labels.graphql.ts";
import type { LabelsService } from "../labels/labels.service.ts";
import { versionNotFound } from "./datasets.errors.ts";
import {
  DATASET,
  DATASET_VERSION,
  type Dataset,
  EXAMPLE,
  type ExampleFilter,
  type ExampleRevision,
} from "./datasets.schema.ts";
import type { DatasetsService } from "./datasets.service.ts";
import { DATASET_LABEL, type DatasetLabel } from "./labels/dataset-labels.schema.ts";
import { SPLIT } from "./splits/dataset-splits.schema.ts";
import type { DatasetSplitsService } from "./splits/dataset-splits.service.ts";

interface DatasetTypesServices {
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
  readonly labels: LabelsService<DatasetLabel, string>;
  readonly users: UsersService;
}

type Nullish<Value> = Value | null | undefined;

export function addDatasetTypes(types: GraphqlTypes, services: DatasetTypesServices): void {
  addDatasetNode(types, services);
  addVersionNode(types, services);
  addExampleNode(types, services);
  addExampleLists(types, services);
  addSplitsAndLabels(types, services);
  addDatasetQueries(types, services);
  addSpanFields(types, services);
}

const json = (text: string): Json => parseJson(text);

function addDatasetNode(types: GraphqlTypes, { datasets, splits, labels, users }: DatasetTypesServices): void {
  const { builder } = types;
  const VersionColumn = builder.enumType("DatasetVersionColumn", { values: ["createdAt"] as const });
  const VersionSort = builder.inputType("DatasetVersionSort", {
    fields: (t) => ({
      col: t.field({ type: VersionColumn, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  types.defineNode(DATASET, {
    find: (call, id) => call.load(datasets.findDatasets, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => json(metadata) }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      lastUpdatedAt: t.field({
        type: "DateTime",
        nullable: true,
        description: "The last change of it, or of its examples: when its newest version was made.",
        resolve: async ({ id, updatedUs }, _given, call) => {
          const newest = await call.load(datasets.findNewestVersions, id, null);
          return Math.max(updatedUs, newest?.createdUs ?? 0);
        },
      }),
      createdBy: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      updatedBy: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Who made the newest version.",
        resolve: async ({ id }, _given, call) => {
          const newest = await call.load(datasets.findNewestVersions, id, null);
          return newest === null || newest.userId === null ? null : call.load(users.findUsers, newest.userId, null);
        },
      }),
      newestVersion: t.field({
        type: types.ref(DATASET_VERSION),
        nullable: true,
        resolve: ({ id }, _given, call) => call.load(datasets.findNewestVersions, id, null),
      }),
      versions: t.field({
        type: types.connection(DATASET_VERSION),
        description: "Newest first.",
        args: { sort: t.arg({ type: VersionSort }), ...types.pagingArguments() },
        resolve: async ({ id }, { sort, ...page }, call, info) =>
          listConnection({ call, info }, page, cursorOrder(ARRIVAL, sort?.dir ?? "desc"), (request) =>
            call.load(datasets.listVersions, id, request),
          ),
      }),
      splits: t.field({
        type: [types.ref(SPLIT)],
        description: "Those that examples of the dataset are or were in, by name.",
        resolve: async ({ id }, _given, call) => [...((await call.load(splits.listOfDatasets, id, null)) ?? [])],
      }),
      labels: t.field({
        type: [types.ref(DATASET_LABEL)],
        description: "Newest first.",
        resolve: async ({ id }, _given, call) => [...((await call.load(labels.listOf, id, null)) ?? [])],
      }),
    }),
  });
}

function addVersionNode(types: GraphqlTypes, { datasets, users }: DatasetTypesServices): void {
  types.defineNode(DATASET_VERSION, {
    find: (call, id) => call.load(datasets.findVersions, id, null),
    fields: (t) => ({
      description: t.exposeString("description", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => json(metadata) }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      createdBy: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      exampleCount: t.exposeInt("exampleCount", { description: "Examples that live at the version." }),
      createdCount: t.exposeInt("createdCount", { description: "Examples that it made." }),
      updatedCount: t.exposeInt("updatedCount", { description: "Examples that it changed." }),
      deletedCount: t.exposeInt("deletedCount", { description: "Examples that it removed." }),
    }),
  });
}

/** What examples say, and spans would say. */
export function exampleRevision({ builder, once }: GraphqlTypes) {
  return once("ExampleRevision", () =>
    builder.interfaceRef<Readonly<Record<"input" | "output" | "metadata", unknown>>>("ExampleRevision").implement({
      fields: (t) => ({
        input: t.field({ type: "JSON", resolve: ({ input }) => input }),
        output: t.field({ type: "JSON", resolve: ({ output }) => output }),
        metadata: t.field({ type: "JSON", resolve: ({ metadata }) => metadata }),
      }),
    }),
  );
}

function addExampleNode(types: GraphqlTypes, { datasets, splits }: DatasetTypesServices): void {
  const { builder } = types;
  const Kind = builder.enumType("RevisionKind", {
    values: ["CREATE", "PATCH", "DELETE"] as const satisfies readonly RevisionKind[],
  });
  const Base = exampleRevision(types);
  const Revision = builder.objectRef<ExampleRevision>("DatasetExampleRevision").implement({
    interfaces: [Base],
    fields: (t) => ({
      input: t.field({ type: "JSON", resolve: ({ input }) => json(input) }),
      output: t.field({ type: "JSON", resolve: ({ output }) => json(output) }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => json(metadata) }),
      revisionKind: t.field({ type: Kind, resolve: ({ kind }) => kind }),
      createdAt: t.field({ type: "DateTime", resolve: ({ revisedUs }) => revisedUs }),
    }),
  });
  types.defineNode(EXAMPLE, {
    find: (call, id) => call.load(datasets.findExamples, id, null),
    fields: (t) => ({
      externalId: t.exposeString("externalId", { nullable: true, description: "The sender's own id." }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      dataset: t.field({
        type: types.ref(DATASET),
        resolve: ({ datasetId }, _given, call) => call.loadExisting(datasets.findDatasets, datasetId),
      }),
      revision: t.field({
        type: Revision,
        description: "What it says at the version, or now.",
        args: { datasetVersionId: t.arg.id() },
        resolve: async ({ id }, { datasetVersionId }, call) => {
          const versionId = findVersionId(datasetVersionId);
          const revision = await call.load(datasets.findRevisions, id, versionId);
          if (revision === null) throw versionNotFound(datasetVersionId ?? "");
          return revision;
        },
      }),
      span: t.field({
        type: types.ref(SPAN),
        nullable: true,
        description: "That it was made of, while it is stored.",
        resolve: async ({ id }, _given, call) => {
          const spanId = await call.load(datasets.findSpanIds, id, null);
          return spanId === null ? null : findNode(types, call, SPAN, spanId);
        },
      }),
      datasetSplits: t.field({
        type: [types.ref(SPLIT)],
        description: "By name.",
        resolve: async ({ id }, _given, call) => [...((await call.load(splits.listOfExamples, id, null)) ?? [])],
      }),
    }),
  });
}

const findVersionId = (id: Nullish<string>) =>
  id === null || id === undefined ? null : requireRowId(DATASET_VERSION, id);

interface ExampleArguments {
  readonly splitIds?: Nullish<readonly string[]>;
  readonly filter?: Nullish<string>;
  readonly filterIds?: Nullish<readonly string[]>;
}

function filterOf({ splitIds, filter, filterIds }: ExampleArguments): ExampleFilter {
  return {
    splits: splitIds?.map((id) => requireRowId(SPLIT, id)) ?? undefined,
    text: filter === null || filter === undefined || filter === "" ? undefined : filter,
    ids: filterIds?.map((id) => requireRowId(EXAMPLE, id)) ?? undefined,
  };
}

function addExampleLists(types: GraphqlTypes, { datasets }: DatasetTypesServices): void {
  /** Null without an id. Throws kind `not_found` for a version of another dataset. */
  const versionOf = async (call: GraphqlCall, dataset: Dataset, id: Nullish<string>) => {
    const versionId = findVersionId(id);
    if (versionId === null) return null;
    const version = await call.load(datasets.findVersions, versionId, null);
    if (version?.datasetId !== dataset.id) throw versionNotFound(id!);
    return version;
  };
  types.builder.objectFields(types.ref(DATASET), (t) => ({
    exampleCount: t.int({
      description: "Examples that live at the version, or now.",
      args: { datasetVersionId: t.arg.id(), splitIds: t.arg.idList() },
      resolve: async (dataset, { datasetVersionId, splitIds }, call) => {
        const version = await versionOf(call, dataset, datasetVersionId);
        if (splitIds === null || splitIds === undefined) {
          return (version ?? (await call.load(datasets.findNewestVersions, dataset.id, null)))?.exampleCount ?? 0;
        }
        const chosen = { versionId: version?.id ?? null, ...filterOf({ splitIds }) };
        return (await call.load(datasets.countExamples, dataset.id, chosen)) ?? 0;
      },
    }),
    examples: t.field({
      type: types.connection(EXAMPLE),
      description: "Those that live at the version, or now, in the order of their making.",
      args: {
        datasetVersionId: t.arg.id(),
        splitIds: t.arg.idList({ description: "In any of these splits, today." }),
        filter: t.arg.string({ description: "A text in input, output or metadata, in any letter case." }),
        filterIds: t.arg.idList(),
        ...types.pagingArguments(),
      },
      resolve: async (dataset, { datasetVersionId, splitIds, filter, filterIds, ...page }, call, info) => {
        const versionId = (await versionOf(call, dataset, datasetVersionId))?.id ?? null;
        const chosen = { versionId, ...filterOf({ splitIds, filter, filterIds }) };
        return listConnection({ call, info }, page, cursorOrder(ARRIVAL, "asc"), (request) =>
          call.load(datasets.listExamples, dataset.id, { ...request, ...chosen }),
        );
      },
    }),
  }));
}

function addSplitsAndLabels(types: GraphqlTypes, { splits, labels }: DatasetTypesServices): void {
  types.defineNode(SPLIT, {
    find: (call, id) => call.load(splits.findSplits, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => json(metadata) }),
      color: t.exposeString("color"),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
    }),
  });
  defineLabelNode(types, DATASET_LABEL, labels, "Datasets that have it.");
  types.builder.objectField(types.ref(DATASET_LABEL), "color", (t) => t.exposeString("color"));
}

function addDatasetQueries(types: GraphqlTypes, { datasets, splits, labels }: DatasetTypesServices): void {
  const { builder } = types;
  const Column = builder.enumType("DatasetColumn", { values: ["createdAt", "name"] as const });
  const FilterColumn = builder.enumType("DatasetFilterColumn", { values: ["name"] as const });
  const DatasetSort = builder.inputType("DatasetSort", {
    fields: (t) => ({
      col: t.field({ type: Column, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  const DatasetFilter = builder.inputType("DatasetFilter", {
    fields: (t) => ({
      col: t.field({ type: FilterColumn }),
      value: t.string({ description: "Somewhere in the name, in any letter case." }),
      filterLabels: t.stringList({ description: "Ids: at least one of these labels." }),
    }),
  });
  builder.queryFields((t) => ({
    datasets: t.field({
      type: types.connection(DATASET),
      may: "datasets.read",
      args: { sort: t.arg({ type: DatasetSort }), filter: t.arg({ type: DatasetFilter }), ...types.pagingArguments() },
      resolve: async (_root, { sort, filter, ...page }, call, info) => {
        // Invalid ids belong to no label.
        const wanted = filter?.filterLabels?.flatMap((id) => findRowId(DATASET_LABEL, id) ?? []);
        const chosen = {
          nameContains: filter?.value ?? undefined,
          labels: wanted?.length === 0 ? undefined : wanted,
        };
        const dir = sort?.dir ?? "desc";
        const order = sort?.col === "name" ? cursorOrder("name", dir, "text") : cursorOrder(ARRIVAL, dir);
        return listConnection<Dataset, NameSort>({ call, info }, page, order, (request) =>
          datasets.listDatasets(call.context, chosen, request),
        );
      },
    }),
    datasetsLastUpdatedAt: t.field({
      type: "DateTime",
      nullable: true,
      may: "datasets.read",
      description: "When this server noticed the last change of any dataset. Fetch again when it moves.",
      resolve: (_root, _given, call) => datasets.findLastChange(call.context),
    }),
    datasetCount: t.int({
      may: "datasets.read",
      resolve: (_root, _given, call) => datasets.countDatasets(call.context),
    }),
    datasetLabels: t.field({
      type: types.connection(DATASET_LABEL),
      description: "By name.",
      may: "datasets.read",
      args: { names: t.arg.stringList(), ...types.pagingArguments() },
      resolve: async (_root, { names, ...page }, call, info) =>
        listConnection({ call, info }, page, BY_NAME, (request) =>
          labels.listLabels(call.context, names ?? null, request),
        ),
    }),
    datasetSplits: t.field({
      type: types.connection(SPLIT),
      description: "By name.",
      may: "datasets.read",
      args: { names: t.arg.stringList(), ...types.pagingArguments() },
      resolve: async (_root, { names, ...page }, call, info) =>
        listConnection({ call, info }, page, BY_NAME, (request) =>
          splits.listSplits(call.context, names ?? null, request),
        ),
    }),
    getDatasetExampleByExternalId: t.field({
      type: types.ref(EXAMPLE),
      nullable: true,
      may: "datasets.read",
      args: { datasetId: t.arg.id({ required: true }), externalId: t.arg.string({ required: true }) },
      resolve: (_root, { datasetId, externalId }, call) =>
        datasets.findExampleByExternalId(call.context, requireRowId(DATASET, datasetId), externalId),
    }),
  }));
}

/** From spans to the examples that were made of them. */
function addSpanFields(types: GraphqlTypes, { datasets }: DatasetTypesServices): void {
  types.builder.objectFields(types.ref(SPAN), (t) => ({
    containedInDataset: t.boolean({
      description: "An example was made of it.",
      resolve: async ({ id }, _given, call) =>
        ((await call.load(datasets.findExamplesOfSpans, id, null)) ?? []).length > 0,
    }),
    datasetExamples: t.field({
      type: [types.ref(EXAMPLE)],
      description: "Examples that were made of it.",
      resolve: async ({ id }, _given, call) => {
        const found = (await call.load(datasets.findExamplesOfSpans, id, null)) ?? [];
        return [...found];
      },
    }),
  }));
}
