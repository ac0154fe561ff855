// A prompt begun from a call of a model: its messages, tools, model and parameters, as they were recorded.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { type ModelProvider, modelProviders } from "../../../../model/prompt.ts";
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
import { at, plainText, unfolded } from "../../trace/payload/values.ts";
import { emptyDraft, messageDraft, type PromptDraft, parameterDraft, written } from "./prompt-draft.ts";

/** `whole` gives a text that came in part as it is. Pictures and sounds are left out: a prompt holds none. */
export async function draftOfSpan(
  payload: Payload,
  whole: (excerpt: Excerpt) => Promise<string>,
): Promise<PromptDraft> {
  const { model, provider: named } = factsOf(payload, 0);
  const provider = providerOf(named);
  const said = sideCard(payload, "input")?.messages ?? [];
  const messages = await Promise.all(said.map((message) => promptMessage(message, whole)));
  const tools = toolsOf(payload).map(({ source }) => promptTool(source));
  return {
    ...emptyDraft(),
    // What was sent is no template: braces in it are braces.
    format: "NONE",
    provider,
    model: model ?? "",
    messages: messages.map(messageDraft),
    ...parameterDraft(provider, parametersIn(payload.attributes)),
    tools: tools.length === 0 ? "" : written({ type: "tools", tools }),
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

/** A function in the words of prompts where it has a name and a schema, otherwise as it was recorded. */
function promptTool(source: Json): Json {
  const declared = at(source, "function") ?? source;
  const name = at(declared, "name");
  const parameters = at(declared, "parameters") ?? at(declared, "input_schema");
  if (typeof name !== "string" || !isJsonObject(parameters)) {
    return { type: "raw", raw: isJsonObject(source) ? source : { tool: source } };
  }
  const description = at(declared, "description");
  const said = typeof description === "string" ? { description } : {};
  return { type: "function", function: { name, ...said, parameters } };
}

/** What a request says beside its parameters, which the prompt keeps elsewhere or not at all. */
const beside = new Set([
  "model",
  "messages",
  "tools",
  "stream",
  "stream_options",
  "n",
  "user",
  "system",
  "tool_choice",
]);

function parametersIn(attributes: JsonObject): JsonObject {
  const recorded = unfolded(at(attributes, "llm", "invocation_parameters") ?? null);
  if (!isJsonObject(recorded)) return emptyObject();
  return Object.fromEntries(Object.entries(recorded).filter(([name, value]) => !beside.has(name) && value !== null));
}
