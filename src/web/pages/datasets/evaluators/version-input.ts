// A draft of a prompt in the words of GraphQL: its roles, parameters and tools have other names there than in REST.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { parameterFamily } from "../../../../model/prompt.ts";
import type { MessagePart, MessageRole } from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { contentOf, messageOf, type PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { parametersOf } from "../../../domain/prompts/version-parts.ts";
import type { VariablesOf } from "../../../lib/graphql.ts";
import type { createLlm } from "./evaluators.queries.ts";

export type VersionInput = VariablesOf<typeof createLlm>["input"]["promptVersion"];
type MessageInput = VersionInput["template"]["messages"][number];

const roles: Readonly<Record<MessageRole, MessageInput["role"]>> = {
  system: "SYSTEM",
  developer: "SYSTEM",
  user: "USER",
  assistant: "AI",
  model: "AI",
  ai: "AI",
  tool: "TOOL",
};

/** Only of a draft without problems. */
export function versionInput(
  draft: PromptDraft,
  tools: NonNullable<VersionInput["tools"]>,
  customProviderId: string | null,
): VersionInput {
  const family = parameterFamily(draft.provider);
  const parameters = parametersOf({
    invocation_parameters: contentOf(draft).invocation_parameters as JsonObject,
  });
  return {
    description: draft.note.trim() || null,
    templateFormat: draft.format,
    template: {
      messages: draft.messages.map(messageOf).map(({ role, content }) => ({
        role: roles[role],
        content: typeof content === "string" ? [{ text: { text: content } }] : content.map(partInput),
      })),
    },
    invocationParameters: { [family]: parametersInput(parameters) },
    tools,
    modelProvider: draft.provider,
    modelName: draft.model.trim(),
    metadata: draft.metadata ?? null,
    customProviderId,
  };
}

function partInput(part: MessagePart): MessageInput["content"][number] {
  switch (part.type) {
    case "text":
      return { text: { text: part.text } };
    case "tool_call": {
      const { name, arguments: given } = part.tool_call;
      return { toolCall: { toolCallId: part.tool_call_id, toolCall: { type: "function", name, arguments: given } } };
    }
    case "tool_result":
      return { toolResult: { toolCallId: part.tool_call_id, result: part.tool_result } };
  }
}

/** Members whose texts are words of an enumeration in GraphQL. */
const enumerated = new Set(["reasoning_effort", "effort", "display", "thinking_level"]);

function parametersInput(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [camelCase(name), parameterInput(name, value)]),
  );
}

function parameterInput(name: string, value: Json): Json {
  if (name === "extra_body") return value;
  if (name === "thinking" && isJsonObject(value)) {
    const { type, ...rest } = value;
    return { [String(type)]: type === "disabled" ? { disabled: true } : parametersInput(rest) };
  }
  if (enumerated.has(name) && typeof value === "string") return value.toUpperCase();
  return isJsonObject(value) ? parametersInput(value) : value;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
