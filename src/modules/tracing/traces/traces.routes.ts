// Traces over REST. Their intake is in otlp/.
import { type RouteModule, route } from "../../../api/route.ts";
import { globalId } from "../../../kernel/ids.ts";
import { pageBody, restCursors } from "../../../kernel/list.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { highestLatency, lowestLatency } from "./latency.rules.ts";
import { traceList } from "./list/trace-list.rules.ts";
import type { TraceListService } from "./list/trace-list.service.ts";
import {
  PeriodQuery,
  TRACE,
  type TraceBody,
  TracePage,
  TraceQuery,
  TransferAnswer,
  TransferBody,
  traceBody,
} from "./traces.schema.ts";
import type { TracesService } from "./traces.service.ts";

const START_US = Date.parse("2026-03-01T10:00:00Z") * 1000;
const project = "UHJvamVjdDoy";
const trace = {
  id: 7,
  traceKey: "0af7651916cd43dd8448eb211c80319c",
  projectId: 2,
  startUs: START_US,
  endUs: START_US + 1_500_000,
  promptTokens: 120,
  completionTokens: 32,
};
const traceExample: TraceBody = traceBody({ trace, spans: null });
const parameters = { project_identifier: "example-support-agent" };

const sorts = { start_time: "startTime", latency_ms: "latencyMs" } as const;

interface TraceRouteServices {
  readonly traces: TracesService;
  readonly traceList: TraceListService;
}

export function traceRoutes({ traces, traceList: lists }: TraceRouteServices): RouteModule {
  return {
    name: "traces",
    routes: [
      route({
        method: "GET",
        path: "/v1/projects/{project_identifier}/traces",
        operationId: "listProjectTraces",
        summary: "List the traces of a project",
        description: "Latest first. All filters must hold.",
        action: "traces.read",
        status: 200,
        query: TraceQuery,
        response: TracePage,
        errors: {
          malformed: "The condition cannot be read.",
          not_found: "No project has this identifier.",
          invalid: "The cursor is not one of this order.",
        },
        example: {
          parameters: { ...parameters, limit: 10, sort: "latency_ms" },
          response: { data: [traceExample], next_cursor: null },
        },
        handler: async ({ context, params, query }) => {
          const { min_latency_ms: minLatencyMs, max_latency_ms: maxLatencyMs } = query;
          const narrowing = {
            startUs: query.start_time ?? null,
            endUs: query.end_time ?? null,
            error: query.error ?? null,
            minLatencyUs: minLatencyMs === undefined ? null : lowestLatency(minLatencyMs),
            maxLatencyUs: maxLatencyMs === undefined ? null : highestLatency(maxLatencyMs),
          };
          const sort = sorts[query.sort];
          const page = await lists.listTraces(context, params.project_identifier, narrowing, {
            sort,
            order: query.order,
            limit: query.limit,
            cursor: query.cursor,
            includeSpans: query.include_spans,
            sessionIdentifiers: query.session_identifier ?? [],
            condition: query.filter,
          });
          return pageBody(page, restCursors(traceList, sort), traceBody);
        },
      }),
      route({
        method: "DELETE",
        path: "/v1/projects/{project_identifier}/traces",
        operationId: "deleteProjectTraces",
        summary: "Delete the traces of a period",
        description:
          "Traces that started in the period, as a whole, and sessions that are left without any. Repeated after an interruption it finishes.",
        action: "traces.clear",
        status: 204,
        query: PeriodQuery,
        errors: { not_found: "No project has this identifier.", invalid: "The period ends before it begins." },
        example: {
          parameters: { ...parameters, start_time: "2025-03-01T00:00:00Z", end_time: "2025-04-01T00:00:00Z" },
        },
        handler: async ({ context, params, query }) => {
          await traces.deletePeriod(context, params.project_identifier, query.start_time, query.end_time);
        },
      }),
      route({
        method: "DELETE",
        path: "/v1/traces/{trace_identifier}",
        operationId: "deleteTrace",
        summary: "Delete a trace with its spans",
        description: "By its id, or by that of the exporter. Its session stays.",
        action: "traces.delete",
        status: 204,
        errors: { not_found: "No trace has this identifier." },
        example: { parameters: { trace_identifier: globalId(TRACE, 10) } },
        handler: async ({ context, params }) => {
          await traces.deleteTrace(context, params.trace_identifier);
        },
      }),
      route({
        method: "POST",
        path: "/v1/traces/transfer",
        operationId: "transferTraces",
        summary: "Move traces to another project",
        description: "All or none. Later spans of the traces follow them; their sessions stay where they are.",
        action: "traces.transfer",
        status: 200,
        storageLocked: true,
        body: TransferBody,
        response: TransferAnswer,
        errors: {
          not_found: "The project or one of the traces does not exist.",
          invalid: "The traces are in several projects.",
        },
        example: {
          body: { trace_identifiers: [globalId(TRACE, 19)], destination_project_identifier: "default" },
          response: { data: { transferred_trace_count: 1, destination_project_id: project } },
        },
        handler: async ({ context, body }) => {
          const { trace_identifiers: identifiers, destination_project_identifier: destination } = body;
          const moved = await traces.transferTraces(context, identifiers, destination);
          const id = globalId(PROJECT, moved.destination.id);
          return { data: { transferred_trace_count: moved.count, destination_project_id: id } };
        },
      }),
    ],
  };
}
