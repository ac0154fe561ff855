// Spans over REST.
import { type RouteModule, route } from "../../../api/route.ts";
import { streamedAnswer } from "../../../api/streamed-answer.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { DeletionService } from "../deletion/deletion.service.ts";
import { newSpansBody } from "./bodies/new-spans.rules.ts";
import { SpansAccepted } from "./bodies/span-body.schema.ts";
import { spanExample } from "./bodies/span-examples.schema.ts";
import { oldSpanQueryRoute, spanQueryRoute } from "./query/span-query.routes.ts";
import type { SpanTablesService } from "./query/span-tables.service.ts";
import { type SearchRouteServices, searchRoutes } from "./search/search.routes.ts";
import { spanListRoutes } from "./span-list.routes.ts";
import { batchRefusal } from "./spans.errors.ts";
import { SPAN, SpanValueQuery } from "./spans.schema.ts";
import type { SpansService } from "./spans.service.ts";

interface SpanRouteServices {
  readonly spans: SpansService;
  readonly spanTables: SpanTablesService;
  readonly deletion: DeletionService;
  readonly searching: SearchRouteServices;
  readonly clock: Clock;
  /** Throws kind `unavailable` while the intake is full. */
  readonly requireCapacity: () => void;
}

const TEXT = "text/plain";
const parameters = { project_identifier: "example-support-agent" };

export function spanRoutes({
  spans,
  spanTables,
  deletion,
  searching,
  clock,
  requireCapacity,
}: SpanRouteServices): RouteModule {
  return {
    name: "spans",
    routes: [
      ...spanListRoutes({ spans, clock }),
      route({
        method: "POST",
        path: "/v1/projects/{project_identifier}/spans",
        operationId: "createSpans",
        summary: "Store spans in a project",
        description:
          "Answers when the spans are durable. A project named by its name is created with its first span. All or nothing.",
        action: "spans.create",
        status: 202,
        storageLocked: true,
        admission: requireCapacity,
        body: newSpansBody,
        response: SpansAccepted,
        errors: {
          not_found: "The identifier is that of a project which does not exist.",
          malformed:
            "A span id is stored already, or a span cannot be stored; the body names them. Nothing was stored.",
          unavailable: "Too much is waiting; `Retry-After` tells when to come back.",
        },
        shown: { failures: { malformed: { "application/json": batchRefusal } } },
        example: {
          parameters,
          body: {
            data: [{ ...spanExample, id: "", context: { ...spanExample.context, span_id: "00f067aa0ba902b8" } }],
          },
          response: { total_received: 1, total_queued: 1 },
        },
        handler: async ({ context, params, body }) => {
          const { received, queued } = await spans.createSpans(context, params.project_identifier, body);
          return { total_received: received, total_queued: queued };
        },
      }),
      ...searchRoutes(searching),
      spanQueryRoute(spanTables),
      oldSpanQueryRoute(),
      route({
        method: "GET",
        path: "/v1/spans/{span_identifier}/value",
        operationId: "getSpanValue",
        summary: "Read one value of a span whole",
        description: "Texts as they are, anything else as JSON; for the pages, which show long values in part.",
        action: "spans.read",
        status: 200,
        query: SpanValueQuery,
        rawAnswer: TEXT,
        errors: {
          not_found: "No span has this identifier, or it has no value there.",
          invalid: "The path is no JSON list of keys and positions.",
        },
        example: { parameters: { span_identifier: "U3Bhbjo0Mg==", path: '["attributes","input","value"]' } },
        handler: async ({ context, params, query }) => {
          const parts = await spans.readValue(context, params.span_identifier, query.path);
          return streamedAnswer(parts, {
            "content-type": `${TEXT}; charset=utf-8`,
            // Never shown as a page of ours, also when it is HTML.
            "content-disposition": 'attachment; filename="value.txt"',
            "cache-control": "private, no-store",
          });
        },
      }),
      route({
        method: "DELETE",
        path: "/v1/spans/{span_identifier}",
        operationId: "deleteSpan",
        summary: "Delete a span",
        description: "By its id, or by that of the exporter. Its children stay; its trace goes with its last span.",
        action: "spans.delete",
        status: 204,
        storageLocked: true,
        errors: { not_found: "No span has this identifier." },
        example: { parameters: { span_identifier: globalId(SPAN, 65) } },
        handler: async ({ context, params }) => {
          const place = await spans.getSpanPlace(context, params.span_identifier);
          await deletion.deleteSpan(context, place);
        },
      }),
    ],
  };
}
