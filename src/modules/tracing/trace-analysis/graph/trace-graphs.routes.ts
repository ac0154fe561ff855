// The graphs of the agents of a trace over REST.
import { type Route, route } from "../../../../api/route.ts";
import type { TraceAnalysisService } from "../trace-analysis.service.ts";
import { AgentGraphAnswer, agentGraphAnswer } from "./trace-graph.schema.ts";
import type { TraceGraphsService } from "./trace-graphs.service.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const look = { span_count: 3, error_count: 1, cost: 0, latency_ms_p50: 1400 };

export function traceGraphsRoute(analysis: TraceAnalysisService, graphs: TraceGraphsService): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/traces/{trace_identifier}/agent_graphs",
    operationId: "getTraceAgentGraphs",
    summary: "Show which steps the agents of a trace make, and which follow which",
    description:
      "A graph for each agent, the root and each other span with steps; steps that ran side by side follow the same ones. Where spans have `graph.node.id` or `graph.node.parent_id`, these make the edges. The steps of a chain are those of its parent.",
    action: "traces.read",
    status: 200,
    response: AgentGraphAnswer,
    errors: {
      not_found: "No project has this identifier, or the trace is not one of it.",
      too_large: "The trace has more than 20,000 spans.",
      unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
    },
    example: {
      parameters: { project_identifier: "example-support-agent", trace_identifier: traceId },
      response: {
        data: {
          trace_id: traceId,
          graphs: [
            {
              ...{
                key: "AGENT:support_agent",
                span_kind: "AGENT",
                name: "support_agent",
                is_agent: true,
                run_count: 1,
                node_count: 1,
              },
              nodes: [
                {
                  key: "TOOL:look_up",
                  span_kind: "TOOL",
                  name: "look_up",
                  column: 1,
                  graph: null,
                  ...look,
                  span_ids: ["b7ad6b7169203331"],
                },
              ],
              edges: [{ from: "TOOL:look_up", to: "TOOL:look_up", times: 2, is_back: true, ...look, span_count: 2 }],
            },
          ],
        },
      },
    },
    handler: async ({ context, params }) => {
      const trace = await analysis.getTrace(context, params.project_identifier, params.trace_identifier);
      const found = (await graphs.readGraphs(context, [trace.id])).get(trace.id);
      return agentGraphAnswer(trace.traceKey, found ?? []);
    },
  });
}
