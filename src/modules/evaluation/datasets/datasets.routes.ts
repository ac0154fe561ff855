// Datasets over REST: lists, uploads, versions, examples and exports.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { attachmentHeader, streamedAnswer } from "../../../api/streamed-answer.ts";
import { messageOf } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import { type ARRIVAL, newestFirst, type SortedRequest } from "../../../kernel/list.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { LabelsService } from "../labels/labels.service.ts";
import {
  changeBody,
  DATASET,
  DATASET_VERSION,
  DatasetPageAnswer,
  DatasetQuery,
  datasetBody,
  ExampleQuery,
  ExamplesAnswer,
  ExportQuery,
  exampleText,
  type LivingExample,
  OneDataset,
  UploadAnswer,
  UploadQuery,
  VersionPageAnswer,
  VersionQuery,
  versionBody,
} from "./datasets.schema.ts";
import { type DatasetsService, requireIdOf } from "./datasets.service.ts";
import type { DatasetChangesService } from "./examples/dataset-changes.service.ts";
import { datasetOperationsRoute } from "./examples/dataset-operations.routes.ts";
import type { DatasetExportsService, ExportFormat } from "./exports/dataset-exports.service.ts";
import { datasetLabelRoutes } from "./labels/dataset-labels.routes.ts";
import type { DatasetLabel } from "./labels/dataset-labels.schema.ts";
import { datasetSplitRoutes } from "./splits/dataset-splits.routes.ts";
import type { DatasetSplitsService } from "./splits/dataset-splits.service.ts";
import type { DatasetUploadsService } from "./uploads/dataset-uploads.service.ts";
import { datasetUploadBody } from "./uploads/upload-body.rules.ts";
import { type UploadBounds, uploadSource } from "./uploads/upload-feed.rules.ts";
import { tooManyUploads } from "./uploads/upload-limits.rules.ts";

interface DatasetServices {
  readonly datasets: DatasetsService;
  readonly uploads: DatasetUploadsService;
  readonly exports: DatasetExportsService;
  readonly splits: DatasetSplitsService;
  readonly labels: LabelsService<DatasetLabel, string>;
  readonly changes: DatasetChangesService;
}

interface RoutesNeeds extends DatasetServices {
  readonly log: Logger;
  readonly uploadBounds: UploadBounds;
  readonly maxUploadsAtOnce: number;
}

export const id = globalId(DATASET, 1);
/** What an upload makes beside it. */
const madeId = globalId(DATASET, 2);
const uploadExamples = {
  "application/json": {
    example: {
      action: "create",
      name: "refunds",
      inputs: [{ question: "Why?" }],
      outputs: [{ answer: "It was late." }],
    },
  },
  "multipart/form-data": {
    example: {
      action: "append",
      name: "refunds",
      "input_keys[]": ["question"],
      "output_keys[]": ["answer"],
      file: "question,answer\nWhere is it?,On its way.\n",
    },
  },
};

const versionId = globalId(DATASET_VERSION, 1);
const instant = "2026-03-01T10:00:00+00:00";
const dataset = {
  id,
  name: "refunds",
  description: "Questions about refunds",
  metadata: {},
  created_at: instant,
  updated_at: instant,
  example_count: 1,
};
const notFound = { not_found: "No dataset has this id." };
const badId = "This is no id of a dataset.";

export function datasetRoutes(needs: RoutesNeeds): RouteModule {
  return {
    name: "datasets",
    routes: [
      ...listRoutes(needs),
      uploadRoute(needs),
      examplesRoute(needs),
      datasetOperationsRoute(needs),
      ...exportRoutes(needs),
      ...datasetSplitRoutes(needs),
      ...datasetLabelRoutes(needs.labels, needs.datasets),
    ],
  };
}

