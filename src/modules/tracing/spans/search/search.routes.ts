// Text search over REST. The cursor names the last row that was looked at, not a row of the next page: what comes next is not
// known before it is searched.
import { type Route, route } from "../../../../api/route.ts";
import { type RestCursors, readRestCursor, writeRestCursor } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import type { TraceReadsService } from "../../traces/reads/trace-reads.service.ts";
import { TRACE } from "../../traces/traces.schema.ts";
import { spanExample } from "../bodies/span-examples.schema.ts";
import type { SpanReadsService } from "../reading/span-reads.service.ts";
import { SPAN } from "../spans.schema.ts";
import {
  foundSpan,
  foundTrace,
  progressBody,
  SpanSearchAnswer,
  SpanSearchQuery,
  TraceSearchAnswer,
  TraceSearchQuery,
} from "./search.schema.ts";
import type { SearchAnswer, SearchRequest, SearchService } from "./search.service.ts";

export interface SearchRouteServices {
  readonly search: SearchService;
  readonly spanReads: SpanReadsService;
  readonly traceReads: TraceReadsService;
  readonly projects: ProjectsService;
}

const parameters = { project_identifier: "example-support-agent", text: "parcel", start_time: "2026-03-01T00:00:00Z" };
const errors = {
  not_found: "No project has this identifier.",
  malformed: "The condition cannot be read.",
  unavailable: "Too many queries that take long are waiting; `Retry-After` tells when to come back.",
  invalid: "The text is longer than 1024 bytes or has more than 16 words, or the cursor is not one of this search.",
};
const description = `Looks through inputs, outputs and error messages, newest start first, for about a second. \`progress\` says
how far that came; \`next_cursor\` goes on, also after a page without any match.`;
const { id, name, context, start_time, end_time } = spanExample;
const progress = { complete: false, fraction: 0.25, scanned_until: start_time, scanned_rows: 40_000 };

const spanForm: RestCursors = { type: SPAN, word: "search" };
const traceForm: RestCursors = { type: TRACE, word: "search_traces" };

/** As both routes read it. */
interface SearchQuery {
  readonly text: string;
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly filter?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export function searchRoutes(services: SearchRouteServices): Route[] {
  return [spanSearchRoute(services), traceSearchRoute(services)];
}

function spanSearchRoute({ search, spanReads, traceReads, projects }: SearchRouteServices): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/spans/search",
    operationId: "searchSpans",
    summary: "Find the spans that contain a text",
    description,
    action: "spans.read",
    status: 200,
    query: SpanSearchQuery,
    response: SpanSearchAnswer,
    errors,
    example: {
      parameters,
      response: {
        data: [
          {
            id,
            name,
            context,
            span_kind: "LLM",
            parent_id: null,
            start_time,
            end_time,
            status_code: "OK",
            status_message: "",
            input_preview: "Where is my parcel?",
            output_preview: null,
            found_in: "input",
          },
        ],
        next_cursor: "NDI6c2VhcmNoOjE3NzIzNTkyMDAwMDAwMDA=",
        progress,
      },
    },
    handler: async ({ context: given, params, query }) => {
      const request = await requestOf(projects, given, params.project_identifier, query, spanForm);
      const answer = await search.searchSpans(given, request);
      const ids = answer.matches.map((match) => match.rowId);
      const spans = await spanReads.findSpans(given, ids);
      const traces = await traceReads.findTraces(given, [...new Set([...spans.values()].map((span) => span.traceId))]);
      const data = answer.matches.flatMap((match) => {
        const span = spans.get(match.rowId);
        const trace = span === undefined ? undefined : traces.get(span.traceId);
        // Deleted since it was found.
        return span === undefined || trace === undefined ? [] : [foundSpan(span, trace.traceKey, match.foundIn)];
      });
      return { data, ...restOf(answer, spanForm) };
    },
  });
}

function traceSearchRoute({ search, spanReads, traceReads, projects }: SearchRouteServices): Route {
  return route({
    method: "GET",
    path: "/v1/projects/{project_identifier}/traces/search",
    operationId: "searchTraces",
    summary: "Find the traces that contain a text",
    description: `A trace contains what any of its spans does. ${description}`,
    action: "traces.read",
    status: 200,
    query: TraceSearchQuery,
    response: TraceSearchAnswer,
    errors,
    example: {
      parameters,
      response: {
        data: [
          {
            id: "VHJhY2U6Nw==",
            trace_id: context.trace_id,
            start_time,
            end_time,
            span_count: 3,
            error_count: 0,
            found_span_id: context.span_id,
            found_in: "output",
          },
        ],
        next_cursor: null,
        progress: { ...progress, complete: true, fraction: 1 },
      },
    },
    handler: async ({ context: given, params, query }) => {
      const request = await requestOf(projects, given, params.project_identifier, query, traceForm);
      const answer = await search.searchTraces(given, request);
      const traces = await traceReads.findTraces(
        given,
        answer.matches.map((match) => match.rowId),
      );
      const spans = await spanReads.findSpans(
        given,
        answer.matches.map((match) => match.spanId),
      );
      const data = answer.matches.flatMap((match) => {
        const [trace, span] = [traces.get(match.rowId), spans.get(match.spanId)];
        if (trace === undefined || span === undefined) return [];
        return [foundTrace(trace, span.spanKey, match.foundIn)];
      });
      return { data, ...restOf(answer, traceForm) };
    },
  });
}

/** Throws kind `not_found` without the project, `invalid` for the cursor. */
async function requestOf(
  projects: ProjectsService,
  given: CallContext,
  project: string,
  query: SearchQuery,
  form: RestCursors,
): Promise<SearchRequest> {
  return {
    projectId: (await projects.getProject(given, project)).id,
    text: query.text,
    startUs: query.start_time ?? null,
    endUs: query.end_time ?? null,
    condition: query.filter ?? "",
    after: readRestCursor(form, query.cursor),
    limit: query.limit,
  };
}

const restOf = (answer: SearchAnswer<unknown>, form: RestCursors) => ({
  next_cursor: answer.next === null ? null : writeRestCursor(form, answer.next),
  progress: progressBody(answer.progress),
});
