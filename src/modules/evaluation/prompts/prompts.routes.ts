// Prompts over REST: their list and changes, versions and tags (docs/protocol/prompts.md).
import { type Call, type Route, type RouteModule, route } from "../../../api/route.ts";
import { newestFirst } from "../../../kernel/list.ts";
import { floatWriter } from "../../../kernel/written-floats.ts";
import { changedDescription, contentOf, keptMetadata, requireParametersOf } from "./content/prompt-content.rules.ts";
import type { PromptVersionsService } from "./prompt-versions.service.ts";
import {
  listedPromptBody,
  NewTagBody,
  NewVersion,
  NewVersionOfName,
  PROMPT,
  PROMPT_VERSION,
  PROMPT_VERSION_TAG,
  PromptAnswer,
  PromptChangesBody,
  PromptPageAnswer,
  PromptQuery,
  type PromptVersion,
  PromptVersionPage,
  promptBody,
  promptVersionBody,
  TagPageAnswer,
  tagBody,
  VersionAnswer,
} from "./prompts.schema.ts";
import type { PromptsService } from "./prompts.service.ts";
import type { PromptTagsService } from "./versions/prompt-tags.service.ts";

interface PromptServices {
  readonly prompts: PromptsService;
  readonly versions: PromptVersionsService;
  readonly tags: PromptTagsService;
}

export function promptRoutes(services: PromptServices): RouteModule {
  return {
    name: "prompts",
    routes: [
      ...listRoutes(services),
      ...changeRoutes(services),
      ...writingRoutes(services),
      ...readingRoutes(services),
      ...tagRoutes(services),
    ],
  };
}

const id = "UHJvbXB0VmVyc2lvbjox";
const named = { prompt_identifier: "example-triage" };
const versioned = { prompt_version_id: id };
const prompt = {
  id: "UHJvbXB0OjE=",
  name: "triage",
  description: "Sorts tickets",
  source_prompt_id: null,
  metadata: { team: "support" },
};
const { source_prompt_id: _none, ...changed } = prompt;
const sent = {
  description: "shorter",
  model_provider: "OPENAI",
  model_name: "gpt-5-mini",
  template_type: "CHAT",
  template_format: "MUSTACHE",
  template: { type: "chat", messages: [{ role: "user", content: "Which team answers this? {{ticket}}" }] },
  invocation_parameters: { type: "openai", openai: { temperature: 0 } },
} as const;
const version = { id, ...sent };

const unknownPrompt = { not_found: "No prompt has this identifier.", invalid: "This can be no name of a prompt." };
const unknownVersion = { not_found: "No version has this id.", invalid: "This is no id of a version." };
const badCursor = { invalid: "The identifier cannot be one, or the cursor is not one of this list." };

/** Of one version: what it says never changes. */
const FOR_EVER = "private, max-age=31536000, immutable";
/** The version that something points at: asked for again each time, which the tag of the answer makes cheap. */
const ASK_AGAIN = "private, no-cache";

const withFloats = floatWriter(VersionAnswer)!;

/** The version, or 304 for a caller that has it. */
function answerVersion(
  { request }: Pick<Call<unknown, unknown, unknown>, "request">,
  found: PromptVersion,
  caching: typeof FOR_EVER | typeof ASK_AGAIN,
): Response {
  const body = promptVersionBody(found);
  const tag = `W/"${body.id}"`;
  const headers = { etag: tag, "cache-control": caching };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((one) => one.trim() === tag || one.trim() === "*"))
    return new Response(null, { status: 304, headers });
  return new Response(JSON.stringify(withFloats({ data: body })), {
    headers: { ...headers, "content-type": "application/json" },
  });
}

function listRoutes({ prompts, versions }: PromptServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/v1/prompts",
      operationId: "getPrompts",
      summary: "List prompts",
      description: "Newest first.",
      action: "prompts.read",
      status: 200,
      query: PromptQuery,
      response: PromptPageAnswer,
      errors: { invalid: "The cursor is not one of this list." },
      example: { parameters: { limit: 10 }, response: { data: [prompt], next_cursor: null } },
      handler: ({ context, query }) =>
        newestFirst(PROMPT, query, (request) => prompts.listPrompts(context, {}, request), listedPromptBody),
    }),
    route({
      method: "GET",
      path: "/v1/prompts/{prompt_identifier}/versions",
      operationId: "listPromptVersions",
      summary: "List the versions of a prompt",
      description: "Newest first. A prompt that is not there has none.",
      action: "prompts.read",
      status: 200,
      query: PromptQuery,
      response: PromptVersionPage,
      errors: badCursor,
      example: { parameters: { ...named, limit: 10 }, response: { data: [version], next_cursor: null } },
      handler: ({ context, params, query }) =>
        newestFirst(
          PROMPT_VERSION,
          query,
          (request) => versions.listOfPrompt(context, params.prompt_identifier, request),
          promptVersionBody,
        ),
    }),
  ];
}

