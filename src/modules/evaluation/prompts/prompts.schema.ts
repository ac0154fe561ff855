// Prompts, their versions, tags and labels, and how they are written over REST.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { AnyObject, Nullable, Ruled, Words } from "../../../kernel/schema.ts";
import {
  type ModelProvider,
  modelProviders,
  type TemplateFormat,
  type TemplateType,
  templateFormats,
  templateTypes,
} from "../../../model/prompt.ts";
import type { Label } from "../labels/labels.schema.ts";
import {
  InvocationParameters,
  ResponseFormat,
  SentInvocationParameters,
  Template,
  Tools,
} from "./prompt-content.schema.ts";

export const PROMPT: TypeWord<Prompt> = "Prompt";
export const PROMPT_VERSION: TypeWord<PromptVersion> = "PromptVersion";
export const PROMPT_VERSION_TAG: TypeWord<PromptVersionTag> = "PromptVersionTag";
export const PROMPT_LABEL: TypeWord<Label> = "PromptLabel";

export interface Prompt {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** The prompt that it is a copy of. */
  readonly sourcePromptId: number | null;
  /** JSON object as text. */
  readonly metadata: string;
  readonly createdUs: number;
  readonly updatedUs: number;
}

export interface NewPrompt {
  readonly name: string;
  readonly description: string | null;
  readonly metadata: string;
}

/** What is absent stays. */
export interface PromptChanges {
  readonly description?: string | null;
  readonly metadata?: string;
}

/** What a model is called with. The last four are JSON as text, in the shapes of prompt-content.schema.ts. */
export interface FrozenPrompt {
  readonly modelProvider: ModelProvider;
  readonly modelName: string;
  readonly templateType: TemplateType;
  readonly templateFormat: TemplateFormat;
  readonly template: string;
  readonly invocationParameters: string;
  readonly tools: string | null;
  readonly responseFormat: string | null;
}

/** What never changes of a version; the metadata is JSON as text. */
export interface VersionContent extends FrozenPrompt {
  readonly description: string | null;
  readonly metadata: string;
  /** Row id; null for the built-in provider. */
  readonly customProviderId: number | null;
}

export interface PromptVersion extends VersionContent {
  readonly id: number;
  readonly promptId: number;
  /** Who made it; null without authentication and when that account is gone. */
  readonly userId: number | null;
  /** From 1 without a gap. */
  readonly number: number;
  readonly createdUs: number;
}

/** `description` absent: a tag that moves keeps its own. */
export interface NewTag {
  readonly name: string;
  readonly description?: string | null;
}

export interface PromptVersionTag {
  readonly id: number;
  readonly promptId: number;
  readonly versionId: number;
  readonly userId: number | null;
  readonly name: string;
  readonly description: string | null;
}

/** The spans of a project that name a version. */
export interface VersionFigures {
  readonly projectId: number;
  readonly spanCount: number;
  readonly errorCount: number;
  /** Microseconds, as below. */
  readonly latencyP50: number;
  readonly latencyP95: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface VersionScore {
  readonly projectId: number;
  readonly name: string;
  /** Of the spans' own means, so that what was judged often does not weigh more. */
  readonly mean: number;
  /** Spans that have a score. */
  readonly count: number;
}

/** Names of prompts and tags: they stand in addresses and in code. */
const NAME_PATTERN = "^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$";
const NAME = new RegExp(NAME_PATTERN);
/** UTF-16 units of a name: it is the key of an index. */
const MAX_NAME_CHARACTERS = 1024;

export function isPromptName(text: string): boolean {
  return text.length <= MAX_NAME_CHARACTERS && NAME.test(text);
}

const Name = Type.String({ pattern: NAME_PATTERN, maxLength: MAX_NAME_CHARACTERS });
const Text = Type.Optional(Nullable(Type.String()));

export const PromptQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 100 }) });

export const VersionBody = Ruled(
  Type.Object({
    description: Text,
    model_provider: Words(modelProviders, { violation: "enum" }),
    model_name: Type.String(),
    template: Template,
    template_type: Words(templateTypes, { violation: "enum" }),
    template_format: Words(templateFormats, { violation: "enum" }),
    invocation_parameters: SentInvocationParameters,
    tools: Type.Optional(Nullable(Tools)),
    response_format: Type.Optional(Nullable(ResponseFormat)),
    metadata: Type.Optional(AnyObject()),
  }),
  ({ template, template_type }) =>
    (template.type === "chat") === (template_type === "CHAT") ? null : "template_type does not match template.type",
);
export type VersionBody = Static<typeof VersionBody>;

