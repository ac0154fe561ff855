// What evaluators say of runs, over REST.
import { type Route, route } from "../../api/route.ts";
import { globalId } from "../../kernel/ids.ts";
import { EVALUATION, NewEvaluation } from "./experiment-evaluations.schema.ts";
import type { ExperimentEvaluationsService } from "./experiment-evaluations.service.ts";
import { MadeRun, RUN } from "./experiment-runs.schema.ts";

const instant = "2026-03-01T10:00:00+00:00";

export function experimentEvaluationRoutes(evaluations: ExperimentEvaluationsService): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/experiment_evaluations",
      operationId: "upsertExperimentEvaluation",
      summary: "Record what an evaluator says of a run",
      description: "It takes the place of what was said under the same name.",
      action: "experiments.change",
      status: 200,
      body: NewEvaluation,
      response: MadeRun,
      errors: { not_found: "No run has this id.", invalid: "The id of the run is none." },
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
  ];
}
