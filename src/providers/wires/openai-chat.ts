// OpenAI's chat completions, which most providers implement (https://platform.openai.com/docs/api-reference/chat).
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AnswerInProgress } from "../answer-in-progress.ts";
import { rawToolsNeedResponses } from "../model-call.errors.ts";
import type { CallResponseFormat, CallTool, CallToolChoice, ModelCall, OpenAiCallParameters } from "../model-call.ts";
import type { FinishReason, TokenUsage } from "../model-event.ts";
import type { StreamReader, WireProtocol, WireRequest } from "../wire.ts";
import { type ContentPart, findJson, type WireMessage, wireMessages } from "../wire-messages.ts";
import { errorInAnswer } from "./error-texts.ts";
import { memberList, memberNumber, memberObject, memberText } from "./members.ts";
import { presentMembers, withExtraBody } from "./present-members.ts";
import { tokenUsage } from "./token-usage.ts";

const PATH = "/chat/completions";

export const openAiChat: WireProtocol = { request, readStream, readWhole };

function request(call: ModelCall): WireRequest {
  const { extra_body: extra = {}, ...parameters } = openAiParameters(call);
  const tools = call.tools?.tools.map(toolOf) ?? [];
  const options = presentMembers({
    ...wireParameters(parameters),
    tool_choice: toolChoiceOf(call.tools?.tool_choice),
    parallel_tool_calls: call.tools?.disable_parallel_tool_calls === true ? false : undefined,
    response_format: responseFormatOf(call.responseFormat),
    stream: call.streaming ? true : undefined,
    stream_options: call.streaming ? { include_usage: true } : undefined,
  });
  const messages = wireMessages(call.messages).map(messageOf);
  return {
    path: PATH,
    spanPath: PATH,
    body: { model: call.model, messages, ...presentMembers({ tools }), ...options, ...extra },
    parameters: withExtraBody(options, extra),
    tools,
    headers: {},
  };
}

export function openAiParameters({ parameters }: ModelCall): OpenAiCallParameters {
  return parameters.type === "openai" ? parameters.openai : {};
}

/** `max_tokens` is sent under its newer name and takes precedence. */
function wireParameters({ max_tokens, max_completion_tokens, ...rest }: OpenAiCallParameters): object {
  return { ...rest, max_completion_tokens: max_tokens ?? max_completion_tokens };
}

function messageOf(message: WireMessage): JsonObject {
  switch (message.role) {
    case "tool":
      return { role: "tool", content: message.text, tool_call_id: message.toolCallId };
    case "assistant": {
      if (message.toolCalls.length === 0) return { role: "assistant", content: message.text };
      return {
        role: "assistant",
        content: message.text === "" ? null : message.text,
        tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: "function",
          function: { name, arguments: findJson(text) === null ? "{}" : text },
        })),
      };
    }
    default:
      return { role: message.role, content: message.hasImages ? message.parts.map(partOf) : message.text };
  }
}

function partOf(part: ContentPart): JsonObject {
  return part.type === "text" ? { type: "text", text: part.text } : { type: "image_url", image_url: { url: part.url } };
}

function toolOf(tool: CallTool): JsonObject {
  if (tool.type === "raw") throw rawToolsNeedResponses();
  const { name, description, parameters, strict } = tool.function;
  return {
    type: "function",
    function: { name, ...presentMembers({ description, strict }), parameters: parameters ?? {} },
  };
}

function toolChoiceOf(choice: CallToolChoice | undefined): Json | undefined {
  return choice?.type === "specific_function"
    ? { type: "function", function: { name: choice.function_name } }
    : toolChoiceMode(choice);
}

/** `tool_choice` of both OpenAI protocols, except for a specific function. */
export function toolChoiceMode(choice: CallToolChoice | undefined): string | undefined {
  switch (choice?.type) {
    case "none":
      return "none";
    case "zero_or_more":
      return "auto";
    case "one_or_more":
      return "required";
    default:
      return undefined;
  }
}

function responseFormatOf(format: CallResponseFormat | null): JsonObject | undefined {
  if (format === null) return undefined;
  return { type: "json_schema", json_schema: presentMembers({ ...format.json_schema }) };
}

function readStream(answer: AnswerInProgress): StreamReader {
  return {
    event(_name, data) {
      if (data.error !== undefined && data.error !== null) {
        const { message, code } = errorInAnswer(data);
        answer.fail(message, code);
        return;
      }
      readIdentity(data, answer);
      const [choice] = memberList(data, "choices");
      if (choice !== undefined) {
        answer.isAnswer = true;
        readMessage(memberObject(choice, "delta"), answer, () => answer.lastCallKey);
        readFinish(choice, answer);
      }
    },
  };
}

function readWhole(data: JsonObject, answer: AnswerInProgress): void {
  readIdentity(data, answer);
  const [choice] = memberList(data, "choices");
  if (choice === undefined) return;
  answer.isAnswer = true;
  readMessage(memberObject(choice, "message"), answer, String);
  readFinish(choice, answer);
  answer.isComplete = true;
}

function readIdentity(data: JsonObject, answer: AnswerInProgress): void {
  answer.responseId = memberText(data, "id") || answer.responseId;
  answer.responseModel = memberText(data, "model") || answer.responseModel;
  // Usage may be part of any chunk.
  if (isJsonObject(data.usage)) answer.usage = usageOf(data.usage);
}

/** `keyOf` identifies calls that have neither index nor id. */
function readMessage(message: JsonObject, answer: AnswerInProgress, keyOf: (position: number) => string): void {
  const { content } = message;
  if (typeof content === "string") answer.addText(content);
  // Some providers send the content as a list of parts.
  else for (const part of memberList(message, "content")) answer.addText(memberText(part, "text"));
  for (const [position, call] of memberList(message, "tool_calls").entries()) {
    const called = memberObject(call, "function");
    // Providers that send whole calls omit the index.
    const key = memberNumber(call, "index") ?? (memberText(call, "id") || keyOf(position));
    answer.addToolCall(String(key), {
      id: memberText(call, "id"),
      name: memberText(called, "name"),
      arguments: argumentsOf(called),
    });
  }
}

/** Some providers send an object instead of JSON text. */
function argumentsOf(called: JsonObject): string {
  const { arguments: value } = called;
  return isJsonObject(value) ? JSON.stringify(value) : memberText(called, "arguments");
}

function readFinish(choice: Json, answer: AnswerInProgress): void {
  const reason = memberText(choice, "finish_reason");
  if (reason === "") return;
  answer.finish(reasons[reason] ?? "other", reason);
  answer.isComplete = true;
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
};

function usageOf(usage: JsonObject): TokenUsage {
  const prompt = memberObject(usage, "prompt_tokens_details");
  const completion = memberObject(usage, "completion_tokens_details");
  return tokenUsage({
    prompt: memberNumber(usage, "prompt_tokens"),
    completion: memberNumber(usage, "completion_tokens"),
    total: memberNumber(usage, "total_tokens"),
    cacheRead: memberNumber(prompt, "cached_tokens") ?? memberNumber(usage, "prompt_cache_hit_tokens"),
    cacheWrite: memberNumber(prompt, "cache_write_tokens"),
    promptAudio: memberNumber(prompt, "audio_tokens"),
    reasoning: memberNumber(completion, "reasoning_tokens"),
    completionAudio: memberNumber(completion, "audio_tokens"),
  });
}
