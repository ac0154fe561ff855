// Sessions over REST.
import { type RouteModule, route } from "../../../api/route.ts";
import { globalId } from "../../../kernel/ids.ts";
import { pageBody, restCursors } from "../../../kernel/list.ts";
import { sessionList } from "./session-list.rules.ts";
import { sessionNotFound } from "./sessions.errors.ts";
import {
  OneSessionQuery,
  ProjectSessionQuery,
  SESSION,
  SessionAnswer,
  SessionPage,
  SessionQuery,
  SessionsToDelete,
  sessionBody,
} from "./sessions.schema.ts";
import type { SessionsService } from "./sessions.service.ts";

const START_US = Date.parse("2026-03-01T10:00:00Z") * 1000;
const example = sessionBody({
  id: 3,
  sessionKey: "chat-1",
  projectId: 2,
  startUs: START_US,
  endUs: START_US + 1_500_000,
  promptTokens: 120,
  completionTokens: 32,
  traces: [{ id: 7, traceKey: "0af7651916cd43dd8448eb211c80319c", startUs: START_US, endUs: START_US + 1_500_000 }],
});
const project = { project_identifier: "example-support-agent" };
const session = { session_identifier: "chat-1" };
const sorts = { id: "arrival", start_time: "startTime", end_time: "endTime" } as const;
const listErrors = {
  malformed: "The condition cannot be read.",
  not_found: "No project has this identifier.",
  invalid: "The cursor is not one of this order.",
};
const notFound = { not_found: "No session has this identifier." };

export function sessionRoutes(sessions: SessionsService): RouteModule {
  return {
    name: "sessions",
    routes: [
      route({
        method: "GET",
        path: "/v1/projects/{project_identifier}/sessions",
        operationId: "listProjectSessions",
        summary: "List the sessions of a project",
        description: "In the order of their arrival.",
        action: "sessions.read",
        status: 200,
        query: ProjectSessionQuery,
        response: SessionPage,
        errors: listErrors,
        example: { parameters: { ...project, limit: 10 }, response: { data: [example], next_cursor: null } },
        handler: async ({ context, params, query }) => {
          const page = { ...query, sort: "arrival", condition: query.filter } as const;
          const found = await sessions.listSessions(context, params.project_identifier, page);
          return pageBody(found, restCursors(sessionList, page.sort), sessionBody);
        },
      }),
      route({
        method: "GET",
        path: "/v1/sessions",
        operationId: "listSessions",
        summary: "List the sessions of all projects or of one",
        action: "sessions.read",
        status: 200,
        query: SessionQuery,
        response: SessionPage,
        errors: listErrors,
        example: {
          parameters: { ...project, sort: "start_time", order: "desc" },
          response: { data: [example], next_cursor: null },
        },
        handler: async ({ context, query, request }) => {
          // A client that reads the session "" asks here. It must not take the list for a session.
          if (new URL(request.url).pathname.endsWith("/")) throw sessionNotFound("");
          const page = { ...query, sort: sorts[query.sort], condition: query.filter };
          const found = await sessions.listSessions(context, query.project_identifier ?? null, page);
          return pageBody(found, restCursors(sessionList, page.sort), sessionBody);
        },
      }),
      route({
        method: "GET",
        path: "/v1/sessions/{session_identifier}",
        operationId: "getSession",
        summary: "Get a session",
        description: "By its id or the sender's.",
        action: "sessions.read",
        status: 200,
        query: OneSessionQuery,
        response: SessionAnswer,
        errors: { not_found: "No session, or no project, has this identifier, or the session is in another project." },
        example: { parameters: session, response: { data: example } },
        handler: async ({ context, params, query }) => ({
          data: sessionBody(await sessions.getSession(context, params.session_identifier, query.project_identifier)),
        }),
      }),
      route({
        method: "DELETE",
        path: "/v1/sessions/{session_identifier}",
        operationId: "deleteSession",
        summary: "Delete a session with its traces",
        description: "Its traces go wherever they are. Repeated after an interruption it finishes.",
        action: "sessions.delete",
        status: 204,
        storageLocked: true,
        errors: notFound,
        example: { parameters: { session_identifier: globalId(SESSION, 9) } },
        handler: async ({ context, params }) => {
          await sessions.deleteSession(context, params.session_identifier);
        },
      }),
      route({
        method: "POST",
        path: "/v1/sessions/delete",
        operationId: "deleteSessions",
        summary: "Delete several sessions with their traces",
        description: "Either all by our ids or all by the sender's. Unknown ones are passed over.",
        action: "sessions.delete",
        status: 204,
        storageLocked: true,
        body: SessionsToDelete,
        errors: { invalid: "No session is named, or both kinds of ids are." },
        example: { body: { session_identifiers: [globalId(SESSION, 7), globalId(SESSION, 8)] } },
        handler: async ({ context, body }) => {
          await sessions.deleteSessions(context, body.session_identifiers);
        },
      }),
    ],
  };
}
