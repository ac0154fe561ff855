// OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses).
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AnswerInProgress } from "../answer-in-progress.ts";
import type { CallResponseFormat, CallTool, CallToolChoice, ModelCall, OpenAiCallParameters } from "../model-call.ts";
import type { FinishReason, TokenUsage } from "../model-event.ts";
import type { StreamReader, WireProtocol, WireRequest } from "../wire.ts";
import { type ContentPart, findJson, type WireMessage, wireMessages } from "../wire-messages.ts";
import { errorInAnswer } from "./error-texts.ts";
import { memberList, memberNumber, memberObject, memberText } from "./members.ts";
import { openAiParameters, toolChoiceMode } from "./openai-chat.ts";
import { presentMembers, withExtraBody } from "./present-members.ts";
import { tokenUsage } from "./token-usage.ts";

const PATH = "/responses";

export const openAiResponses: WireProtocol = { request, readStream, readWhole };

function request(call: ModelCall): WireRequest {
  const { extra_body: extra = {}, ...parameters } = openAiParameters(call);
  const tools = call.tools?.tools.map(toolOf) ?? [];
  const options = presentMembers({
    ...wireParameters(parameters),
    tool_choice: toolChoiceOf(call.tools?.tool_choice),
    parallel_tool_calls: call.tools?.disable_parallel_tool_calls === true ? false : undefined,
    text: textFormatOf(call.responseFormat),
    stream: call.streaming ? true : undefined,
  });
  const input = wireMessages(call.messages).flatMap(itemsOf);
  return {
    path: PATH,
    spanPath: PATH,
    body: { model: call.model, input, ...presentMembers({ tools }), ...options, ...extra },
    parameters: withExtraBody(options, extra),
    tools,
    headers: {},
  };
}

/** The Responses API has no penalties, seed and stop. */
function wireParameters(parameters: OpenAiCallParameters): Readonly<Record<string, unknown>> {
  const { temperature, top_p, max_tokens, max_completion_tokens, reasoning_effort } = parameters;
  return {
    temperature,
    top_p,
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning: reasoning_effort === undefined ? undefined : { effort: reasoning_effort },
  };
}

function itemsOf(message: WireMessage): JsonObject[] {
  switch (message.role) {
    case "tool":
      return [{ type: "function_call_output", call_id: message.toolCallId, output: message.text }];
    case "assistant": {
      const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: findJson(text) === null ? "{}" : text,
      }));
      // Text and tool calls are separate items; a message without either becomes an empty one.
      if (message.text === "" && calls.length > 0) return calls;
      return [{ role: "assistant", content: message.text }, ...calls];
    }
    default:
      return [{ role: message.role, content: message.hasImages ? message.parts.map(partOf) : message.text }];
  }
}

function partOf(part: ContentPart): JsonObject {
  return part.type === "text" ? { type: "input_text", text: part.text } : { type: "input_image", image_url: part.url };
}

function toolOf(tool: CallTool): JsonObject {
  if (tool.type === "raw") return tool.raw;
  const { name, description, parameters, strict } = tool.function;
  return { type: "function", name, ...presentMembers({ description, strict }), parameters: parameters ?? null };
}

function toolChoiceOf(choice: CallToolChoice | undefined): Json | undefined {
  return choice?.type === "specific_function"
    ? { type: "function", name: choice.function_name }
    : toolChoiceMode(choice);
}

function textFormatOf(format: CallResponseFormat | null): JsonObject | undefined {
  return format === null
    ? undefined
    : { format: { type: "json_schema", ...presentMembers({ ...format.json_schema }) } };
}

function readStream(answer: AnswerInProgress): StreamReader {
  return {
    event(name, data) {
      const type = memberText(data, "type") || name;
      switch (type) {
        case "response.output_text.delta":
          answer.isAnswer = true;
          answer.addText(memberText(data, "delta"));
          break;
        case "response.output_item.done":
          readItem(data.item, answer);
          break;
        case "response.completed":
        case "response.incomplete":
        case "response.failed":
          readResponse(memberObject(data, "response"), answer);
          break;
        case "error":
          readError(data, answer);
          break;
        default:
          // Progress, reasoning, refusals and built-in tools are ignored.
          if (type.startsWith("response.")) answer.isAnswer = true;
          else if (isJsonObject(data.error)) readError(data, answer);
      }
    },
  };
}

function readWhole(data: JsonObject, answer: AnswerInProgress): void {
  for (const item of memberList(data, "output")) {
    readItem(item, answer);
    for (const part of memberList(item, "content")) {
      if (memberText(part, "type") === "output_text") answer.addText(memberText(part, "text"));
    }
  }
  readResponse(data, answer);
}

/** Tool calls are read from finished items. */
function readItem(item: Json | undefined, answer: AnswerInProgress): void {
  const type = memberText(item, "type");
  if (type !== "function_call" && type !== "custom_tool_call") return;
  answer.isAnswer = true;
  const id = memberText(item, "call_id") || memberText(item, "id");
  const text =
    type === "function_call" ? memberText(item, "arguments") : JSON.stringify({ input: memberText(item, "input") });
  answer.addToolCall(memberText(item, "id") || id, { id, name: memberText(item, "name"), arguments: text });
}

/** The response object, also part of the last event of a stream. */
function readResponse(response: JsonObject, answer: AnswerInProgress): void {
  if (memberText(response, "object") !== "response" && memberText(response, "status") === "") return;
  answer.isAnswer = true;
  answer.isComplete = true;
  answer.isDone = true;
  answer.whole ??= JSON.stringify(response);
  answer.responseId = memberText(response, "id") || null;
  answer.responseModel = memberText(response, "model") || null;
  if (isJsonObject(response.usage)) answer.usage = usageOf(response.usage);
  const status = memberText(response, "status");
  if (status === "failed") readError(response, answer);
  else if (status === "incomplete") {
    const reason = memberText(memberObject(response, "incomplete_details"), "reason");
    answer.finish(incompleteReasons[reason] ?? "other", reason || status);
  } else answer.finish(answer.toolCalls.length > 0 ? "tool_calls" : "stop", status || "completed");
}

const incompleteReasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: "length",
  content_filter: "content_filter",
};

/** The error of an `error` event or of a failed response. */
function readError(data: JsonObject, answer: AnswerInProgress): void {
  const error = isJsonObject(data.error) ? data.error : data;
  const { message } = errorInAnswer(data);
  const [code, param] = [memberText(error, "code"), memberText(error, "param")];
  const details = [code === "" ? "" : ` (code: ${code})`, param === "" ? "" : ` (param: ${param})`];
  answer.fail(`${message}${details.join("")}`, code === "" ? null : code);
}

function usageOf(usage: JsonObject): TokenUsage {
  return tokenUsage({
    prompt: memberNumber(usage, "input_tokens"),
    completion: memberNumber(usage, "output_tokens"),
    total: memberNumber(usage, "total_tokens"),
    cacheRead: memberNumber(memberObject(usage, "input_tokens_details"), "cached_tokens"),
    reasoning: memberNumber(memberObject(usage, "output_tokens_details"), "reasoning_tokens"),
  });
}