function changeRoutes({ prompts }: PromptServices): Route[] {
  return [
    route({
      method: "PATCH",
      path: "/v1/prompts/{prompt_identifier}",
      operationId: "patchPrompt",
      summary: "Change the description or the metadata of a prompt",
      description: "What is left out stays; a description of null is cleared. The name cannot be changed.",
      action: "prompts.change",
      status: 200,
      storageLocked: true,
      body: PromptChangesBody,
      response: PromptAnswer,
      errors: unknownPrompt,
      example: { parameters: named, body: { description: prompt.description }, response: { data: changed } },
      handler: async ({ context, params, body: { description, metadata } }) => ({
        data: promptBody(
          await prompts.patchPrompt(context, params.prompt_identifier, {
            ...(description === undefined ? {} : { description: changedDescription(description) }),
            ...(metadata === undefined ? {} : { metadata: keptMetadata(metadata) }),
          }),
        ),
      }),
    }),
    route({
      method: "DELETE",
      path: "/v1/prompts/{prompt_identifier}",
      operationId: "deletePrompt",
      summary: "Delete a prompt with its versions and tags",
      description: "Its labels stay for other prompts.",
      action: "prompts.delete",
      status: 204,
      storageLocked: true,
      errors: { ...unknownPrompt, forbidden: "One of its tags is protected." },
      example: { parameters: { prompt_identifier: prompt.name } },
      handler: async ({ context, params }) => {
        await prompts.deletePrompt(context, params.prompt_identifier);
      },
    }),
  ];
}

function writingRoutes({ prompts }: PromptServices): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/prompts",
      operationId: "postPromptVersion",
      links: {
        getPromptVersionByPromptVersionId: { prompt_version_id: "$response.body#/data/id" },
        getPromptVersionTags: { prompt_version_id: "$response.body#/data/id" },
        createPromptVersionTag: { prompt_version_id: "$response.body#/data/id" },
        deletePromptVersionTag: { prompt_version_id: "$response.body#/data/id" },
      },
      summary: "Create a version, and the prompt if its name is new",
      description:
        "Each call makes a version. A prompt that exists keeps its description and metadata, unless only a new one is wanted.",
      action: "prompts.change",
      status: 200,
      storageLocked: true,
      body: NewVersionOfName,
      response: VersionAnswer,
      errors: {
        invalid: "The template is no chat.",
        forbidden: "A tag is protected.",
        conflict: "A prompt has this name, and only a new one is wanted.",
      },
      example: { body: { prompt: { name: prompt.name }, version: sent }, response: { data: version } },
      handler: async ({ context, body }) => {
        const { name, description = null, metadata } = body.prompt;
        const made = { name, description, metadata: keptMetadata(metadata) };
        const how = { tags: (body.tags ?? []).map(givenTag), onlyNew: body.only_new === true };
        return {
          data: promptVersionBody(await prompts.createVersionOfName(context, made, contentOf(body.version), how)),
        };
      },
    }),
    route({
      method: "POST",
      path: "/v1/prompts/{prompt_identifier}/versions",
      operationId: "createPromptVersion",
      links: {
        getPromptVersionByPromptVersionId: { prompt_version_id: "$response.body#/data/id" },
      },
      summary: "Create a version of a prompt, with its tags",
      description:
        "All or nothing. A tag that is on another version moves, and keeps its description unless one is given.",
      action: "prompts.change",
      status: 201,
      storageLocked: true,
      body: NewVersion,
      response: VersionAnswer,
      errors: { ...unknownPrompt, forbidden: "A tag is protected." },
      example: {
        parameters: named,
        body: { version: sent, tags: [{ name: "staging" }] },
        response: { data: version },
      },
      handler: async ({ context, params, body }) => {
        const content = contentOf(body.version);
        requireParametersOf(body.version);
        const made = await prompts.addVersion(
          context,
          params.prompt_identifier,
          content,
          (body.tags ?? []).map(givenTag),
        );
        return { data: promptVersionBody(made) };
      },
    }),
  ];
}

