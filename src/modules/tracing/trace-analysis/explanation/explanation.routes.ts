// What explains a selection over REST.
import { type Route, route } from "../../../../api/route.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import { ExplanationAnswer, ExplanationQuery, explanationAnswer } from "./explanation.schema.ts";
import type { ExplanationService } from "./explanation.service.ts";

export function explanationRoute(projects: ProjectsService, explanations: ExplanationService): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/explanation",
    operationId: "explainSelection",
    summary: "Find what a selection of traces or spans has in common",
    description:
      "Compares the selection with the rest of the same project and range: which models, tools, users, names, attributes and ranges of numbers are over-represented, by Fisher's exact test, corrected for how many values were looked at. What the condition itself reads is left out.",
    action: "traces.read",
    status: 200,
    query: ExplanationQuery,
    response: ExplanationAnswer,
    errors: {
      malformed: "The condition cannot be read.",
      not_found: "No project has this identifier.",
      unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
    },
    example: {
      parameters: { project_identifier: "example-support-agent", filter: "error_count > 0" },
      response: {
        data: {
          selected_count: 611,
          rest_count: 8509,
          is_complete: true,
          is_too_few: false,
          values: [
            {
              ...{ name: "metadata['version']", value: "2.4.1", minimum: null, maximum: null },
              ...{ selected_count: 538, rest_count: 340, lift: 9.15, p: 1e-300, q: 1e-298, is_significant: true },
              only: "metadata['version'] == '2.4.1'",
              without: "(metadata['version'] != '2.4.1' or metadata['version'] is None)",
            },
          ],
          not_distinguishing: ["user.id"],
          too_rare: [],
          incomplete: [],
        },
      },
    },
    handler: async ({ context, params, query }) => {
      const project = await projects.getProject(context, params.project_identifier);
      const { selected_start_time: from, selected_end_time: to } = query;
      const found = await explanations.explain(context, {
        projectId: project.id,
        of: query.of,
        range: { startUs: query.start_time ?? null, endUs: query.end_time ?? null },
        selectedRange: from === undefined && to === undefined ? null : { startUs: from ?? null, endUs: to ?? null },
        condition: query.filter ?? "",
      });
      return explanationAnswer(found, query.limit);
    },
  });
}
