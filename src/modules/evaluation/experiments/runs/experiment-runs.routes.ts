// Runs of experiments over REST.
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { arrivalCursors, pageBody } from "../../../../kernel/list.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import { experimentRunBody } from "./experiment-run-body.rules.ts";
import {
  IncompleteQuery,
  IncompleteRunsAnswer,
  incompleteBody,
  MadeRun,
  RUN,
  RunPageAnswer,
  RunQuery,
  runBody,
} from "./experiment-runs.schema.ts";
import type { ExperimentRunsService } from "./experiment-runs.service.ts";

const id = globalId(RUN, 1);
const experiment_id = globalId(EXPERIMENT, 1);
const dataset_example_id = globalId(EXAMPLE, 1);
const instant = "2026-03-01T10:00:00+00:00";
const run = {
  dataset_example_id,
  output: "On its way.",
  repetition_number: 2,
  start_time: instant,
  end_time: instant,
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  error: null,
};
export const shownExample = {
  id: dataset_example_id,
  node_id: dataset_example_id,
  input: { question: "Where is my refund?" },
  output: { answer: "On its way." },
  metadata: {},
  updated_at: instant,
  source: null,
};

export function experimentRunRoutes(runs: ExperimentRunsService): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/experiments/{experiment_id}/runs",
      operationId: "createExperimentRun",
      summary: "Record a run",
      description: "It takes the place of a failed run of the same example and repetition.",
      action: "experiments.change",
      status: 200,
      storageLocked: true,
      body: experimentRunBody,
      response: MadeRun,
      errors: {
        not_found: "No experiment or no example has this id.",
        conflict: "A successful run of this example and repetition is there.",
        invalid: "One of the ids is not valid.",
      },
      example: { parameters: { experiment_id }, body: run, response: { data: { id } } },
      handler: async ({ context, params, body }) => ({
        data: { id: globalId(RUN, await runs.putRun(context, params.experiment_id, await body.read())) },
      }),
    }),
    route({
      method: "GET",
      path: "/v1/experiments/{experiment_id}/runs",
      operationId: "listExperimentRuns",
      summary: "List the runs of an experiment",
      description: "Newest first.",
      action: "experiments.read",
      status: 200,
      query: RunQuery,
      response: RunPageAnswer,
      errors: { not_found: "The id is that of something else.", invalid: "The id or the cursor is not valid." },
      example: {
        parameters: { experiment_id, limit: 50 },
        response: { data: [{ id, experiment_id, ...run }], next_cursor: null },
      },
      handler: async ({ context, params, query }) =>
        pageBody(await runs.listRuns(context, params.experiment_id, query), arrivalCursors(RUN), runBody),
    }),
    route({
      method: "GET",
      path: "/v1/experiments/{experiment_id}/incomplete-runs",
      operationId: "getIncompleteExperimentRuns",
      summary: "List what an experiment lacks",
      description: "Its examples with the repetitions that have no successful run.",
      action: "experiments.read",
      status: 200,
      query: IncompleteQuery,
      response: IncompleteRunsAnswer,
      errors: { not_found: "No experiment has this id.", invalid: "The id or the cursor is not valid." },
      example: {
        parameters: { experiment_id, limit: 50 },
        response: { data: [{ dataset_example: shownExample, repetition_numbers: [1] }], next_cursor: null },
      },
      handler: async ({ context, params, query }) =>
        pageBody(
          await runs.listIncomplete(context, params.experiment_id, query),
          arrivalCursors(EXAMPLE),
          incompleteBody,
        ),
    }),
  ];
}
