// The traces of a list by the sequence of their steps, over REST.
import { type Route, route } from "../../../../api/route.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import { PatternsAnswer, PatternsQuery, patternsAnswer } from "./trace-patterns.schema.ts";
import type { TracePatternsService } from "./trace-patterns.service.ts";

export function tracePatternsRoute(projects: ProjectsService, patterns: TracePatternsService): Route {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/trace_patterns",
    operationId: "listTracePatterns",
    summary: "Group traces by the sequence of their steps",
    description:
      "Steps are kinds and names; what follows itself counts once, alone or in rounds of up to four, and what ran side by side has no order. With how often each pattern occurs, how many of its traces fail, their latencies and cost. Of the newest traces that match: 10,000, with 50,000 spans.",
    action: "traces.read",
    status: 200,
    query: PatternsQuery,
    response: PatternsAnswer,
    errors: {
      malformed: "The condition cannot be read.",
      not_found: "No project has this identifier.",
      too_large: "The newest trace alone has more than 50,000 spans.",
      unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
    },
    example: {
      parameters: { project_identifier: "example-support-agent" },
      response: {
        data: {
          trace_count: 611,
          is_complete: true,
          patterns: [
            {
              ...{ id: "5f4dcc3b5aa765d61d8327deb882cf99", trace_count: 400, error_count: 12 },
              ...{ latency_ms_p50: 2100, latency_ms_p99: 7400, cost: 1.6 },
              ...{ last_trace_id: traceId, last_good_trace_id: traceId },
              steps: [
                { span_kind: "AGENT", name: "support_agent", depth: 0, times: 1 },
                { span_kind: "TOOL", name: "lookup_order", depth: 1, times: 3 },
              ],
            },
          ],
        },
      },
    },
    handler: async ({ context, params, query }) => {
      const project = await projects.getProject(context, params.project_identifier);
      const range = { startUs: query.start_time ?? null, endUs: query.end_time ?? null };
      const scope = { projectId: project.id, range, condition: query.filter ?? "" };
      return patternsAnswer(await patterns.listPatterns(context, scope), query.limit);
    },
  });
}
