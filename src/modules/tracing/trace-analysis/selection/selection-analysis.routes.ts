// What many traces are made of over REST.
import { type Route, route } from "../../../../api/route.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import {
  SelectionAnalysisAnswer,
  SelectionAnalysisQuery,
  selectionAnalysisAnswer,
} from "./selection-analysis.schema.ts";
import type { SelectionAnalysisService } from "./selection-analysis.service.ts";

const figures = { span_count: 1200, error_count: 12, cost: 0, latency_ms_p50: 1400 };

export function selectionAnalysisRoute(projects: ProjectsService, selections: SelectionAnalysisService): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/trace_analysis",
    operationId: "analyseTraces",
    summary: "Show which steps the agents of many traces make, and which cost most time",
    description:
      "Of the newest traces that match: the graphs of their agents as one, with exact percentiles, and the steps by which the traces would be shortened most if they took no time.",
    action: "traces.read",
    status: 200,
    query: SelectionAnalysisQuery,
    response: SelectionAnalysisAnswer,
    errors: {
      malformed: "The condition cannot be read.",
      not_found: "No project has this identifier.",
      unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
    },
    example: {
      parameters: { project_identifier: "example-support-agent", filter: "latency_ms > 5000" },
      response: {
        data: {
          ...{ trace_count: 400, span_count: 5200, is_complete: true, duration_ms: 1840000 },
          graphs: [
            {
              ...{ key: "AGENT:support_agent", span_kind: "AGENT", name: "support_agent", is_agent: true },
              ...{ run_count: 400, node_count: 1 },
              nodes: [{ key: "TOOL:look_up", span_kind: "TOOL", name: "look_up", column: 1, graph: null, ...figures }],
              edges: [{ from: "start", to: "TOOL:look_up", times: 1200, is_back: false, ...figures }],
            },
          ],
          instant_steps: [{ span_kind: "TOOL", name: "look_up", trace_count: 380, span_count: 1200, saved_ms: 920000 }],
        },
      },
    },
    handler: async ({ context, params, query }) => {
      const project = await projects.getProject(context, params.project_identifier);
      const scope = {
        projectId: project.id,
        range: { startUs: query.start_time ?? null, endUs: query.end_time ?? null },
        condition: query.filter ?? "",
      };
      return selectionAnalysisAnswer(await selections.analyse(context, scope, query.limit));
    },
  });
}
