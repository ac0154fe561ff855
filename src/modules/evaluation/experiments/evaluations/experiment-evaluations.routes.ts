// What evaluators say of runs, over REST.

import { type Route, route } from "../../../../api/route.ts";
import { attachmentHeader, streamedAnswer } from "../../../../api/streamed-answer.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { arrivalCursors, pageBody } from "../../../../kernel/list.ts";
import { EXAMPLE } from "../../datasets/datasets.schema.ts";
import { EXPERIMENT } from "../experiments.schema.ts";
import { shownExample } from "../runs/experiment-runs.routes.ts";
import { MadeRun, RUN } from "../runs/experiment-runs.schema.ts";
import type { EvaluatedRunsService } from "./evaluated-runs.service.ts";
import {
  EVALUATION,
  exportedRunsSchema,
  IncompleteEvaluationsAnswer,
  IncompleteEvaluationsQuery,
  incompleteEvaluationBody,
  NewEvaluation,
} from "./experiment-evaluations.schema.ts";
import type { ExperimentEvaluationsService } from "./experiment-evaluations.service.ts";

const instant = "2026-03-01T10:00:00+00:00";

const experiment_id = globalId(EXPERIMENT, 1);
const dataset_example_id = globalId(EXAMPLE, 1);
const lacking = {
  experiment_run: {
    id: globalId(RUN, 1),
    experiment_id,
    dataset_example_id,
    output: "On its way.",
    repetition_number: 1,
    start_time: instant,
    end_time: instant,
    trace_id: null,
    error: null,
  },
  dataset_example: shownExample,
  evaluation_names: ["exact"],
};

export function experimentEvaluationRoutes(
  evaluations: ExperimentEvaluationsService,
  evaluatedRuns: EvaluatedRunsService,
): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/experiment_evaluations",
      operationId: "upsertExperimentEvaluation",
      summary: "Record what an evaluator says of a run",
      description: "It replaces an earlier evaluation of the same name.",
      action: "experiments.change",
      status: 200,
      body: NewEvaluation,
      response: MadeRun,
      errors: { not_found: "No run has this id.", invalid: "The id of the run is not valid." },
      example: {
        body: {
          experiment_run_id: globalId(RUN, 1),
          name: "exact",
          annotator_kind: "CODE",
          start_time: instant,
          end_time: instant,
          result: { score: 1 },
        },
        response: { data: { id: globalId(EVALUATION, 1) } },
      },
      handler: async ({ context, body }) => ({
        data: { id: globalId(EVALUATION, await evaluations.putEvaluation(context, body)) },
      }),
    }),
    route({
      method: "GET",
      path: "/v1/experiments/{experiment_id}/incomplete-evaluations",
      operationId: "getIncompleteExperimentEvaluations",
      summary: "List the evaluations that runs lack",
      description:
        "Successful runs with the named evaluations that they do not have, or have with an error; oldest first.",
      action: "experiments.read",
      status: 200,
      query: IncompleteEvaluationsQuery,
      response: IncompleteEvaluationsAnswer,
      errors: {
        not_found: "No experiment has this id.",
        invalid: "The id or the cursor is not valid.",
        malformed: "No evaluation is named.",
      },
      example: {
        parameters: { experiment_id, evaluation_name: ["exact"], limit: 50 },
        response: { data: [lacking], next_cursor: null },
      },
      handler: async ({ context, params, query }) => {
        const page = await evaluatedRuns.listIncomplete(context, params.experiment_id, query.evaluation_name, query);
        return pageBody(page, arrivalCursors(RUN), incompleteEvaluationBody);
      },
    }),
    exportRoute(evaluatedRuns, {
      format: "json",
      operationId: "getExperimentJSON",
      summary: "Export the runs of an experiment",
      description: "A list of runs with their examples and evaluations, by example and repetition.",
      type: "application/json",
      schema: exportedRunsSchema,
    }),
    exportRoute(evaluatedRuns, {
      format: "csv",
      operationId: "getExperimentCSV",
      summary: "Export the runs of an experiment as CSV",
      description: "A row for each run, by example and repetition, with columns for each evaluation.",
      type: "text/csv",
      schema: { type: "string" },
    }),
  ];
}

interface RunExport {
  readonly format: "json" | "csv";
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly type: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

function exportRoute(evaluatedRuns: EvaluatedRunsService, { format, type, schema, ...words }: RunExport): Route {
  return route({
    method: "GET",
    path: `/v1/experiments/{experiment_id}/${format}`,
    ...words,
    action: "experiments.read",
    status: 200,
    shown: { answer: { [type]: { schema } } },
    errors: { not_found: "No experiment has this id, or it has no runs yet.", invalid: "The id is not valid." },
    example: { parameters: { experiment_id } },
    handler: async ({ context, params }) => {
      const { experiment, parts } = await evaluatedRuns.exportRuns(context, params.experiment_id, format);
      return streamedAnswer(parts, {
        "content-type": type,
        "content-disposition": attachmentHeader(experiment.name, format),
      });
    },
  });
}
