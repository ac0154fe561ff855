// Labels of datasets over REST, and which datasets have them.
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { newestFirst } from "../../../../kernel/list.ts";
import type { LabelsService } from "../../labels/labels.service.ts";
import { labelNotFound } from "../datasets.errors.ts";
import type { DatasetsService } from "../datasets.service.ts";
import {
  DATASET_LABEL,
  type DatasetLabel,
  LabelChanges,
  LabelPageAnswer,
  LabelQuery,
  LabelsAnswer,
  LabelsOfDataset,
  labelBody,
  NewLabel,
  OneLabel,
  requireChanges,
  requireLabelId,
} from "./dataset-labels.schema.ts";

const id = globalId(DATASET_LABEL, 1);
const sent = { name: "golden", color: "#33c5e8", description: null };
const label = { id, ...sent };
const named = { dataset_identifier: "example-refunds" };
const badId = "This is no id of a label.";
const notFound = { not_found: "No label has this id.", invalid: badId };
const taken = { conflict: "A label has the name." };
const ofDataset = { not_found: "No dataset, or no label, has this identifier.", invalid: badId };

type Labels = LabelsService<DatasetLabel, string>;

export function datasetLabelRoutes(labels: Labels, datasets: DatasetsService): Route[] {
  return [...labelRoutes(labels), ...usageRoutes(labels, datasets)];
}

function labelRoutes(labels: Labels): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/dataset_labels",
      operationId: "listDatasetLabels",
      summary: "List labels of datasets",
      description: "Newest first.",
      action: "datasets.read",
      status: 200,
      query: LabelQuery,
      response: LabelPageAnswer,
      errors: { invalid: "The cursor is not one of this list." },
      example: { parameters: { limit: 10 }, response: { data: [label], next_cursor: null } },
      handler: async ({ context, query }) => {
        if (query.cursor) requireLabelId(query.cursor);
        return newestFirst(DATASET_LABEL, query, (request) => labels.listLabels(context, null, request), labelBody);
      },
    }),
    route({
      method: "POST",
      path: "/v1/dataset_labels",
      operationId: "createDatasetLabel",
      summary: "Create a label of datasets",
      action: "datasets.change",
      status: 201,
      links: {
        getDatasetLabel: { label_id: "$response.body#/data/id" },
        updateDatasetLabel: { label_id: "$response.body#/data/id" },
        addDatasetLabelToDataset: { label_id: "$response.body#/data/id" },
        removeDatasetLabelFromDataset: { label_id: "$response.body#/data/id" },
        deleteDatasetLabel: { label_id: "$response.body#/data/id" },
      },
      storageLocked: true,
      body: NewLabel,
      response: OneLabel,
      errors: taken,
      example: { body: sent, response: { data: label } },
      handler: async ({ context, body: { name, color, description = null } }) => ({
        data: labelBody(await labels.createLabel(context, { name, color, description })),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/dataset_labels/{label_id}",
      operationId: "getDatasetLabel",
      summary: "Get a label of datasets",
      action: "datasets.read",
      status: 200,
      response: OneLabel,
      errors: notFound,
      example: { parameters: { label_id: id }, response: { data: label } },
      handler: async ({ context, params }) => ({ data: labelBody(await labels.getLabel(context, params.label_id)) }),
    }),
    route({
      method: "PATCH",
      path: "/v1/dataset_labels/{label_id}",
      operationId: "updateDatasetLabel",
      summary: "Change a label of datasets",
      description: "Null clears the description; what is left out stays.",
      action: "datasets.change",
      status: 200,
      storageLocked: true,
      body: LabelChanges,
      response: OneLabel,
      errors: { ...notFound, ...taken },
      example: { parameters: { label_id: id }, body: { color: "#33c5e8" }, response: { data: label } },
      handler: async ({ context, params, body }) => {
        requireLabelId(params.label_id);
        const updated = await labels.updateLabel(context, params.label_id, requireChanges(body));
        if (updated === null) throw labelNotFound(params.label_id);
        return { data: labelBody(updated) };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/dataset_labels/{label_id}",
      operationId: "deleteDatasetLabel",
      summary: "Delete a label of datasets",
      description: "Datasets have it no longer.",
      action: "datasets.change",
      status: 204,
      errors: notFound,
      example: { parameters: { label_id: globalId(DATASET_LABEL, 2) } },
      handler: async ({ context, params }) => {
        await labels.deleteLabels(context, [params.label_id]);
      },
    }),
  ];
}

function usageRoutes(labels: Labels, datasets: DatasetsService): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/datasets/{dataset_identifier}/labels",
      operationId: "listDatasetLabelsForDataset",
      summary: "List the labels of a dataset",
      description: "Newest first.",
      action: "datasets.read",
      status: 200,
      response: LabelsAnswer,
      errors: { not_found: "No dataset has this identifier." },
      example: { parameters: named, response: { data: [label] } },
      handler: async ({ context, params }) => {
        const { id: datasetId } = await datasets.getIdentified(context, params.dataset_identifier);
        return { data: ((await labels.listOf(context, [datasetId])).get(datasetId) ?? []).map(labelBody) };
      },
    }),
    route({
      method: "PUT",
      path: "/v1/datasets/{dataset_identifier}/labels",
      operationId: "setDatasetLabelsForDataset",
      summary: "Set the labels of a dataset",
      description: "All or nothing: the dataset then has exactly these.",
      action: "datasets.change",
      status: 200,
      storageLocked: true,
      body: LabelsOfDataset,
      response: LabelsAnswer,
      errors: ofDataset,
      example: { parameters: named, body: { dataset_label_ids: [id] }, response: { data: [label] } },
      handler: async ({ context, params, body }) => {
        const found = await labels.setLabels(context, params.dataset_identifier, body.dataset_label_ids ?? []);
        return { data: found.map(labelBody) };
      },
    }),
    route({
      method: "PUT",
      path: "/v1/datasets/{dataset_identifier}/labels/{label_id}",
      operationId: "addDatasetLabelToDataset",
      summary: "Give a dataset a label",
      description: "Also when it has it already.",
      action: "datasets.change",
      status: 200,
      storageLocked: true,
      response: OneLabel,
      errors: ofDataset,
      example: { parameters: { ...named, label_id: id }, response: { data: label } },
      handler: async ({ context, params }) => ({
        data: labelBody(await labels.addLabel(context, params.dataset_identifier, params.label_id)),
      }),
    }),
    route({
      method: "DELETE",
      path: "/v1/datasets/{dataset_identifier}/labels/{label_id}",
      operationId: "removeDatasetLabelFromDataset",
      summary: "Take a label from a dataset",
      description: "Also when it does not have it. The label stays.",
      action: "datasets.change",
      status: 204,
      errors: ofDataset,
      example: { parameters: { ...named, label_id: id } },
      handler: async ({ context, params }) => {
        await labels.removeLabels(context, params.dataset_identifier, [params.label_id]);
      },
    }),
  ];
}
