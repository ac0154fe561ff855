// Spans of Google's Agent Development Kit: request and response of a model call in Gemini's form, arguments and result of a tool.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { type ChatMessage, writeChatMessages } from "../genai/chat-message.ts";
import { INPUT_MESSAGES, OUTPUT_MESSAGES } from "../genai/messages.ts";
import { type Converted, present, scalarText, textOrJson } from "../genai/values.ts";
import { setParameters, setSide, setText, setTokens, setTools } from "./converted.ts";
import { objectIn, objectsIn, type Source, structured } from "./source.ts";

const ADK = "gcp.vertex.agent.";
/** Members of a configuration that are shown elsewhere, or say nothing about the model. */
const NO_PARAMETERS = new Set(["system_instruction", "tools", "http_options", "labels", "response_schema"]);

export function convertGoogleAdk(source: Source, converted: Converted): void {
  const own = (name: string) => recorded(present(source, ADK + name));
  setText(converted, "session.id", own("session_id"));
  const kind = scalarText(present(source, "openinference.span.kind"));
  if (kind === "TOOL") {
    const given = own("tool_call_args");
    if (given !== undefined) converted.set("tool.parameters", textOrJson(given));
    setSide(converted, "input", given);
    setSide(converted, "output", own("tool_response"));
    return;
  }
  convertRequest(converted, own("llm_request"));
  convertResponse(converted, own("llm_response"));
  // What is sent to a live session.
  setSide(converted, "input", own("data"));
}

/** Empty objects stand for what was not recorded. */
function recorded(value: Json | undefined): Json | undefined {
  const isEmpty =
    value === "" || value === "{}" || value === "N/A" || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : value;
}

function convertRequest(converted: Converted, request: Json | undefined): void {
  if (request === undefined) return;
  setSide(converted, "input", request);
  const { contents, config: given } = objectIn(request);
  const config = objectIn(given);
  const system = systemText(config.system_instruction);
  writeChatMessages(converted, INPUT_MESSAGES, [
    ...(system === undefined ? [] : [{ role: "system", content: system, toolCalls: [] }]),
    ...objectsIn(contents).flatMap(messagesOf),
  ]);
  setTools(
    converted,
    objectsIn(config.tools).flatMap((tool) => objectsIn(tool.function_declarations)),
  );
  const parameters = Object.entries(config).filter(([name]) => !NO_PARAMETERS.has(name));
  setParameters(converted, "llm.invocation_parameters", Object.fromEntries(parameters) as JsonObject);
}

function convertResponse(converted: Converted, response: Json | undefined): void {
  if (response === undefined) return;
  setSide(converted, "output", response);
  const { content, usage_metadata: usage, finish_reason: finish } = objectIn(response);
  if (isJsonObject(content)) {
    const finishReason = scalarText(finish)?.toLowerCase();
    writeChatMessages(
      converted,
      OUTPUT_MESSAGES,
      messagesOf(content).map((message) => ({ ...message, finishReason })),
    );
  }
  const counts = objectIn(usage);
  setTokens(converted, "prompt_details.cache_read", counts.cached_content_token_count);
  setTokens(converted, "completion_details.reasoning", counts.thoughts_token_count);
}

/** One content of Gemini; each result of a tool is a message of its own. */
function messagesOf(content: JsonObject): ChatMessage[] {
  const parts = objectsIn(content.parts);
  const results = parts.flatMap((part) => (isJsonObject(part.function_response) ? [part.function_response] : []));
  const calls = parts.flatMap((part) => (isJsonObject(part.function_call) ? [part.function_call] : []));
  const texts = parts.filter(({ text }) => typeof text === "string");
  const rest = texts.map(
    ({ text, thought }): JsonObject => ({ type: thought === true ? "reasoning" : "text", text: text! }),
  );
  const only = rest.length === 1 && rest[0]!.type === "text" ? rest[0]!.text : rest;
  const role = scalarText(content.role) === "model" ? "assistant" : (scalarText(content.role) ?? "user");
  const spoken: ChatMessage = {
    role,
    content: rest.length === 0 ? undefined : only,
    toolCalls: calls.map((call) => ({
      id: call.id ?? null,
      name: call.name ?? null,
      arguments: call.args ?? emptyObject(),
    })),
  };
  return [
    ...(rest.length > 0 || calls.length > 0 || results.length === 0 ? [spoken] : []),
    ...results.map((result) => ({
      role: "tool",
      name: scalarText(result.name),
      content: result.response === undefined || result.response === null ? undefined : textOrJson(result.response),
      toolCallId: scalarText(result.id),
      toolCalls: [],
    })),
  ];
}

/** A text, a content, or a list of parts. */
function systemText(instruction: Json | undefined): string | undefined {
  const value = structured(instruction) ?? instruction;
  if (typeof value === "string") return value === "" ? undefined : value;
  const parts = isJsonObject(value) ? objectsIn(value.parts) : objectsIn(value);
  const texts = parts.map(({ text }) => text).filter((text) => typeof text === "string");
  return texts.length === 0 ? undefined : texts.join("\n");
}
