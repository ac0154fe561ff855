// Messages of an example that follow those of the prompt, in the form of OpenAI's chat completions.
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import type { CallMessage, CallPart, CallRole } from "../../../../providers/model-call.ts";
import { refusedPath, type TaskExample, typeNameOf, valueAtPath } from "./example-values.rules.ts";

/** What no other name means is the user. */
const roles: Readonly<Record<string, CallRole>> = {
  assistant: "assistant",
  model: "assistant",
  ai: "assistant",
  system: "system",
  developer: "system",
  tool: "tool",
};

/** Not filled in: what stands in braces stays. Throws kind `invalid` for what is no list of messages. */
export function appendedMessages({ input }: TaskExample, path: string): CallMessage[] {
  const value = valueAtPath(input, path);
  if (!Array.isArray(value)) throw refusedPath(`Value at path '${path}' is not a list (got ${typeNameOf(value)})`);
  return value.map((message, index) => {
    if (isJsonObject(message)) return messageOf(message);
    throw refusedPath(`Message at index ${index} is not a dict (got ${typeNameOf(message)})`);
  });
}

function messageOf(message: JsonObject): CallMessage {
  const role = roles[typeof message.role === "string" ? message.role.toLowerCase() : ""] ?? "user";
  const text = textOf(message.content ?? null);
  if (role === "tool") {
    const tool_call_id = typeof message.tool_call_id === "string" ? message.tool_call_id : "";
    return { role, content: [{ type: "tool_result", tool_call_id, tool_result: text }] };
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject).map(callOf) : [];
  if (calls.length === 0) return { role, content: text };
  return { role, content: [...(text === "" ? [] : [{ type: "text", text } as const]), ...calls] };
}

function textOf(content: Json): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return stringifyJson(content);
  return content
    .flatMap((part) => {
      if (typeof part === "string") return [part];
      return isJsonObject(part) && part.type === "text" && typeof part.text === "string" ? [part.text] : [];
    })
    .join("\n");
}

function callOf(call: JsonObject): CallPart {
  const called = isJsonObject(call.function) ? call.function : {};
  const given = called.arguments ?? {};
  return {
    type: "tool_call",
    tool_call_id: typeof call.id === "string" ? call.id : "",
    tool_call: {
      type: "function",
      name: typeof called.name === "string" ? called.name : "",
      arguments: typeof given === "string" ? given : stringifyJson(given),
    },
  };
}