function listRoutes({ datasets }: RoutesNeeds): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/datasets",
      operationId: "listDatasets",
      summary: "List datasets",
      description: "Newest first.",
      action: "datasets.read",
      status: 200,
      query: DatasetQuery,
      response: DatasetPageAnswer,
      errors: { invalid: "The cursor is not one of this list." },
      example: { parameters: { limit: 10 }, response: { data: [dataset], next_cursor: null } },
      handler: async ({ context, query }) => {
        const list = async (request: SortedRequest<typeof ARRIVAL>) => {
          const page = await datasets.listDatasets(context, { name: query.name || undefined }, request);
          const newest = await datasets.findNewestVersions(
            context,
            page.items.map((item) => item.id),
          );
          const counted = page.items.map((item) => datasetBody(item, newest.get(item.id)?.exampleCount ?? 0));
          return { ...page, items: counted };
        };
        return newestFirst(DATASET, query, list, (item) => item);
      },
    }),
    route({
      method: "GET",
      path: "/v1/datasets/{id}",
      operationId: "getDataset",
      summary: "Get a dataset",
      action: "datasets.read",
      status: 200,
      response: OneDataset,
      errors: { ...notFound, invalid: badId },
      example: { parameters: { id }, response: { data: dataset } },
      handler: async ({ context, params }) => {
        const found = await datasets.getDataset(context, params.id);
        const newest = await datasets.findNewestVersions(context, [found.id]);
        return { data: datasetBody(found, newest.get(found.id)?.exampleCount ?? 0) };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/datasets/{id}",
      operationId: "deleteDatasetById",
      summary: "Delete a dataset",
      description: "With its versions and examples. Splits and labels stay.",
      action: "datasets.change",
      status: 204,
      errors: { ...notFound, invalid: badId },
      example: { parameters: { id: madeId } },
      handler: async ({ context, params }) => {
        await datasets.deleteDataset(context, params.id);
      },
    }),
    route({
      method: "GET",
      path: "/v1/datasets/{id}/versions",
      operationId: "listDatasetVersionsByDatasetId",
      summary: "List the versions of a dataset",
      description: "Newest first.",
      action: "datasets.read",
      status: 200,
      query: VersionQuery,
      response: VersionPageAnswer,
      errors: { invalid: "This is no id of a dataset, or the cursor is not one of this list." },
      example: {
        parameters: { id, limit: 10 },
        response: {
          data: [{ version_id: versionId, description: null, metadata: {}, created_at: instant }],
          next_cursor: null,
        },
      },
      handler: async ({ context, params, query }) => {
        const datasetId = requireIdOf(DATASET, "dataset", params.id);
        if (query.cursor) requireIdOf(DATASET_VERSION, "version", query.cursor);
        const list = async (request: SortedRequest<typeof ARRIVAL>) =>
          (await datasets.listVersions(context, [datasetId], request)).get(datasetId)!;
        return newestFirst(DATASET_VERSION, query, list, versionBody);
      },
    }),
  ];
}

function uploadRoute({ uploads, log, uploadBounds, maxUploadsAtOnce }: RoutesNeeds): Route {
  let underWay = 0;
  return route({
    method: "POST",
    path: "/v1/datasets/upload",
    operationId: "uploadDataset",
    links: {
      getDataset: { id: "$response.body#/data/dataset_id" },
      getDatasetExamples: { id: "$response.body#/data/dataset_id" },
      deleteDatasetById: { id: "$response.body#/data/dataset_id" },
    },
    summary: "Upload a dataset",
    description:
      "As JSON, or as a file in multipart form data. All of it is stored, or nothing; every change makes a version.",
    action: "datasets.change",
    status: 200,
    shown: { request: uploadExamples },
    storageLocked: true,
    query: UploadQuery,
    body: datasetUploadBody,
    response: UploadAnswer,
    errors: {
      conflict: "The action is `create`, and a dataset has the name.",
      invalid: "The upload is wrong: the line says where.",
      malformed: "The content type is missing, or the body is not whole.",
      too_large: "The upload is beyond a bound: the line names its setting.",
      timed_out: "The sender was silent, or the whole took too long.",
    },
    example: {
      parameters: { sync: true },
      response: {
        data: {
          dataset_id: madeId,
          version_id: globalId(DATASET_VERSION, 2),
          num_created_examples: 1,
          num_updated_examples: 0,
          num_deleted_examples: 0,
        },
      },
    },
    handler: async ({ context, query, request, body }) => {
      if (underWay >= maxUploadsAtOnce) throw tooManyUploads(maxUploadsAtOnce);
      underWay++;
      const source = uploadSource(request, body, uploadBounds);
      try {
        const change = await uploads.upload(context, source);
        if (query.sync) return changeBody(change);
      } catch (error) {
        // An invalid request is answered with an error; later failures are only logged.
        if (query.sync || !(await isRead(source))) throw error;
        log.warning("an upload failed after its request was answered", {
          cause: messageOf(error),
          request_id: context.requestId,
        });
      } finally {
        underWay--;
      }
      return null;
    },
  });
}

/** True when the whole upload has been read and was right in itself. */
async function isRead(source: ReturnType<typeof uploadSource>): Promise<boolean> {
  return source.facts().then(
    () => true,
    () => false,
  );
}

