// Annotation configurations over REST, and which projects have them.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { globalId } from "../../../kernel/ids.ts";
import {
  ARRIVAL,
  MAX_PAGE_ROWS,
  type PlacedPage,
  type RestRequest,
  type SortedRequest,
  startAt,
} from "../../../kernel/list.ts";
import { findConfigId } from "./annotation-config-content.rules.ts";
import { configCursorRefused } from "./annotation-configs.errors.ts";
import {
  type AnnotationConfig,
  AssignedConfigs,
  ConfigAnswer,
  ConfigBody,
  ConfigPageAnswer,
  ConfigQuery,
  configBody,
  configOfBody,
  configWords,
} from "./annotation-configs.schema.ts";
import type { AnnotationConfigsService } from "./annotation-configs.service.ts";
import type { ConfigAssignmentsService } from "./config-assignments.service.ts";

const id = "Q2F0ZWdvcmljYWxBbm5vdGF0aW9uQ29uZmlnOjI=";
const another = "Q2F0ZWdvcmljYWxBbm5vdGF0aW9uQ29uZmlnOjE=";
const sent = {
  name: "correctness",
  type: "CATEGORICAL",
  description: "Is the answer right?",
  optimization_direction: "MAXIMIZE",
  values: [
    { label: "correct", score: 1 },
    { label: "incorrect", score: 0 },
  ],
} as const;
const answered = { id, ...sent };
const project = { project_identifier: "example-support-agent" };

const notFound = { not_found: "No configuration has this identifier." };
const noProject = { not_found: "No project, or no configuration, has this identifier." };
const badCursor = { malformed: "The cursor is not one of this list." };
const refused = {
  malformed: "The labels or the bounds do not make a choice, or the id is one of something else.",
  conflict: "A configuration with this name exists, or the name is reserved for notes.",
};
const badId = { malformed: "The id is one of something else.", invalid: "This is no id." };

/** A page, newest first. Its cursor is the id of the configuration that follows. Throws kind `malformed` for any other. */
async function newestConfigs(
  find: (ids: readonly number[]) => Promise<Map<number, AnnotationConfig>>,
  { cursor, limit }: RestRequest,
  list: (request: SortedRequest<typeof ARRIVAL>) => Promise<PlacedPage<AnnotationConfig>>,
) {
  const rowId = cursor ? findConfigId(cursor) : null;
  if (cursor && (rowId ?? -1) < 0) throw configCursorRefused(cursor);
  const start = startAt(rowId === null ? null : { value: rowId, rowId });
  const { items, next } = await list({ start, limit: Math.min(limit, MAX_PAGE_ROWS), sort: ARRIVAL, order: "desc" });
  const following = next === null ? undefined : (await find([next.rowId])).get(next.rowId);
  // The id of any type leads to what follows one that was deleted meanwhile.
  const type = configWords[following?.type ?? "FREEFORM"];
  return { data: items.map(configBody), next_cursor: next && globalId(type, next.rowId) };
}

interface ConfigServices {
  readonly configs: AnnotationConfigsService;
  readonly assignments: ConfigAssignmentsService;
}

export function annotationConfigRoutes(services: ConfigServices): RouteModule {
  return { name: "annotation_configs", routes: [...configRoutes(services), ...assignmentRoutes(services)] };
}

