// Projects over REST.
import { type RouteModule, route } from "../../../api/route.ts";
import { newestFirst } from "../../../kernel/list.ts";
import {
  NewProject,
  PROJECT,
  ProjectAnswer,
  ProjectChanges,
  ProjectPage,
  ProjectQuery,
  projectBody,
} from "./projects.schema.ts";
import type { ProjectsService } from "./projects.service.ts";

const parameters = { project_identifier: "example-support-agent" };
const project = { id: "UHJvamVjdDoy", name: "support-bot", description: "Traces of the support assistant" };
const notFound = { not_found: "No project has this identifier." };

export function projectRoutes(projects: ProjectsService): RouteModule {
  return {
    name: "projects",
    routes: [
      route({
        method: "GET",
        path: "/v1/projects",
        operationId: "getProjects",
        summary: "List projects",
        description: "Newest first. The filters combine with AND.",
        action: "projects.read",
        status: 200,
        query: ProjectQuery,
        response: ProjectPage,
        errors: { invalid: "The cursor is not one of this list." },
        example: { parameters: { limit: 10, name_contains: "bot" }, response: { data: [project], next_cursor: null } },
        handler: ({ context, query }) => {
          const {
            name_contains: nameContains = "",
            include_experiment_projects: withExperiments,
            include_dataset_evaluator_projects: withEvaluators,
          } = query;
          const filter = { nameContains, withExperiments, withEvaluators };
          return newestFirst(PROJECT, query, (page) => projects.listProjects(context, filter, page), projectBody);
        },
      }),
      route({
        method: "POST",
        path: "/v1/projects",
        operationId: "createProject",
        links: {
          getProject: { project_identifier: "$response.body#/data/id" },
          updateProject: { project_identifier: "$response.body#/data/id" },
          deleteProject: { project_identifier: "$response.body#/data/id" },
        },
        summary: "Create a project",
        action: "projects.create",
        status: 200,
        storageLocked: true,
        body: NewProject,
        response: ProjectAnswer,
        errors: { conflict: "A project with this name exists." },
        example: { body: { name: project.name, description: project.description }, response: { data: project } },
        handler: async ({ context, body }) => ({ data: projectBody(await projects.createProject(context, body)) }),
      }),
      route({
        method: "GET",
        path: "/v1/projects/{project_identifier}",
        operationId: "getProject",
        summary: "Get a project",
        description: "By its id or its name. Names with `/`, `?` or `#` can only be asked for by id.",
        action: "projects.read",
        status: 200,
        response: ProjectAnswer,
        errors: notFound,
        example: { parameters, response: { data: project } },
        handler: async ({ context, params }) => ({
          data: projectBody(await projects.getProject(context, params.project_identifier)),
        }),
      }),
      route({
        method: "PUT",
        path: "/v1/projects/{project_identifier}",
        operationId: "updateProject",
        summary: "Change the description or the colours of a project",
        description: "What is absent or null stays as it is. The name cannot be changed.",
        action: "projects.update",
        status: 200,
        storageLocked: true,
        body: ProjectChanges,
        response: ProjectAnswer,
        errors: notFound,
        example: { parameters, body: { description: project.description }, response: { data: project } },
        handler: async ({ context, params, body }) => ({
          data: projectBody(await projects.updateProject(context, params.project_identifier, body)),
        }),
      }),
      route({
        method: "DELETE",
        path: "/v1/projects/{project_identifier}",
        operationId: "deleteProject",
        summary: "Delete a project with its traces and sessions",
        description: "Answers when everything is gone; repeated after an interruption it finishes the deletion.",
        action: "projects.delete",
        status: 204,
        errors: { ...notFound, forbidden: "The default project cannot be deleted." },
        example: { parameters: { project_identifier: project.name } },
        handler: async ({ context, params }) => {
          await projects.deleteProject(context, params.project_identifier);
        },
      }),
    ],
  };
}