/** Without a description a tag that moves keeps its own. */
function givenTag({ name, description }: { readonly name: string; readonly description?: string | null }) {
  return description == null ? { name } : { name, description };
}

function readingRoutes({ versions }: PromptServices): Route[] {
  const common = { method: "GET", action: "prompts.read", status: 200, response: VersionAnswer } as const;
  const description =
    "With an `ETag`: a caller that sends it as `If-None-Match` gets 304 as long as the version is the same.";
  return [
    route({
      ...common,
      path: "/v1/prompt_versions/{prompt_version_id}",
      operationId: "getPromptVersionByPromptVersionId",
      summary: "Get a version by its id",
      description: "It never changes, and may be kept for ever.",
      errors: unknownVersion,
      example: { parameters: versioned, response: { data: version } },
      handler: async (call) =>
        answerVersion(call, await versions.getVersion(call.context, call.params.prompt_version_id), FOR_EVER),
    }),
    route({
      ...common,
      path: "/v1/prompts/{prompt_identifier}/latest",
      operationId: "getPromptVersionLatest",
      summary: "Get the latest version of a prompt",
      description,
      errors: unknownPrompt,
      example: { parameters: named, response: { data: version } },
      handler: async (call) =>
        answerVersion(call, await versions.getLatestVersion(call.context, call.params.prompt_identifier), ASK_AGAIN),
    }),
    route({
      ...common,
      path: "/v1/prompts/{prompt_identifier}/tags/{tag_name}",
      operationId: "getPromptVersionByTagName",
      summary: "Get the version that a tag points at",
      description,
      errors: { ...unknownPrompt, not_found: "No prompt has this identifier, or no version of it this tag." },
      example: { parameters: { ...named, tag_name: "production" }, response: { data: version } },
      handler: async (call) => {
        const { prompt_identifier, tag_name } = call.params;
        return answerVersion(
          call,
          await versions.getTaggedVersion(call.context, prompt_identifier, tag_name),
          ASK_AGAIN,
        );
      },
    }),
  ];
}

function tagRoutes({ tags }: PromptServices): Route[] {
  const tag = { name: "canary", description: "What one customer in ten gets" };
  return [
    route({
      method: "GET",
      path: "/v1/prompt_versions/{prompt_version_id}/tags",
      operationId: "getPromptVersionTags",
      summary: "List the tags of a version",
      description: "Those that point at it, newest first.",
      action: "prompts.read",
      status: 200,
      query: PromptQuery,
      response: TagPageAnswer,
      errors: { ...unknownVersion, invalid: "This is no id of a version, or the cursor is not one of this list." },
      example: {
        parameters: versioned,
        response: { data: [{ id: "UHJvbXB0VmVyc2lvblRhZzox", ...tag }], next_cursor: null },
      },
      handler: ({ context, params, query }) =>
        newestFirst(
          PROMPT_VERSION_TAG,
          query,
          (request) => tags.listTags(context, params.prompt_version_id, request),
          tagBody,
        ),
    }),
    route({
      method: "POST",
      path: "/v1/prompt_versions/{prompt_version_id}/tags",
      operationId: "createPromptVersionTag",
      summary: "Set a tag on a version",
      description: "A tag of the prompt that points at another version moves.",
      action: "prompts.change",
      status: 204,
      storageLocked: true,
      body: NewTagBody,
      errors: { ...unknownVersion, forbidden: "The tag is protected." },
      example: { parameters: versioned, body: tag },
      handler: async ({ context, params, body: { name, description = null } }) => {
        await tags.setTag(context, params.prompt_version_id, { name, description });
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/prompt_versions/{prompt_version_id}/tags/{tag_name}",
      operationId: "deletePromptVersionTag",
      summary: "Remove a tag from a version",
      description: "Only where it points at this version.",
      action: "prompts.delete",
      status: 204,
      errors: {
        ...unknownVersion,
        not_found: "No version has this id, or it has no such tag.",
        forbidden: "The tag is protected.",
      },
      example: { parameters: { ...versioned, tag_name: tag.name } },
      handler: async ({ context, params }) => {
        await tags.removeTag(context, params.prompt_version_id, params.tag_name);
      },
    }),
  ];
}
