// The analysis of a trace over REST.
import { type RouteModule, route } from "../../../api/route.ts";
import { traceComparisonRoute } from "./comparison/trace-comparison.routes.ts";
import type { TraceComparisonService } from "./comparison/trace-comparison.service.ts";
import { traceGraphsRoute } from "./graph/trace-graphs.routes.ts";
import type { TraceGraphsService } from "./graph/trace-graphs.service.ts";
import { analysedTraceNotFound } from "./trace-analysis.errors.ts";
import { CriticalPathAnswer, criticalPathAnswer, WasteAnswer, wasteAnswer } from "./trace-analysis.schema.ts";
import type { TraceAnalysisService } from "./trace-analysis.service.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parameters = { project_identifier: "example-support-agent", trace_identifier: traceId };
const errors = {
  not_found: "No project has this identifier, or the trace is not one of it.",
  too_large: "The trace has more than 20,000 spans, or what would be read of it takes more than 64 MiB.",
  unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
};
const tool = { span_kind: "TOOL", name: "lookup_order", span_count: 3 };
const spanId = "00f067aa0ba902b7";

export function traceAnalysisRoutes(
  analysis: TraceAnalysisService,
  comparisons: TraceComparisonService,
  graphs: TraceGraphsService,
): RouteModule {
  return {
    name: "traces",
    routes: [
      route({
        method: "GET",
        path: "/v1/projects/{project_identifier}/traces/{trace_identifier}/critical_path",
        operationId: "getTraceCriticalPath",
        summary: "Find what determines how long a trace takes",
        description:
          "From the end backwards, of the children that have ended the one that ended last is what was waited for. With the time that each span takes itself, and where the money went.",
        action: "traces.read",
        status: 200,
        response: CriticalPathAnswer,
        errors,
        example: {
          parameters,
          response: {
            data: {
              trace_id: traceId,
              duration_ms: 4200,
              segments: [{ span_id: spanId, start_ms: 0, duration_ms: 4200 }],
              spans: [{ span_id: spanId, self_ms: 4200, on_path_ms: 4200, cost: null, cumulative_cost: 0 }],
              instant_steps: [{ ...tool, saved_ms: 3200 }],
              step_costs: [
                { span_kind: "LLM", name: "answer", span_count: 2, cost: 0.004, tokens: 1200, unpriced_span_count: 0 },
              ],
            },
          },
        },
        handler: async ({ context, params }) => {
          const trace = await analysis.getTrace(context, params.project_identifier, params.trace_identifier);
          const timing = (await analysis.readTimings(context, [trace.id])).get(trace.id);
          return criticalPathAnswer(trace.traceKey, timing ?? goneMeanwhile(params.trace_identifier));
        },
      }),
      route({
        method: "GET",
        path: "/v1/projects/{project_identifier}/traces/{trace_identifier}/waste",
        operationId: "getTraceWaste",
        summary: "Find what a trace spends without getting further",
        description:
          "Loops of equal calls, retries that fail in the same way, and calls of models that are given nothing new. Arguments that change, as in paging and polling, are no loop. Wasted is what came after the first round.",
        action: "traces.read",
        status: 200,
        response: WasteAnswer,
        errors,
        example: {
          parameters,
          response: {
            data: {
              trace_id: traceId,
              has_loop: true,
              wasted: { time_ms: 2800, tokens: 1800, cost: 0.006 },
              found: [
                {
                  kind: "loop",
                  agent_span_id: spanId,
                  period: 1,
                  times: 3,
                  span_ids: ["53995c3f42cd8ad8", "6e0c63257de34c92", "b7ad6b7169203331"],
                  new_answers: 0,
                  took: { time_ms: 4200, tokens: 2700, cost: 0.009 },
                  wasted: { time_ms: 2800, tokens: 1800, cost: 0.006 },
                },
              ],
            },
          },
        },
        handler: async ({ context, params }) => {
          const trace = await analysis.getTrace(context, params.project_identifier, params.trace_identifier);
          const waste = (await analysis.readWaste(context, [trace.id])).get(trace.id);
          return wasteAnswer(trace.traceKey, waste ?? goneMeanwhile(params.trace_identifier));
        },
      }),
      traceComparisonRoute(analysis, comparisons),
      traceGraphsRoute(analysis, graphs),
    ],
  };
}

/** Deleted since it was found. */
function goneMeanwhile(identifier: string): never {
  throw analysedTraceNotFound(identifier);
}
