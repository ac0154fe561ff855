// Lists of spans over REST, in our own form and in that of OTLP.
import { type Route, route } from "../../../api/route.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { arrivalCursors, pageBody, restCursors } from "../../../kernel/list.ts";
import { OtlpSpanPage, otlpSpanAnswer } from "./bodies/otlp-answer.schema.ts";
import { SpanPage, spanAnswer } from "./bodies/span-answer.schema.ts";
import { otlpSpanExample, spanExample } from "./bodies/span-examples.schema.ts";
import { spanList } from "./list/span-list.rules.ts";
import { filterInputOf, OtlpSpanQuery, SPAN, SpanQuery } from "./spans.schema.ts";
import type { SpansService } from "./spans.service.ts";

interface SpanListRouteServices {
  readonly spans: SpansService;
  readonly clock: Clock;
}

const parameters = { project_identifier: "example-support-agent" };
const sorts = { id: "arrival", start_time: "startTime" } as const;
const errors = {
  not_found: "No project has this identifier.",
  invalid: "A filter cannot be read, or the cursor is not one of this order.",
};

export function spanListRoutes({ spans, clock }: SpanListRouteServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/projects/{project_identifier}/spans",
      operationId: "getSpans",
      summary: "List the spans of a project",
      description: "Newest arrival first. Alternatives of one filter combine with OR, different filters with AND.",
      action: "spans.read",
      status: 200,
      query: SpanQuery,
      response: SpanPage,
      errors,
      example: {
        parameters: { ...parameters, limit: 10, parent_id: "null", sort: "start_time" },
        response: { data: [spanExample], next_cursor: null },
      },
      handler: async ({ context, params, query }) => {
        const list = { ...query, sort: sorts[query.sort] };
        const page = await spans.listSpans(context, params.project_identifier, filterInputOf(query), list);
        const now = clock.now();
        return pageBody(page, restCursors(spanList, list.sort), (span) => spanAnswer(span, now));
      },
    }),
    route({
      method: "GET",
      path: "/v1/projects/{project_identifier}/spans/otlpv1",
      operationId: "spanSearch",
      summary: "List the spans of a project in the form of OTLP",
      description: "Newest arrival first. Alternatives of one filter combine with OR, different filters with AND.",
      action: "spans.read",
      status: 200,
      query: OtlpSpanQuery,
      response: OtlpSpanPage,
      errors,
      example: {
        parameters: { ...parameters, limit: 10, parent_id: "null" },
        response: { data: [otlpSpanExample], next_cursor: null },
      },
      handler: async ({ context, params, query }) => {
        const page = { limit: query.limit, cursor: query.cursor, sort: "arrival", order: "desc" } as const;
        const found = await spans.listSpans(context, params.project_identifier, filterInputOf(query), page);
        return pageBody(found, arrivalCursors(SPAN), otlpSpanAnswer);
      },
    }),
  ];
}