function examplesRoute({ datasets, splits }: RoutesNeeds): Route {
  return route({
    method: "GET",
    path: "/v1/datasets/{id}/examples",
    operationId: "getDatasetExamples",
    summary: "List the examples of a dataset",
    description: "All of them at a version, in the order of their ids. Who is in a split has no versions.",
    action: "datasets.read",
    status: 200,
    query: ExampleQuery,
    response: ExamplesAnswer,
    errors: {
      not_found: "No dataset has this id, it has no such version, or no split has one of the identifiers.",
      invalid: "One of the ids is not valid, or a split is blank.",
    },
    example: {
      parameters: { id },
      response: {
        data: {
          dataset_id: id,
          version_id: versionId,
          filtered_splits: [],
          examples: [
            {
              id: "refund-1",
              node_id: globalId("DatasetExample", 1),
              input: { question: "Where is my refund?" },
              output: { answer: "On its way." },
              metadata: {},
              updated_at: instant,
              source: null,
            },
          ],
        },
      },
    },
    handler: async ({ context, params, query }) => {
      const { dataset: found, version } = await datasets.getAtVersion(context, params.id, query.version_id);
      const wanted = await splits.resolveSplits(context, query.split ?? []);
      const filter = wanted.length === 0 ? {} : { splits: wanted.map((split) => split.id) };
      const head = `{"data":{"dataset_id":"${globalId(DATASET, found.id)}","version_id":"${globalId(DATASET_VERSION, version.id)}","filtered_splits":${JSON.stringify(wanted.map(({ name }) => name))},"examples":[`;
      const walk = datasets.walkExamples(context, { datasetId: found.id, versionId: version.id }, filter);
      return streamedAnswer(examplesText(head, walk), { "content-type": "application/json" });
    },
  });
}

async function* examplesText(head: string, walk: AsyncGenerator<readonly LivingExample[]>): AsyncGenerator<string> {
  let before = head;
  for await (const part of walk) {
    yield before + part.map(exampleText).join(",");
    before = ",";
  }
  yield before === head ? `${head}]}}` : "]}}";
}

const exported: readonly {
  readonly format: ExportFormat;
  readonly path: "csv" | "jsonl" | "jsonl/openai_ft" | "jsonl/openai_evals" | "parquet";
  readonly operationId: string;
  readonly summary: string;
}[] = [
  { format: "csv", path: "csv", operationId: "getDatasetCsv", summary: "Export a dataset as CSV" },
  { format: "jsonl", path: "jsonl", operationId: "getDatasetJSONL", summary: "Export a dataset as lines of JSON" },
  {
    format: "openai_ft",
    path: "jsonl/openai_ft",
    operationId: "getDatasetJSONLOpenAIFineTuning",
    summary: "Export a dataset for fine-tuning",
  },
  {
    format: "openai_evals",
    path: "jsonl/openai_evals",
    operationId: "getDatasetJSONLOpenAIEvals",
    summary: "Export a dataset for evaluations",
  },
  {
    format: "parquet",
    path: "parquet",
    operationId: "getDatasetParquet",
    summary: "Export a dataset as Parquet",
  },
];

function fileOf(format: ExportFormat) {
  if (format === "csv") return { type: "text/csv", extension: "csv" } as const;
  if (format === "parquet") return { type: "application/vnd.apache.parquet", extension: "parquet" } as const;
  return { type: "text/plain", extension: "jsonl" } as const;
}

function exportRoutes({ exports }: RoutesNeeds): Route[] {
  const download = async (
    context: CallContext,
    datasetId: string,
    version: string | undefined,
    format: ExportFormat,
  ) => {
    const { dataset: found, parts } = await exports.exportDataset(context, datasetId, version, format);
    const { type, extension } = fileOf(format);
    return streamedAnswer(parts, {
      "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
      "content-disposition": attachmentHeader(found.name, extension),
    });
  };
  return exported.map(({ format, path, operationId, summary }) =>
    route({
      method: "GET",
      path: `/v1/datasets/{id}/${path}`,
      operationId,
      summary,
      action: "datasets.read",
      status: 200,
      query: ExportQuery,
      rawAnswer: fileOf(format).type,
      errors: { invalid: "No dataset has this id, or the id of the version is not valid." },
      example: { parameters: { id } },
      handler: ({ context, params, query }) => download(context, params.id, query.version_id, format),
    }),
  );
}
