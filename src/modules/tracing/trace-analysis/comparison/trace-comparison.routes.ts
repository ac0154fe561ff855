// The comparison of two traces over REST.
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { SPAN } from "../../spans/spans.schema.ts";
import { analysedTraceNotFound } from "../trace-analysis.errors.ts";
import type { TraceAnalysisService } from "../trace-analysis.service.ts";
import { ComparisonAnswer, ComparisonQuery, comparisonAnswer, stepCounts } from "./trace-comparison.schema.ts";
import type { TraceComparisonService } from "./trace-comparison.service.ts";

const first = "0af7651916cd43dd8448eb211c80319c";
const second = "4bf92f3577b34da6a3ce929d0e0e4736";
const answer = {
  name: "answer",
  span_kind: "LLM",
  status_code: "OK",
  parent_id: null,
  start_ms: 0,
  token_count_total: 640,
};

export function traceComparisonRoute(analysis: TraceAnalysisService, comparisons: TraceComparisonService): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/traces/{trace_identifier}/comparison",
    operationId: "compareTraces",
    summary: "Compare two traces step by step",
    description:
      "As many steps of one kind and name as possible are paired in order; what is left is moved, renamed, removed or inserted. The differences are what the second has more.",
    action: "traces.read",
    status: 200,
    query: ComparisonQuery,
    response: ComparisonAnswer,
    errors: {
      not_found: "No project has this identifier, the trace is not one of it, or there is no such second trace.",
      too_large: "The traces have more than 20,000 spans, or what would be read of them takes more than 64 MiB.",
      unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
    },
    example: {
      parameters: { project_identifier: "example-support-agent", trace_identifier: first, with: second },
      response: {
        data: {
          trace_ids: [first, second],
          latency_ms: -5300,
          step_counts: { ...stepCounts([]), changed: 1 },
          steps: [
            {
              edit: "changed",
              changes: ["output", "model"],
              latency_ms: -300,
              token_count_total: 0,
              cost: 0.006,
              first: {
                id: globalId(SPAN, 7),
                span_id: "00f067aa0ba902b7",
                model_name: "gpt-4o-mini",
                latency_ms: 1400,
                cost: 0.001,
                ...answer,
              },
              second: {
                id: globalId(SPAN, 9),
                span_id: "53995c3f42cd8ad8",
                model_name: "gpt-4o",
                latency_ms: 1100,
                cost: 0.007,
                ...answer,
              },
            },
          ],
        },
      },
    },
    handler: async ({ context, params, query }) => {
      const trace = await analysis.getTrace(context, params.project_identifier, params.trace_identifier);
      const other = await analysis.findTrace(context, query.with);
      if (other === null) throw analysedTraceNotFound(query.with);
      const found = (await comparisons.readComparisons(context, [trace.id], other.id)).get(trace.id);
      if (found === undefined) throw analysedTraceNotFound(params.trace_identifier);
      return comparisonAnswer(found, ({ id }) => globalId(SPAN, id));
    },
  });
}
