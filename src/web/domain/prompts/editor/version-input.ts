// A version in the words of GraphQL, which can name a custom provider, from those of REST.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { VariablesOf } from "../../../lib/graphql.ts";
import type { createPromptFor } from "../prompts.queries.ts";

type VersionInput = VariablesOf<typeof createPromptFor>["input"]["promptVersion"];

/** `content` as `contentOf` gives it: what it says was checked before. */
export function versionInput(content: JsonObject, customProviderId: string): VersionInput {
  const { description, model_provider, model_name, template_format, template, invocation_parameters } = content;
  const messages = membersOf(template).messages as readonly JsonObject[];
  const parameters = membersOf(invocation_parameters);
  const family = String(parameters.type);
  const input = {
    description,
    customProviderId,
    modelProvider: model_provider,
    modelName: model_name,
    templateFormat: template_format,
    template: {
      messages: messages.map(({ role, content: written }) => ({ role: roles[String(role)], content: parts(written) })),
    },
    invocationParameters: { [family]: parameterInput(membersOf(parameters[family])) },
    ...(isJsonObject(content.tools) ? { tools: toolsInput(content.tools) } : {}),
    ...(isJsonObject(content.response_format) ? { responseFormat: camelKeys(content.response_format) } : {}),
    ...(content.metadata === undefined ? {} : { metadata: content.metadata }),
  };
  return input as VersionInput;
}

const roles: Readonly<Record<string, string>> = {
  system: "SYSTEM",
  developer: "SYSTEM",
  user: "USER",
  assistant: "AI",
  ai: "AI",
  model: "AI",
  tool: "TOOL",
};

function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function parts(content: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(content)) return [{ text: { text: content ?? "" } }];
  return content.filter(isJsonObject).map((part): JsonObject => {
    const { type, tool_call_id: toolCallId = "" } = part;
    if (type === "tool_call") return { toolCall: { toolCallId, toolCall: part.tool_call ?? null } };
    if (type === "tool_result") return { toolResult: { toolCallId, result: part.tool_result ?? null } };
    return { text: { text: part.text ?? "" } };
  });
}

/** Words that GraphQL writes as values of an enumeration. */
const words = new Set(["reasoning_effort", "effort", "display", "thinking_level"]);

function parameterInput(parameters: JsonObject): JsonObject {
  const { thinking, extra_body, ...rest } = parameters;
  return {
    ...upperWords(rest),
    ...(extra_body === undefined ? {} : { extraBody: extra_body }),
    ...(isJsonObject(thinking) ? { thinking: thinkingInput(thinking) } : {}),
  };
}

function thinkingInput({ type, ...rest }: JsonObject): JsonObject {
  return type === "disabled" ? { disabled: { disabled: true } } : { [String(type)]: upperWords(rest) };
}

function upperWords(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      camel(name),
      isJsonObject(value) ? upperWords(value) : words.has(name) ? String(value).toUpperCase() : value,
    ]),
  );
}

function toolsInput({ tools, tool_choice, disable_parallel_tool_calls }: JsonObject): JsonObject {
  const listed = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  return {
    tools: listed.map(
      (tool): JsonObject => (tool.type === "raw" ? { raw: tool.raw ?? null } : { function: tool.function ?? null }),
    ),
    ...(isJsonObject(tool_choice) ? { toolChoice: choiceInput(tool_choice) } : {}),
    ...(disable_parallel_tool_calls === undefined ? {} : { disableParallelToolCalls: disable_parallel_tool_calls }),
  };
}

function choiceInput({ type, function_name }: JsonObject): JsonObject {
  return function_name === undefined ? { [camel(String(type))]: true } : { functionName: function_name };
}

/** Of the members themselves; a schema inside keeps its own. */
function camelKeys(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [camel(name), each]));
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
