// Prompts in GraphQL: prompts, their versions and tags, and their list.
import { argumentRefused, listConnection, NEWEST_FIRST } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import type { Label } from "../labels/labels.schema.ts";
import type { LabelsService } from "../labels/labels.service.ts";
import { CUSTOM_PROVIDER } from "../model-providers/custom/custom-providers.schema.ts";
import type { CustomProvidersService } from "../model-providers/custom/custom-providers.service.ts";
import { contentFields } from "./content/prompt-content.graphql.ts";
import { modelProviderType, templateFormatType } from "./content/prompt-enums.graphql.ts";
import { addLabelTypes } from "./labels/prompt-labels.graphql.ts";
import { addPromptMutations } from "./prompt-mutations.graphql.ts";
import type { PromptVersionsService } from "./prompt-versions.service.ts";
import { PROMPT, PROMPT_LABEL, PROMPT_VERSION, PROMPT_VERSION_TAG, type TagMove } from "./prompts.schema.ts";
import type { PromptsService } from "./prompts.service.ts";
import type { PromptTagsService } from "./versions/prompt-tags.service.ts";

interface PromptTypesServices {
  readonly prompts: PromptsService;
  readonly versions: PromptVersionsService;
  readonly tags: PromptTagsService;
  readonly labels: LabelsService<Label, number>;
  readonly users: UsersService;
  readonly customProviders: CustomProvidersService;
}

export function addPromptTypes(types: GraphqlTypes, services: PromptTypesServices): void {
  addPromptNode(types, services);
  addVersionNode(types, services);
  addTagTypes(types, services);
  addLabelTypes(types, services.labels);
  addPromptQueries(types, services);
  addPromptMutations(types, services);
}

/** What is stored as JSON, in the shape that it was checked against when it came. */
const kept = <Shape>(text: string) => parseJson(text) as Shape;

function addPromptNode(types: GraphqlTypes, { prompts, versions, tags, labels, users }: PromptTypesServices): void {
  types.defineNode(PROMPT, {
    find: (call, id) => call.load(prompts.findPrompts, id, null),
    fields: (t) => ({
      name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
      description: t.exposeString("description", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => kept<JsonObject>(metadata) }),
      sourcePromptId: t.id({
        nullable: true,
        description: "The prompt that it is a copy of.",
        resolve: ({ sourcePromptId }) => (sourcePromptId === null ? null : globalId(PROMPT, sourcePromptId)),
      }),
      sourcePrompt: t.field({
        type: types.ref(PROMPT),
        nullable: true,
        resolve: ({ sourcePromptId }, _given, call) =>
          sourcePromptId === null ? null : call.load(prompts.findPrompts, sourcePromptId, null),
      }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      createdBy: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Author of the first version.",
        resolve: async ({ id }, _given, call) => {
          const first = await call.load(versions.findEndVersions, id, "first" as const);
          return first?.userId == null ? null : call.load(users.findUsers, first.userId, null);
        },
      }),
      updatedBy: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Author of the latest version.",
        resolve: async ({ id }, _given, call) => {
          const latest = await call.load(versions.findEndVersions, id, "latest" as const);
          return latest?.userId == null ? null : call.load(users.findUsers, latest.userId, null);
        },
      }),
      promptVersions: t.field({
        type: types.connection(PROMPT_VERSION),
        description: "Newest first.",
        args: types.pagingArguments(),
        resolve: ({ id }, page, call, info) =>
          listConnection({ call, info }, page, NEWEST_FIRST, (request) =>
            call.load(versions.listVersions, id, request),
          ),
      }),
      version: t.field({
        type: types.ref(PROMPT_VERSION),
        description: "The one of the id, the one that the tag points at, or else the latest.",
        args: { versionId: t.arg.id(), tagName: t.arg({ type: "Identifier" }) },
        resolve: async ({ id }, { versionId, tagName }, call) => {
          const identifier = globalId(PROMPT, id);
          if (typeof versionId === "string") {
            const version = await versions.getVersion(call.context, versionId);
            if (version.promptId !== id) throw argumentRefused("versionId", "is a version of another prompt");
            return version;
          }
          if (typeof tagName === "string") return versions.getTaggedVersion(call.context, identifier, tagName);
          const latest = await call.load(versions.findEndVersions, id, "latest" as const);
          return latest ?? versions.getLatestVersion(call.context, identifier);
        },
      }),
      versionCount: t.int({
        resolve: async ({ id }, _given, call) => (await call.load(versions.countVersions, id, null)) ?? 0,
      }),
      versionTags: t.field({
        type: [types.ref(PROMPT_VERSION_TAG)],
        description: "Wherever they point, by name.",
        resolve: async ({ id }, _given, call) => (await call.load(tags.listOfPrompts, id, null)) ?? [],
      }),
      labels: t.field({
        type: [types.ref(PROMPT_LABEL)],
        description: "By name.",
        resolve: async ({ id }, _given, call) => (await call.load(labels.listOf, id, null)) ?? [],
      }),
    }),
  });
}

