// What changes prompts, their versions and tags, in GraphQL.
import { argumentRefused } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { findRowId, globalId } from "../../../kernel/ids.ts";
import { isJsonObject, type Json } from "../../../kernel/json.ts";
import { CUSTOM_PROVIDER } from "../model-providers/custom/custom-providers.schema.ts";
import { changedDescription, contentOf, keptMetadata, requireParametersOf } from "./content/prompt-content.rules.ts";
import { type VersionInputRef, versionBodyOf, versionInput } from "./content/prompt-inputs.graphql.ts";
import {
  type NewTag,
  PROMPT,
  PROMPT_VERSION_TAG,
  type Prompt,
  type PromptChanges,
  type PromptVersionTag,
  type VersionContent,
} from "./prompts.schema.ts";
import type { PromptsService } from "./prompts.service.ts";
import type { PromptTagsService } from "./versions/prompt-tags.service.ts";

interface MutationServices {
  readonly prompts: PromptsService;
  readonly tags: PromptTagsService;
}

export function addPromptMutations(types: GraphqlTypes, services: MutationServices): void {
  addVersionMutations(types, services.prompts);
  addChangeMutations(types, services.prompts);
  addTagMutations(types, services);
}

function addVersionMutations(types: GraphqlTypes, prompts: PromptsService): void {
  const { builder } = types;
  const TagInput = builder.inputType("CreatePromptVersionTagInput", {
    fields: (t) => ({ name: t.field({ type: "Identifier", required: true }), description: t.string() }),
  });
  const CreateInput = builder.inputType("CreateChatPromptInput", {
    fields: (t) => ({
      name: t.field({ type: "Identifier", required: true }),
      description: t.string(),
      promptVersion: t.field({ type: versionInput(types), required: true }),
      metadata: t.field({ type: "JSON" }),
      tags: t.field({ type: [TagInput] }),
    }),
  });
  const VersionInput = builder.inputType("CreateChatPromptVersionInput", {
    fields: (t) => ({
      promptId: t.id({ required: true }),
      promptVersion: t.field({ type: versionInput(types), required: true }),
      tags: t.field({ type: [TagInput] }),
    }),
  });
  builder.mutationFields((t) => ({
    createChatPrompt: t.field({
      type: types.ref(PROMPT),
      description: "A prompt with its first version.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: (_root, { input: { name, description = null, promptVersion, metadata, tags } }, call) => {
        const prompt = { name, description, metadata: keptMetadata(requireObject(metadata)) };
        return prompts.createPrompt(call.context, prompt, givenContent(promptVersion), givenTags(tags));
      },
    }),
    createChatPromptVersion: t.field({
      type: types.ref(PROMPT),
      description: "The next version. Tags that point at another version move.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: VersionInput, required: true }) },
      resolve: async (_root, { input: { promptId, promptVersion, tags } }, call) => {
        requireRowId(PROMPT, promptId);
        await prompts.addVersion(call.context, promptId, givenContent(promptVersion), givenTags(tags));
        return prompts.getPrompt(call.context, promptId);
      },
    }),
  }));
}

/** Throws kind `invalid` that names what is wrong. */
export function givenContent(given: VersionInputRef["$inferInput"]): VersionContent {
  const body = versionBodyOf(given);
  requireParametersOf(body);
  const { customProviderId } = given;
  return {
    ...contentOf(body),
    customProviderId: customProviderId == null ? null : requireProviderId(customProviderId),
  };
}

function requireProviderId(id: string): number {
  const rowId = findRowId(CUSTOM_PROVIDER, id);
  if (rowId === null) throw argumentRefused("customProviderId", "is not the id of a custom provider");
  return rowId;
}

interface GivenTag {
  readonly name: string;
  readonly description?: string | null | undefined;
}

function givenTags(tags: readonly GivenTag[] | null | undefined): NewTag[] {
  return (tags ?? []).map(({ name, description }) => (description == null ? { name } : { name, description }));
}

function requireObject(metadata: unknown) {
  if (metadata == null) return null;
  if (!isJsonObject(metadata as Json)) throw argumentRefused("metadata", "must be a JSON object");
  return metadata as Extract<Json, Record<string, unknown>>;
}

interface GivenChanges {
  readonly description?: string | null | undefined;
  readonly metadata?: unknown;
}

