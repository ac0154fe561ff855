// A prompt begun from a call of a model: its messages, tools, model and parameters, as they were recorded.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import { type ModelProvider, modelProviders, parameterFamily } from "../../../../model/prompt.ts";
import type {
  MessagePart,
  MessageRole,
  PromptMessage,
} from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { sideCard } from "../../trace/payload/cards.ts";
import { factsOf } from "../../trace/payload/facts.ts";
import type { Message } from "../../trace/payload/messages.ts";
import type { Excerpt, Payload } from "../../trace/payload/payload.ts";
import { toolsOf } from "../../trace/payload/tools.ts";
import { at, plainText } from "../../trace/payload/values.ts";
import {
  emptyDraft,
  type MessageDraft,
  messageDraft,
  type PartDraft,
  type PromptDraft,
  parameterDraft,
  written,
} from "./prompt-draft.ts";
import { requestIn } from "./span-request.ts";

/** `whole` gives a text that came in part as it is. Sounds are left out, and pictures unless they are asked for: a prompt holds none. */
export async function draftOfSpan(
  payload: Payload,
  whole: (excerpt: Excerpt) => Promise<string>,
  withImages = false,
): Promise<PromptDraft> {
  const { model, provider: named } = factsOf(payload, 0);
  const provider = providerOf(named);
  const recorded = sideCard(payload, "input")?.messages ?? [];
  const messages = await Promise.all(
    recorded.map(async (message) => {
      const draft = messageDraft(await promptMessage(message, whole));
      return withImages ? withPictures(draft, await picturesOf(message, whole)) : draft;
    }),
  );
  const tools = toolsOf(payload).map(({ source }) => promptTool(source));
  const { parameters, responseFormat, toolSettings } = requestIn(payload.attributes, parameterFamily(provider));
  return {
    ...emptyDraft(),
    // What was sent is no template: braces in it are braces.
    format: "NONE",
    provider,
    model: model ?? "",
    messages,
    ...parameterDraft(provider, parameters),
    tools: tools.length === 0 ? "" : written({ type: "tools", tools, ...toolSettings }),
    responseFormat: responseFormat === null ? "" : written(responseFormat),
  };
}

function providerOf(named: string | null): ModelProvider {
  const word = (named ?? "").toUpperCase().replaceAll(/[^A-Z]+/g, "_");
  return modelProviders.find((each) => each === word) ?? "OPENAI";
}

const roles: Readonly<Record<string, MessageRole>> = {
  system: "system",
  developer: "developer",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "ai",
  model: "model",
  tool: "tool",
  function: "tool",
};

async function promptMessage(
  { role, parts, calls, answers }: Message,
  whole: (excerpt: Excerpt) => Promise<string>,
): Promise<PromptMessage> {
  const shown = parts.flatMap((part) => (part.type === "text" ? [part.excerpt] : []));
  const texts = await Promise.all(shown.map(whole));
  const as = roles[role.toLowerCase()] ?? "user";
  if (answers !== null) {
    return { role: as, content: [{ type: "tool_result", tool_call_id: answers, tool_result: texts.join("\n") }] };
  }
  if (calls.length === 0 && texts.length <= 1) return { role: as, content: texts[0] ?? "" };
  const content: MessagePart[] = [
    ...texts.map((text) => ({ type: "text" as const, text })),
    ...calls.map(({ id, name, given }) => ({
      type: "tool_call" as const,
      tool_call_id: id ?? "",
      tool_call: { type: "function" as const, name, arguments: plainText(given) },
    })),
  ];
  return { role: as, content };
}

async function picturesOf(
  { parts }: Message,
  whole: (excerpt: Excerpt) => Promise<string>,
): Promise<readonly string[]> {
  return Promise.all(parts.flatMap((part) => (part.type === "image" ? [whole(part.source)] : [])));
}

function withPictures(draft: MessageDraft, pictures: readonly string[]): MessageDraft {
  if (pictures.length === 0) return draft;
  const images = pictures.map((source): PartDraft => ({ kind: "image", source }));
  return { ...draft, parts: [...draft.parts, ...images], isList: true };
}

/** A function in the words of prompts where it has a name and a schema, otherwise as it was recorded. */
function promptTool(source: Json): Json {
  const declared = at(source, "function") ?? source;
  const name = at(declared, "name");
  const parameters = at(declared, "parameters") ?? at(declared, "input_schema");
  if (typeof name !== "string" || !isJsonObject(parameters)) {
    return { type: "raw", raw: isJsonObject(source) ? source : { tool: source } };
  }
  const description = at(declared, "description");
  const described = typeof description === "string" ? { description } : {};
  return { type: "function", function: { name, ...described, parameters } };
}