function configRoutes({ configs }: ConfigServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/annotation_configs",
      operationId: "listAnnotationConfigs",
      summary: "List annotation configurations",
      description: "Newest first.",
      action: "annotation_configs.read",
      status: 200,
      query: ConfigQuery,
      response: ConfigPageAnswer,
      errors: badCursor,
      example: { parameters: { limit: 10 }, response: { data: [answered], next_cursor: null } },
      handler: ({ context, query }) =>
        newestConfigs(
          (ids) => configs.findConfigs(context, ids),
          query,
          (request) => configs.listConfigs(context, request),
        ),
    }),
    route({
      method: "POST",
      path: "/v1/annotation_configs",
      operationId: "createAnnotationConfig",
      summary: "Create an annotation configuration",
      action: "annotation_configs.change",
      status: 200,
      links: {
        updateAnnotationConfig: { config_id: "$response.body#/data/id" },
        deleteAnnotationConfig: { config_id: "$response.body#/data/id" },
      },
      storageLocked: true,
      body: ConfigBody,
      response: ConfigAnswer,
      errors: refused,
      example: { body: sent, response: { data: answered } },
      handler: async ({ context, body }) => ({
        data: configBody(await configs.createConfig(context, configOfBody(body))),
      }),
    }),
    route({
      method: "GET",
      path: "/v1/annotation_configs/{config_identifier}",
      operationId: "getAnnotationConfig",
      summary: "Get an annotation configuration",
      description: "By its id or its name.",
      action: "annotation_configs.read",
      status: 200,
      response: ConfigAnswer,
      errors: notFound,
      example: { parameters: { config_identifier: sent.name }, response: { data: answered } },
      handler: async ({ context, params }) => ({
        data: configBody(await configs.getConfig(context, params.config_identifier)),
      }),
    }),
    route({
      method: "PUT",
      path: "/v1/annotation_configs/{config_id}",
      operationId: "updateAnnotationConfig",
      summary: "Replace an annotation configuration",
      description:
        "Everything but the row: what is left out is empty then. Another type changes the id's word, and both ids go on to work. Annotations stay as they are.",
      action: "annotation_configs.change",
      status: 200,
      storageLocked: true,
      body: ConfigBody,
      response: ConfigAnswer,
      errors: { ...refused, ...notFound, invalid: badId.invalid },
      example: { parameters: { config_id: id }, body: sent, response: { data: answered } },
      handler: async ({ context, params, body }) => ({
        data: configBody(await configs.updateConfig(context, params.config_id, configOfBody(body))),
      }),
    }),
    route({
      method: "DELETE",
      path: "/v1/annotation_configs/{config_id}",
      operationId: "deleteAnnotationConfig",
      summary: "Delete an annotation configuration",
      description: "Projects have it no longer; annotations of its name stay.",
      action: "annotation_configs.change",
      status: 200,
      response: ConfigAnswer,
      errors: { ...badId, ...notFound },
      example: { parameters: { config_id: another }, response: { data: { ...answered, id: another } } },
      handler: async ({ context, params }) => {
        const [deleted] = await configs.deleteConfigs(context, [params.config_id]);
        return { data: configBody(deleted!) };
      },
    }),
  ];
}

function assignmentRoutes({ configs, assignments }: ConfigServices): Route[] {
  const assigned = { ...project, config_identifier: sent.name };
  return [
    route({
      method: "GET",
      path: "/v1/projects/{project_identifier}/annotation_configs",
      operationId: "getProjectAnnotationConfigs",
      summary: "List the annotation configurations of a project",
      description: "Those that people judge its traces with, newest first.",
      action: "annotation_configs.read",
      status: 200,
      query: ConfigQuery,
      response: ConfigPageAnswer,
      errors: { ...badCursor, not_found: "No project has this identifier." },
      example: { parameters: { ...project, limit: 10 }, response: { data: [answered], next_cursor: null } },
      handler: ({ context, params, query }) =>
        newestConfigs(
          (ids) => configs.findConfigs(context, ids),
          query,
          (request) => configs.listOfProject(context, params.project_identifier, request),
        ),
    }),
    route({
      method: "PUT",
      path: "/v1/projects/{project_identifier}/annotation_configs",
      operationId: "setProjectAnnotationConfigs",
      summary: "Set the annotation configurations of a project",
      description: "All or nothing: the project then has exactly these.",
      action: "annotation_configs.change",
      status: 200,
      storageLocked: true,
      body: AssignedConfigs,
      response: ConfigPageAnswer,
      errors: {
        not_found: "No project has this identifier.",
        invalid: "One of the ids is not that of a configuration; nothing was changed.",
      },
      example: {
        parameters: project,
        body: { annotation_config_ids: [id] },
        response: { data: [answered], next_cursor: null },
      },
      handler: async ({ context, params, body }) => {
        const items = await assignments.setProjectConfigs(
          context,
          params.project_identifier,
          body.annotation_config_ids,
        );
        return { data: items.map(configBody), next_cursor: null };
      },
    }),
    route({
      method: "PUT",
      path: "/v1/projects/{project_identifier}/annotation_configs/{config_identifier}",
      operationId: "assignAnnotationConfigToProject",
      summary: "Give a project an annotation configuration",
      description: "Also when it has it already.",
      action: "annotation_configs.change",
      status: 200,
      storageLocked: true,
      response: ConfigAnswer,
      errors: noProject,
      example: { parameters: assigned, response: { data: answered } },
      handler: async ({ context, params }) => ({
        data: configBody(await assignments.assignConfig(context, params.project_identifier, params.config_identifier)),
      }),
    }),
    route({
      method: "DELETE",
      path: "/v1/projects/{project_identifier}/annotation_configs/{config_identifier}",
      operationId: "unassignAnnotationConfigFromProject",
      summary: "Take an annotation configuration from a project",
      description: "Also when it does not have it. The configuration stays.",
      action: "annotation_configs.change",
      status: 204,
      errors: noProject,
      example: { parameters: assigned },
      handler: async ({ context, params }) => {
        await assignments.unassignConfig(context, params.project_identifier, params.config_identifier);
      },
    }),
  ];
}
