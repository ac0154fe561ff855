// Ordered operations on the examples of a dataset over REST: all in one new version, or nothing.
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { stringifyJson } from "../../../../kernel/json.ts";
import { ChangeAnswer, changeBody, DATASET, DATASET_VERSION, EXAMPLE } from "../datasets.schema.ts";
import type { DatasetsService } from "../datasets.service.ts";
import type { DatasetChangesService } from "./dataset-changes.service.ts";
import { ExampleOperations, operationOf } from "./dataset-operations.schema.ts";

interface OperationServices {
  readonly datasets: DatasetsService;
  readonly changes: DatasetChangesService;
}

export function datasetOperationsRoute({ datasets, changes }: OperationServices): Route {
  return route({
    method: "PATCH",
    path: "/v1/datasets/{dataset_identifier}/examples",
    operationId: "updateDatasetExamples",
    summary: "Add, replace and remove examples",
    description: "Applied in order, in one new version; nothing of it when one operation is refused.",
    action: "datasets.change",
    status: 200,
    storageLocked: true,
    body: ExampleOperations,
    response: ChangeAnswer,
    errors: {
      not_found: "No dataset has this identifier, or examples do not live in it.",
      conflict: "An own id is taken in the dataset, maybe by a deleted example.",
      invalid: "The operations do not go together, or an own id is given twice.",
    },
    example: {
      parameters: { dataset_identifier: "example-refunds" },
      body: {
        operations: [
          { op: "add", input: { question: "Why?" }, output: {}, metadata: {}, id: "refund-4" },
          { op: "replace", example_id: "refund-1", field: "output", value: { answer: "On its way." } },
          { op: "remove", example_id: globalId(EXAMPLE, 3) },
        ],
        version_description: "Reviewed in March",
      },
      response: {
        data: {
          dataset_id: globalId(DATASET, 1),
          version_id: globalId(DATASET_VERSION, 2),
          num_created_examples: 1,
          num_updated_examples: 1,
          num_deleted_examples: 1,
        },
      },
    },
    handler: async ({ context, params, body }) => {
      const { operations, version_description: description, version_metadata: metadata } = body;
      const text = (description ?? "").trim();
      const words = { description: text === "" ? null : text, metadata: stringifyJson(metadata ?? {}) };
      const dataset = await datasets.getIdentified(context, params.dataset_identifier);
      return changeBody(await changes.applyOperations(context, dataset, operations.map(operationOf), words));
    },
  });
}
