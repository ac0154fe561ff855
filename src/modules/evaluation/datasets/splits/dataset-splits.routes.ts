// Splits of datasets over REST. The dataset in the path says whose examples are meant; the splits are shared.
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { newestFirst } from "../../../../kernel/list.ts";
import { EXAMPLE } from "../datasets.schema.ts";
import type { DatasetsService } from "../datasets.service.ts";
import {
  NewSplit,
  OneSplit,
  SPLIT,
  SplitChanges,
  SplitPageAnswer,
  SplitQuery,
  splitBody,
} from "./dataset-splits.schema.ts";
import { type DatasetSplitsService, requireSplitId } from "./dataset-splits.service.ts";

interface SplitServices {
  readonly datasets: DatasetsService;
  readonly splits: DatasetSplitsService;
}

const id = globalId(SPLIT, 1);
const instant = "2026-03-01T10:00:00+00:00";
const split = {
  id,
  name: "train",
  description: null,
  color: "#33c5e8",
  metadata: {},
  example_count: 1,
  created_at: instant,
  updated_at: instant,
};
const example = globalId(EXAMPLE, 1);
const named = { dataset_identifier: "example-refunds" };
const refused = {
  not_found: "No dataset has this identifier, or examples are not in it.",
  conflict: "A split has the name.",
  invalid: "Name or color is blank, or the color is not # and six hexadecimal digits.",
};

export function datasetSplitRoutes({ datasets, splits }: SplitServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/datasets/{dataset_identifier}/splits",
      operationId: "listDatasetSplits",
      summary: "List the splits of a dataset",
      description: "Those that examples of the dataset are or were in, newest first.",
      action: "datasets.read",
      status: 200,
      query: SplitQuery,
      response: SplitPageAnswer,
      errors: { not_found: "No dataset has this identifier.", invalid: "The cursor is not one of this list." },
      example: { parameters: { ...named, limit: 10 }, response: { data: [split], next_cursor: null } },
      handler: async ({ context, params, query }) => {
        const dataset = await datasets.getIdentified(context, params.dataset_identifier);
        if (query.cursor) requireSplitId(query.cursor);
        return newestFirst(SPLIT, query, (request) => splits.listOfDataset(context, dataset, request), splitBody);
      },
    }),
    route({
      method: "POST",
      path: "/v1/datasets/{dataset_identifier}/splits",
      operationId: "createDatasetSplit",
      summary: "Create a split",
      action: "datasets.change",
      status: 201,
      links: {
        updateDatasetSplit: { split_id: "$response.body#/data/id" },
        deleteDatasetSplit: { split_id: "$response.body#/data/id" },
      },
      storageLocked: true,
      body: NewSplit,
      response: OneSplit,
      errors: refused,
      example: {
        parameters: named,
        body: { name: "train", example_ids: [example] },
        response: { data: split },
      },
      handler: async ({ context, params, body }) => {
        const words = {
          name: body.name,
          description: body.description ?? null,
          color: body.color ?? null,
          metadata: body.metadata ?? {},
        };
        const find = (inner: typeof context) => datasets.getIdentified(inner, params.dataset_identifier);
        return { data: splitBody(await splits.createWithExamples(context, words, find, body.example_ids ?? [])) };
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/datasets/{dataset_identifier}/splits/{split_id}",
      operationId: "updateDatasetSplit",
      summary: "Change a split, and which examples are in it",
      action: "datasets.change",
      status: 200,
      storageLocked: true,
      body: SplitChanges,
      response: OneSplit,
      errors: refused,
      example: {
        parameters: { ...named, split_id: id },
        body: { add_example_ids: [example] },
        response: { data: split },
      },
      handler: async ({ context, params, body }) => {
        const { add_example_ids: add = [], remove_example_ids: remove = [], ...words } = body;
        const find = (inner: typeof context) => datasets.getIdentified(inner, params.dataset_identifier);
        return {
          data: splitBody(await splits.updateWithExamples(context, params.split_id, words, find, { add, remove })),
        };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/datasets/{dataset_identifier}/splits/{split_id}",
      operationId: "deleteDatasetSplit",
      summary: "Delete a split",
      description: "Of every dataset. The examples stay.",
      action: "datasets.change",
      status: 204,
      errors: { not_found: "No dataset, or no split, has this identifier.", invalid: "This is no id of a split." },
      example: { parameters: { ...named, split_id: id } },
      handler: async ({ context, params }) => {
        requireSplitId(params.split_id);
        await datasets.getIdentified(context, params.dataset_identifier);
        await splits.deleteSplits(context, [params.split_id]);
      },
    }),
  ];
}