/** Null clears, absent stays. */
function givenChanges({ description, metadata }: GivenChanges): PromptChanges {
  return {
    ...(description === undefined ? {} : { description: changedDescription(description) }),
    ...(metadata === undefined ? {} : { metadata: keptMetadata(requireObject(metadata)) }),
  };
}

function addChangeMutations(types: GraphqlTypes, prompts: PromptsService): void {
  const { builder } = types;
  const DeleteInput = builder.inputType("DeletePromptInput", {
    fields: (t) => ({ promptId: t.id({ required: true }) }),
  });
  const CloneInput = builder.inputType("ClonePromptInput", {
    fields: (t) => ({
      name: t.field({ type: "Identifier", required: true }),
      promptId: t.id({ required: true }),
      description: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const PatchInput = builder.inputType("PatchPromptInput", {
    fields: (t) => ({
      promptId: t.id({ required: true }),
      description: t.string(),
      metadata: t.field({ type: "JSON" }),
    }),
  });
  const Deleted = types.payload<object>("DeletePromptMutationPayload", () => ({}));
  builder.mutationFields((t) => ({
    deletePrompt: t.field({
      type: Deleted,
      description: "With its versions and tags.",
      may: "prompts.delete",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input: { promptId } }, call) => {
        requireRowId(PROMPT, promptId);
        await prompts.deletePrompt(call.context, promptId);
        return {};
      },
    }),
    clonePrompt: t.field({
      type: types.ref(PROMPT),
      description: "With all versions. What is absent is as in the source, null clears.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: CloneInput, required: true }) },
      resolve: (_root, { input: { promptId, name, ...changes } }, call) => {
        requireRowId(PROMPT, promptId);
        return prompts.clonePrompt(call.context, promptId, name, givenChanges(changes));
      },
    }),
    patchPrompt: t.field({
      type: types.ref(PROMPT),
      description: "What is absent stays, null clears.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: (_root, { input: { promptId, ...given } }, call) => {
        requireRowId(PROMPT, promptId);
        const changes = givenChanges(given);
        if (Object.keys(changes).length === 0) throw argumentRefused("input", "description or metadata must be given");
        return prompts.patchPrompt(call.context, promptId, changes);
      },
    }),
  }));
}

function addTagMutations(types: GraphqlTypes, { prompts, tags }: MutationServices): void {
  const { builder } = types;
  const SetInput = builder.inputType("SetPromptVersionTagInput", {
    fields: (t) => ({
      promptVersionId: t.id({ required: true }),
      name: t.field({ type: "Identifier", required: true }),
      description: t.string(),
    }),
  });
  const DeleteInput = builder.inputType("DeletePromptVersionTagInput", {
    fields: (t) => ({ promptVersionTagId: t.id({ required: true }) }),
  });
  interface Changed {
    readonly tag: PromptVersionTag;
    readonly prompt: Prompt;
  }
  const Payload = types.payload<Changed>("PromptVersionTagMutationPayload", (t) => ({
    promptVersionTag: t.field({
      type: types.ref(PROMPT_VERSION_TAG),
      nullable: true,
      description: "As it is, or as it was before it went.",
      resolve: ({ tag }) => tag,
    }),
    prompt: t.field({ type: types.ref(PROMPT), resolve: ({ prompt }) => prompt }),
  }));
  builder.mutationFields((t) => ({
    setPromptVersionTag: t.field({
      type: Payload,
      description: "A tag of the prompt that points at another version moves.",
      may: "prompts.change",
      adds: true,
      args: { input: t.arg({ type: SetInput, required: true }) },
      resolve: async (_root, { input: { promptVersionId, name, description } }, call) => {
        const [given] = givenTags([{ name, description }]);
        const tag = await tags.setTag(call.context, promptVersionId, given!);
        return { tag, prompt: await prompts.getPrompt(call.context, globalId(PROMPT, tag.promptId)) };
      },
    }),
    deletePromptVersionTag: t.field({
      type: Payload,
      may: "prompts.delete",
      adds: false,
      args: { input: t.arg({ type: DeleteInput, required: true }) },
      resolve: async (_root, { input: { promptVersionTagId } }, call) => {
        const tag = await tags.removeTagById(call.context, promptVersionTagId);
        return { tag, prompt: await prompts.getPrompt(call.context, globalId(PROMPT, tag.promptId)) };
      },
    }),
  }));
}
