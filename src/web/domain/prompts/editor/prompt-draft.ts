// A version of a prompt while it is written: texts as they stand in the fields, and how they become what is sent.
import {
  isJsonObject,
  type Json,
  type JsonObject,
  numberFromSource,
  parseJson,
  stringifyJson,
} from "../../../../kernel/json.ts";
import { type ModelProvider, parameterFamily, type TemplateFormat } from "../../../../model/prompt.ts";
import type {
  MessagePart,
  MessageRole,
  PromptMessage,
} from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { messagesOf, type PromptVersionContent, parametersOf, partsOf } from "../version-parts.ts";
import { parameterFields } from "./parameter-fields.ts";

/** A text, the result of a tool as text, an image by its address, or any other part as JSON. */
export interface PartDraft {
  readonly kind: "text" | "result" | "image" | "json";
  readonly source: string;
  /** Of the call that a result answers. */
  readonly callId?: string;
}

export interface MessageDraft {
  /** Its own while the editor is open, wherever it is moved. */
  readonly key: number;
  readonly role: MessageRole;
  readonly parts: readonly PartDraft[];
  /** Its content is a list of parts, not a text. */
  readonly isList: boolean;
}

export interface PromptDraft {
  /** Of the prompt; of a new one only, like `about`. */
  readonly name: string;
  readonly about: string;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly format: TemplateFormat;
  readonly messages: readonly MessageDraft[];
  /** By the name of the parameter; empty means that it is left out. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A JSON object, or empty. */
  readonly otherParameters: string;
  /** JSON, or empty for none. */
  readonly tools: string;
  readonly responseFormat: string;
  /** What the version says about itself. */
  readonly note: string;
  /** Names, separated by spaces or commas. */
  readonly tags: string;
  /** Not shown: handed on to the next version. */
  readonly metadata: JsonObject | undefined;
}

/** In the order of the menu. */
export const messageRoles: readonly MessageRole[] = ["system", "developer", "user", "assistant", "tool", "model", "ai"];

let lastKey = 0;

export function newMessage(role: MessageRole, source = ""): MessageDraft {
  lastKey += 1;
  return { key: lastKey, role, parts: [{ kind: "text", source }], isList: false };
}

/** Keys that are given from now on follow those of messages that were kept. */
export function noteMessageKeys(messages: readonly MessageDraft[]): void {
  lastKey = Math.max(lastKey, ...messages.map(({ key }) => key));
}

export function emptyDraft(): PromptDraft {
  return {
    name: "",
    about: "",
    provider: "OPENAI",
    model: "",
    format: "MUSTACHE",
    messages: [newMessage("system"), newMessage("user")],
    parameters: {},
    otherParameters: "",
    tools: "",
    responseFormat: "",
    note: "",
    tags: "",
    metadata: undefined,
  };
}

/** What the next version begins with. Its note and its tags are its own. */
export function draftOf(content: PromptVersionContent): PromptDraft {
  const provider = content.model_provider as ModelProvider;
  return {
    ...emptyDraft(),
    provider,
    model: content.model_name,
    format: content.template_format,
    messages: messagesOf(content).map(messageDraft),
    ...parameterDraft(provider, parametersOf(content)),
    tools: content.tools === undefined ? "" : written(content.tools as Json),
    responseFormat: content.response_format === undefined ? "" : written(content.response_format),
    metadata: content.metadata,
  };
}

export function messageDraft(message: PromptMessage): MessageDraft {
  const parts = partsOf(message).map(partDraft);
  return { ...newMessage(message.role), parts, isList: typeof message.content !== "string" };
}

function partDraft(part: MessagePart): PartDraft {
  if (part.type === "text") return { kind: "text", source: part.text };
  if (part.type === "tool_result" && typeof part.tool_result === "string") {
    return { kind: "result", source: part.tool_result, callId: part.tool_call_id };
  }
  return { kind: "json", source: written(part as Json) };
}

export function parameterDraft(
  provider: ModelProvider,
  values: JsonObject,
): Pick<PromptDraft, "parameters" | "otherParameters"> {
  const fields = new Set<string>(parameterFields[parameterFamily(provider)].map(({ name }) => name));
  const entries = Object.entries(values);
  const own = entries.filter(([name]) => fields.has(name));
  const others = entries.filter(([name]) => !fields.has(name));
  return {
    parameters: Object.fromEntries(
      own.map(([name, value]) => [name, typeof value === "string" ? value : stringifyJson(value)]),
    ),
    otherParameters: others.length === 0 ? "" : written(Object.fromEntries(others)),
  };
}

/** JSON as people read it, every digit kept. */
export function written(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** What would be stored, as REST spells it. Only of a draft without problems. */
export function contentOf(draft: PromptDraft): JsonObject {
  const family = parameterFamily(draft.provider);
  const fields = parameterFields[family].flatMap(({ name, kind }) => {
    const source = (draft.parameters[name] ?? "").trim();
    return source === "" ? [] : [[name, kind === "word" ? source : numberFromSource(source)] as const];
  });
  return {
    description: draft.note.trim(),
    model_provider: draft.provider,
    model_name: draft.model.trim(),
    template_type: "CHAT",
    template_format: draft.format,
    template: { type: "chat", messages: draft.messages.map((message) => messageOf(message) as Json) },
    invocation_parameters: {
      type: family,
      [family]: { ...Object.fromEntries(fields), ...objectOf(draft.otherParameters) },
    },
    ...(draft.tools.trim() === "" ? {} : { tools: parseJson(draft.tools) }),
    ...(draft.responseFormat.trim() === "" ? {} : { response_format: parseJson(draft.responseFormat) }),
    ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
  };
}

export function messageOf({ role, parts, isList }: MessageDraft): PromptMessage {
  const [first] = parts;
  if (!isList && parts.length === 1 && first?.kind === "text") return { role, content: first.source };
  return { role, content: parts.map(partOf) };
}

/** Images are sent to models as other parts are; versions of prompts hold none. */
function partOf({ kind, source, callId = "" }: PartDraft): MessagePart {
  switch (kind) {
    case "text":
      return { type: "text", text: source };
    case "result":
      return { type: "tool_result", tool_call_id: callId, tool_result: source };
    case "image":
      return { type: "image", url: source.trim() } as never;
    case "json":
      return parseJson(source) as never;
  }
}

function objectOf(source: string): JsonObject {
  const value = source.trim() === "" ? null : parseJson(source);
  return isJsonObject(value ?? undefined) ? (value as JsonObject) : {};
}

export function tagNames(draft: Pick<PromptDraft, "tags">): readonly string[] {
  return [...new Set(draft.tags.split(/[\s,]+/).filter((name) => name !== ""))];
}

/** Something was typed that differs from the beginning. */
export function isChanged(start: PromptDraft, now: PromptDraft): boolean {
  return start !== now && JSON.stringify(start) !== JSON.stringify(now);
}