function addVersionNode(
  types: GraphqlTypes,
  { prompts, versions, tags, users, customProviders }: PromptTypesServices,
): void {
  types.defineNode(PROMPT_VERSION, {
    find: (call, id) => call.load(versions.findVersions, id, null),
    fields: (t) => ({
      description: t.exposeString("description", { nullable: true }),
      ...contentFields(types, t),
      customProvider: t.field({
        type: types.ref(CUSTOM_PROVIDER),
        nullable: true,
        description: "Null for the built-in provider, and once the custom one is deleted.",
        resolve: ({ customProviderId }, _given, call) =>
          customProviderId === null ? null : call.load(customProviders.findProviders, customProviderId, null),
      }),
      modelProvider: t.field({ type: modelProviderType(types), resolve: ({ modelProvider }) => modelProvider }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => kept<JsonObject>(metadata) }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Who made it; null for one that was made while authentication was off.",
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      tags: t.field({
        type: [types.ref(PROMPT_VERSION_TAG)],
        description: "Those that point at it, by name.",
        resolve: async ({ id }, _given, call) => (await call.load(tags.listOfVersions, id, null)) ?? [],
      }),
      previousVersion: t.field({
        type: types.ref(PROMPT_VERSION),
        nullable: true,
        resolve: ({ id }, _given, call) => call.load(versions.findVersionsBefore, id, null),
      }),
      prompt: t.field({
        type: types.ref(PROMPT),
        nullable: true,
        resolve: ({ promptId }, _given, call) => call.load(prompts.findPrompts, promptId, null),
      }),
      sequenceNumber: t.exposeInt("number", { description: "From 1 without a gap." }),
      isLatest: t.boolean({
        resolve: async ({ promptId, number }, _given, call) =>
          (await call.load(versions.countVersions, promptId, null)) === number,
      }),
    }),
  });
}

function addTagTypes(types: GraphqlTypes, { versions, tags, users }: PromptTypesServices): void {
  const { builder } = types;
  types.defineNode(PROMPT_VERSION_TAG, {
    find: (call, id) => call.load(tags.findTags, id, null),
    fields: (t) => ({
      promptVersionId: t.id({ resolve: ({ versionId }) => globalId(PROMPT_VERSION, versionId) }),
      name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
      description: t.exposeString("description", { nullable: true }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "Who set it where it is.",
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
    }),
  });
  const Move = builder.objectRef<TagMove>("PromptTagMove").implement({
    description: "A tag was set on a version, or removed.",
    fields: (t) => ({
      name: t.field({ type: "Identifier", resolve: ({ name }) => name }),
      version: t.field({
        type: types.ref(PROMPT_VERSION),
        nullable: true,
        description: "Null where it was removed.",
        resolve: ({ versionId }, _given, call) =>
          versionId === null ? null : call.load(versions.findVersions, versionId, null),
      }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
      movedAt: t.field({ type: "DateTime", resolve: ({ movedUs }) => movedUs }),
    }),
  });
  builder.objectField(types.ref(PROMPT), "tagMoves", (t) =>
    t.field({
      type: [Move],
      description: "Where its tags pointed, newest first, the last hundred.",
      resolve: async ({ id }, _given, call) => [...((await call.load(tags.listMoves, id, null)) ?? [])],
    }),
  );
}

/** How a template is filled. */
export const templateOptionsInput = (types: GraphqlTypes) =>
  types.once("PromptTemplateOptions", () =>
    types.builder.inputType("PromptTemplateOptions", {
      fields: (t) => ({
        variables: t.field({
          type: "JSON",
          required: true,
          description: "Values by the names of the variables: an object, or the JSON text of one.",
        }),
        format: t.field({ type: templateFormatType(types), required: true }),
      }),
    }),
  );

function addPromptQueries(types: GraphqlTypes, { prompts }: PromptTypesServices): void {
  const { builder } = types;
  const FilterColumn = builder.enumType("PromptFilterColumn", { values: ["name"] as const });
  const Filter = builder.inputType("PromptFilter", {
    description: "Part of the name, in any case.",
    fields: (t) => ({
      col: t.field({ type: FilterColumn, required: true }),
      value: t.string({ required: true }),
    }),
  });
  builder.queryFields((t) => ({
    prompts: t.field({
      type: types.connection(PROMPT),
      description: "Newest first.",
      may: "prompts.read",
      args: {
        ...types.pagingArguments(),
        filter: t.arg({ type: Filter }),
        labelIds: t.arg.idList({ description: "Those that carry at least one of them." }),
      },
      resolve: async (_root, { filter, labelIds, ...page }, call, info) => {
        const chosen = {
          nameContains: filter?.value,
          labelIds: labelIds?.map((id) => requireRowId(PROMPT_LABEL, id)),
        };
        return listConnection({ call, info }, page, NEWEST_FIRST, (request) =>
          prompts.listPrompts(call.context, chosen, request),
        );
      },
    }),
    promptCount: t.int({
      may: "prompts.read",
      resolve: (_root, _given, call) => prompts.countPrompts(call.context),
    }),
  }));
}
