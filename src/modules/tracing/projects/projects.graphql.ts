// Projects in GraphQL: their type, their list, and what changes them. Other modules add fields.
import { argumentRefused, cursorOrder, listConnection } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { ARRIVAL } from "../../../kernel/list.ts";
import { isColor, MAX_PROJECT_NAME_BYTES, PROJECT, type Project, type ProjectSort } from "./projects.schema.ts";
import type { ProjectsService } from "./projects.service.ts";

export function addProjectTypes(types: GraphqlTypes, projects: ProjectsService): void {
  const { builder } = types;
  types.defineNode(PROJECT, {
    find: (call, id) => call.load(projects.findProjects, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      gradientStartColor: t.exposeString("gradientStartColor"),
      gradientEndColor: t.exposeString("gradientEndColor"),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
    }),
  });
  const ProjectColumn = builder.enumType("ProjectColumn", { values: ["name", "endTime"] as const });
  const ProjectFilterColumn = builder.enumType("ProjectFilterColumn", { values: ["name"] as const });
  const ProjectSort = builder.inputType("ProjectSort", {
    fields: (t) => ({
      col: t.field({ type: ProjectColumn, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });
  const ProjectFilter = builder.inputType("ProjectFilter", {
    fields: (t) => ({
      col: t.field({ type: ProjectFilterColumn, required: true }),
      value: t.string({ required: true }),
    }),
  });

  builder.queryFields((t) => ({
    projects: t.field({
      type: types.connection(PROJECT),
      may: "projects.read",
      args: {
        ...types.pagingArguments(),
        sort: t.arg({ type: ProjectSort }),
        filter: t.arg({ type: ProjectFilter }),
      },
      resolve: async (_root, { sort, filter, ...page }, call, info) => {
        const chosen = { nameContains: filter?.value ?? "", withExperiments: false, withEvaluators: false };
        const { col = ARRIVAL, dir = "asc" } = sort ?? {};
        const order = cursorOrder(col, dir, col === "name" ? "text" : "integer");
        return listConnection<Project, ProjectSort>({ call, info }, page, order, (request) =>
          projects.listProjects(call.context, chosen, request),
        );
      },
    }),
    getProjectByName: t.field({
      may: "projects.read",
      type: types.ref(PROJECT),
      nullable: true,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }, call) => projects.findProjectByName(call.context, name),
    }),
    projectCount: t.int({
      may: "projects.read",
      resolve: (_root, _given, call) => projects.countProjects(call.context),
    }),
  }));
  addProjectMutations(types, projects);
}

function addProjectMutations(types: GraphqlTypes, projects: ProjectsService): void {
  const { builder } = types;
  const CreateProjectInput = builder.inputType("CreateProjectInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      description: t.string(),
      gradientStartColor: t.string(),
      gradientEndColor: t.string(),
    }),
  });
  const PatchProjectInput = builder.inputType("PatchProjectInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      description: t.string(),
      gradientStartColor: t.string(),
      gradientEndColor: t.string(),
    }),
  });
  const ProjectMutationPayload = types.payload<{ readonly project: Project }>("ProjectMutationPayload", (t) => ({
    project: t.field({ type: types.ref(PROJECT), resolve: ({ project }) => project }),
  }));

  builder.mutationFields((t) => ({
    createProject: t.field({
      type: ProjectMutationPayload,
      may: "projects.create",
      adds: true,
      args: { input: t.arg({ type: CreateProjectInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const name = input.name.trim();
        if (name === "") throw argumentRefused("name", "must not be empty");
        if (Buffer.byteLength(name) > MAX_PROJECT_NAME_BYTES) {
          throw argumentRefused("name", `must not be longer than ${MAX_PROJECT_NAME_BYTES} bytes`);
        }
        const description = input.description ?? null;
        return { project: await projects.createProject(call.context, { name, description, ...colorsOf(input) }) };
      },
    }),
    patchProject: t.field({
      type: ProjectMutationPayload,
      may: "projects.update",
      adds: true,
      args: { input: t.arg({ type: PatchProjectInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        requireRowId(PROJECT, input.id);
        const changes = { description: input.description ?? null, ...colorsOf(input) };
        return { project: await projects.updateProject(call.context, input.id, changes) };
      },
    }),
    deleteProject: t.field({
      type: types.QueryRoot,
      description: "With everything in it.",
      may: "projects.delete",
      adds: false,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, call) => {
        requireRowId(PROJECT, id);
        await projects.deleteProject(call.context, id);
        return {};
      },
    }),
  }));
}

type Given = string | null | undefined;

/** Colours in the names of the service; absent ones stay absent. */
function colorsOf(input: { readonly gradientStartColor?: Given; readonly gradientEndColor?: Given }) {
  const { gradientStartColor: start, gradientEndColor: end } = input;
  for (const [name, color] of Object.entries({ gradientStartColor: start, gradientEndColor: end })) {
    if (typeof color === "string" && !isColor(color)) throw argumentRefused(name, "must look like #1c76fc");
  }
  return {
    ...(typeof start === "string" ? { gradient_start_color: start } : {}),
    ...(typeof end === "string" ? { gradient_end_color: end } : {}),
  };
}
