// Saved views in GraphQL: those that the caller sees, and what changes them.
import { authorIdOf } from "../../../access/principal.ts";
import { argumentRefused } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { viewTabs } from "../../../model/saved-view.ts";
import { addAuthor } from "../../accounts/users/author.graphql.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { PROJECT, type Project } from "../projects/projects.schema.ts";
import { viewNameProblem, viewQueryProblem } from "./view-address.rules.ts";
import { SAVED_VIEW, type SavedView } from "./views.schema.ts";
import type { ViewsService } from "./views.service.ts";

export function addViewTypes(types: GraphqlTypes, views: ViewsService, users: UsersService): void {
  const { builder } = types;
  types.defineNode(SAVED_VIEW, {
    find: (call, id) => call.load(views.findViews, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      tab: t.field({ type: tabType(types), description: "The list that it shows.", resolve: ({ tab }) => tab }),
      query: t.exposeString("query", { description: "Parameters of the address of the list." }),
      isShared: t.boolean({
        description: "For everybody, else for the caller alone.",
        resolve: ({ privateTo }) => privateTo === null,
      }),
      isOwn: t.boolean({
        description: "The caller saved it.",
        resolve: ({ userId }, _given, { context }) => userId !== null && userId === authorIdOf(context.principal),
      }),
      isStart: t.exposeBoolean("isStart", { description: "The project opens with it." }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
    }),
  });

  addAuthor(types, users, SAVED_VIEW, "Who saved it.");

  builder.objectFields(types.ref(PROJECT), (t) => ({
    savedViews: t.field({
      type: [types.ref(SAVED_VIEW)],
      description: "Those for everybody and those of the caller, by name.",
      resolve: async ({ id }, _given, call) => {
        const found = (await call.load(views.listOfProjects, id, null)) ?? [];
        return [...found];
      },
    }),
    startView: t.field({
      type: types.ref(SAVED_VIEW),
      nullable: true,
      description: "What the project opens with.",
      resolve: ({ id }, _given, call) => call.load(views.findStarts, id, null),
    }),
  }));
  addViewMutations(types, views);
}

const tabType = (types: GraphqlTypes) =>
  types.once("SavedViewTab", () => types.builder.enumType("SavedViewTab", { values: viewTabs }));

function addViewMutations(types: GraphqlTypes, views: ViewsService): void {
  const { builder } = types;
  const SavedViewTab = tabType(types);
  const CreateSavedViewInput = builder.inputType("CreateSavedViewInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      name: t.string({ required: true }),
      tab: t.field({ type: SavedViewTab, required: true }),
      query: t.string({ required: true }),
      isShared: t.boolean({ required: true, description: "For everybody, else for the caller alone." }),
    }),
  });
  const PatchSavedViewInput = builder.inputType("PatchSavedViewInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      tab: t.field({ type: SavedViewTab }),
      query: t.string(),
      isShared: t.boolean({ description: "Only who saved a view can make it private again." }),
    }),
  });
  const SetStartViewInput = builder.inputType("SetStartViewInput", {
    fields: (t) => ({ projectId: t.id({ required: true }), viewId: t.id({ description: "Null: none." }) }),
  });
  const SavedViewPayload = types.payload<{ readonly savedView: SavedView }>("SavedViewMutationPayload", (t) => ({
    savedView: t.field({ type: types.ref(SAVED_VIEW), resolve: ({ savedView }) => savedView }),
  }));
  const DeletePayload = types.payload<{ readonly id: number }>("DeleteSavedViewPayload", (t) => ({
    savedViewId: t.id({ resolve: ({ id }) => globalId(SAVED_VIEW, id) }),
  }));
  const StartPayload = types.payload<{ readonly project: Project }>("SetStartViewPayload", (t) => ({
    project: t.field({ type: types.ref(PROJECT), resolve: ({ project }) => project }),
  }));

  builder.mutationFields((t) => ({
    createSavedView: t.field({
      type: SavedViewPayload,
      may: "views.keep",
      adds: true,
      requireInput: ({ input }) => requireView(input),
      args: { input: t.arg({ type: CreateSavedViewInput, required: true }) },
      resolve: async (_root, { input: { projectId, ...view } }, call) => {
        requireRowId(PROJECT, projectId);
        return { savedView: await views.createView(call.context, projectId, view) };
      },
    }),
    patchSavedView: t.field({
      type: SavedViewPayload,
      description: "What is absent or null stays as it is.",
      may: "views.keep",
      adds: true,
      requireInput: ({ input }) => requireView(input),
      args: { input: t.arg({ type: PatchSavedViewInput, required: true }) },
      resolve: async (_root, { input: { id, name, tab, query, isShared } }, call) => {
        const changes = {
          ...(typeof name === "string" ? { name } : {}),
          ...(tab == null ? {} : { tab }),
          ...(typeof query === "string" ? { query } : {}),
          ...(typeof isShared === "boolean" ? { isShared } : {}),
        };
        return { savedView: await views.changeView(call.context, requireRowId(SAVED_VIEW, id), changes) };
      },
    }),
    deleteSavedView: t.field({
      type: DeletePayload,
      may: "views.keep",
      adds: false,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, given, call) => {
        const id = requireRowId(SAVED_VIEW, given.id);
        await views.deleteView(call.context, id);
        return { id };
      },
    }),
    setStartView: t.field({
      type: StartPayload,
      may: "views.share",
      adds: false,
      args: { input: t.arg({ type: SetStartViewInput, required: true }) },
      resolve: async (_root, { input: { projectId, viewId } }, call) => {
        requireRowId(PROJECT, projectId);
        const id = viewId == null ? null : requireRowId(SAVED_VIEW, viewId);
        return { project: await views.setStart(call.context, projectId, id) };
      },
    }),
  }));
}

type Given = string | null | undefined;

function requireView({ name, query }: { readonly name?: Given; readonly query?: Given }): void {
  const nameProblem = typeof name === "string" ? viewNameProblem(name) : null;
  if (nameProblem !== null) throw argumentRefused("name", nameProblem);
  const queryProblem = typeof query === "string" ? viewQueryProblem(query) : null;
  if (queryProblem !== null) throw argumentRefused("query", queryProblem);
}