const Tag = Type.Object({ name: Name, description: Text });
const Tags = Type.Optional(Nullable(Type.Array(Tag)));

export const NewVersionOfName = Type.Object({
  prompt: Type.Object({
    name: Name,
    description: Text,
    metadata: Type.Optional(Nullable(AnyObject())),
    source_prompt_id: Text,
  }),
  version: VersionBody,
  tags: Tags,
  only_new: Type.Optional(Type.Boolean({ default: false, description: "A name that is taken is refused (409)." })),
});

export const NewVersion = Type.Object({ version: VersionBody, tags: Tags });
export const NewTagBody = Tag;

export const PromptChangesBody = Ruled(
  Type.Object({
    description: Text,
    metadata: Type.Optional(AnyObject()),
  }),
  ({ description, metadata }) =>
    description === undefined && metadata === undefined ? "description or metadata must be given" : null,
);

/** Documented as the shape, answered as the very JSON that was stored. */
const kept = (shape: TSchema) => Type.Unsafe<JsonObject>(shape);

const VersionAnswerBody = Type.Object({
  id: Type.String(),
  description: Type.String(),
  model_provider: Words(modelProviders),
  model_name: Type.String(),
  template: kept(Template),
  template_type: Words(templateTypes),
  template_format: Words(templateFormats),
  invocation_parameters: kept(InvocationParameters),
  tools: Type.Optional(kept(Tools)),
  response_format: Type.Optional(kept(ResponseFormat)),
  metadata: Type.Optional(AnyObject({ description: "Left out when empty." })),
});
type VersionAnswerBody = Static<typeof VersionAnswerBody>;
export const VersionAnswer = Type.Object({ data: VersionAnswerBody });
export const PromptVersionPage = pageOf(VersionAnswerBody);

const PromptListed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  source_prompt_id: Nullable(Type.String()),
  metadata: AnyObject(),
});
export const PromptPageAnswer = pageOf(PromptListed);

const PromptAnswerBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  source_prompt_id: Type.Optional(Type.String()),
  metadata: AnyObject(),
});
export const PromptAnswer = Type.Object({ data: PromptAnswerBody });

const TagAnswerBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
});
export const TagPageAnswer = pageOf(TagAnswerBody);

const json = (text: string) => parseJson(text) as JsonObject;

export function promptVersionBody(version: PromptVersion): VersionAnswerBody {
  return {
    id: globalId(PROMPT_VERSION, version.id),
    description: version.description ?? "",
    model_provider: version.modelProvider,
    model_name: version.modelName,
    template: json(version.template),
    template_type: version.templateType,
    template_format: version.templateFormat,
    invocation_parameters: json(version.invocationParameters),
    ...(version.tools === null ? {} : { tools: json(version.tools) }),
    ...(version.responseFormat === null ? {} : { response_format: json(version.responseFormat) }),
    ...(version.metadata === EMPTY_METADATA ? {} : { metadata: json(version.metadata) }),
  };
}

/** As an empty object is stored. */
export const EMPTY_METADATA = "{}";

const sourceId = ({ sourcePromptId }: Prompt) => (sourcePromptId === null ? null : globalId(PROMPT, sourcePromptId));

export function listedPromptBody(prompt: Prompt): Static<typeof PromptListed> {
  const { id, name, description, metadata } = prompt;
  return {
    id: globalId(PROMPT, id),
    name,
    description,
    source_prompt_id: sourceId(prompt),
    metadata: json(metadata),
  };
}

export function promptBody(prompt: Prompt): Static<typeof PromptAnswerBody> {
  const source = sourceId(prompt);
  return {
    id: globalId(PROMPT, prompt.id),
    name: prompt.name,
    ...(prompt.description === null ? {} : { description: prompt.description }),
    ...(source === null ? {} : { source_prompt_id: source }),
    metadata: json(prompt.metadata),
  };
}

export function tagBody({ id, name, description }: PromptVersionTag): Static<typeof TagAnswerBody> {
  return { id: globalId(PROMPT_VERSION_TAG, id), name, ...(description === null ? {} : { description }) };
}

/** A tag was set on this version, or removed (null). */
export interface TagMove {
  readonly name: string;
  readonly versionId: number | null;
  readonly userId: number | null;
  readonly movedUs: number;
}
