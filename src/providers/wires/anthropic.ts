// Anthropic's Messages API (https://docs.anthropic.com/en/api/messages).
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AnswerInProgress } from "../answer-in-progress.ts";
import type { AnthropicCallParameters, CallThought, CallTool, CallTools, ModelCall } from "../model-call.ts";
import type { FinishReason, ModelToolCall, TokenUsage } from "../model-event.ts";
import type { StreamReader, WireProtocol, WireRequest } from "../wire.ts";
import {
  alternatingTurns,
  argumentsObject,
  type ContentPart,
  inlineImage,
  type Turn,
  wireMessages,
} from "../wire-messages.ts";
import { errorInAnswer } from "./error-texts.ts";
import { memberList, memberNumber, memberObject, memberText } from "./members.ts";
import { presentMembers, presentMembersOrUndefined, withExtraBody } from "./present-members.ts";
import { sumOf, tokenUsage } from "./token-usage.ts";

const PATH = "/v1/messages";
const VERSION_HEADER = { "anthropic-version": "2023-06-01" } as const;
/** The date in the type of a computer use tool is that of the required beta. */
const COMPUTER_TOOL = /^computer_(\d{4})(\d{2})(\d{2})$/;

export const anthropicMessages: WireProtocol = { request, readStream, readWhole };

function request(call: ModelCall): WireRequest {
  const { extra_body: extra = {}, ...parameters } = parametersOf(call);
  const tools = call.tools?.tools.map(toolOf) ?? [];
  const options = presentMembers({
    ...parameters,
    output_config: presentMembersOrUndefined({ ...parameters.output_config, format: formatOf(call) }),
    tool_choice: toolChoiceOf(call.tools),
    stream: call.streaming ? true : undefined,
  });
  const messages = wireMessages(call.messages);
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => `${text}\n`);
  return {
    path: PATH,
    spanPath: PATH,
    body: {
      model: call.model,
      ...(system.length === 0 ? {} : { system: system.join("") }),
      messages: alternatingTurns(messages, turnParts).map(messageOf),
      ...presentMembers({ tools }),
      ...options,
      ...extra,
    },
    parameters: withExtraBody(options, extra),
    tools,
    headers: { ...VERSION_HEADER, ...presentMembers({ "anthropic-beta": betaOf(tools) }) } as Record<string, string>,
  };
}

function parametersOf({ parameters }: ModelCall): Partial<AnthropicCallParameters> {
  return parameters.type === "anthropic" ? parameters.anthropic : {};
}

const turnParts = {
  // Anthropic demands them first.
  thought: (thought: CallThought) => ({ ...thought }),
  content: partOf,
  call: ({ id, name, arguments: text }: ModelToolCall) => ({
    type: "tool_use",
    id,
    name,
    input: argumentsObject(text),
  }),
  result: (toolCallId: string, text: string) => ({ type: "tool_result", tool_use_id: toolCallId, content: text }),
};

/** A single text is sent as a string. */
function messageOf({ role, parts }: Turn): JsonObject {
  const [only] = parts;
  return {
    role,
    content: parts.length === 1 && memberText(only, "type") === "text" ? memberText(only, "text") : parts,
  };
}

function partOf(part: ContentPart): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  const inline = inlineImage(part.url);
  const source: JsonObject =
    inline === null
      ? { type: "url", url: part.url }
      : { type: "base64", media_type: inline.mediaType, data: inline.base64 };
  return { type: "image", source };
}

function toolOf(tool: CallTool): JsonObject {
  if (tool.type === "raw") return tool.raw;
  const { name, description, parameters, strict } = tool.function;
  return { name, ...presentMembers({ description, strict }), input_schema: parameters ?? { type: "object" } };
}

function toolChoiceOf(tools: CallTools | null): JsonObject | undefined {
  const single = tools?.disable_parallel_tool_calls === true ? { disable_parallel_tool_use: true } : {};
  switch (tools?.tool_choice?.type) {
    case "none":
      return { type: "none" };
    case "one_or_more":
      return { type: "any", ...single };
    case "specific_function":
      return { type: "tool", name: tools.tool_choice.function_name, ...single };
    case "zero_or_more":
      return { type: "auto", ...single };
    default:
      return "disable_parallel_tool_use" in single ? { type: "auto", ...single } : undefined;
  }
}

/** Anthropic takes the schema only, without name and strictness. */
function formatOf({ responseFormat }: ModelCall): JsonObject | undefined {
  return responseFormat === null
    ? undefined
    : { type: "json_schema", schema: responseFormat.json_schema.schema ?? { type: "object" } };
}

function betaOf(tools: readonly JsonObject[]): string | undefined {
  const dates = tools.flatMap((tool) => {
    const match = COMPUTER_TOOL.exec(memberText(tool, "type"));
    return match === null ? [] : [`computer-use-${match[1]}-${match[2]}-${match[3]}`];
  });
  return dates.length === 0 ? undefined : [...new Set(dates)].join(",");
}

function readStream(answer: AnswerInProgress): StreamReader {
  /** The message assembled from the events. */
  let whole: JsonObject = {};
  const blocks = new Map<number, JsonObject>();
  const partials = new Map<number, string>();
  return {
    event(name, data) {
      switch (memberText(data, "type") || name) {
        case "message_start":
          whole = { ...memberObject(data, "message") };
          readIdentity(whole, answer);
          break;
        case "content_block_start":
          blocks.set(positionOf(data), { ...memberObject(data, "content_block") });
          answer.addText(memberText(memberObject(data, "content_block"), "text"));
          break;
        case "content_block_delta":
          readDelta(positionOf(data), memberObject(data, "delta"), blocks, partials, answer);
          break;
        case "content_block_stop":
          stopBlock(positionOf(data), blocks, partials, answer);
          break;
        case "message_delta":
          whole = {
            ...whole,
            ...memberObject(data, "delta"),
            usage: { ...memberObject(whole, "usage"), ...memberObject(data, "usage") },
          };
          readEnd(whole, answer);
          break;
        case "message_stop":
          answer.isComplete = true;
          answer.isDone = true;
          answer.whole = JSON.stringify({ ...whole, content: [...blocks.values()] });
          break;
        case "error": {
          const { message, code } = errorInAnswer(data);
          answer.fail(message, code);
          break;
        }
      }
    },
  };
}

function positionOf(data: JsonObject): number {
  return memberNumber(data, "index") ?? 0;
}

function readDelta(
  position: number,
  delta: JsonObject,
  blocks: Map<number, JsonObject>,
  partials: Map<number, string>,
  answer: AnswerInProgress,
): void {
  const block = blocks.get(position);
  if (block === undefined) return;
  switch (memberText(delta, "type")) {
    case "text_delta":
      block.text = memberText(block, "text") + memberText(delta, "text");
      answer.addText(memberText(delta, "text"));
      break;
    case "input_json_delta":
      partials.set(position, (partials.get(position) ?? "") + memberText(delta, "partial_json"));
      break;
    case "thinking_delta":
      block.thinking = memberText(block, "thinking") + memberText(delta, "thinking");
      break;
    case "signature_delta":
      block.signature = memberText(delta, "signature");
      break;
    case "citations_delta":
      block.citations = [...memberList(block, "citations"), ...(delta.citation === undefined ? [] : [delta.citation])];
      break;
  }
}

/** Tool calls are emitted whole, when their block ends. */
function stopBlock(
  position: number,
  blocks: ReadonlyMap<number, JsonObject>,
  partials: ReadonlyMap<number, string>,
  answer: AnswerInProgress,
): void {
  const block = blocks.get(position);
  if (block === undefined) return;
  readThought(block, answer);
  if (memberText(block, "type") !== "tool_use") return;
  const text = partials.get(position);
  if (text !== undefined && text !== "") block.input = argumentsObject(text);
  readCall(block, text || JSON.stringify(memberObject(block, "input")), answer);
}

function readWhole(data: JsonObject, answer: AnswerInProgress): void {
  if (memberText(data, "type") !== "message" && !Array.isArray(data.content)) return;
  readIdentity(data, answer);
  for (const block of memberList(data, "content")) {
    readThought(block, answer);
    if (memberText(block, "type") === "text") answer.addText(memberText(block, "text"));
    if (memberText(block, "type") === "tool_use") readCall(block, JSON.stringify(memberObject(block, "input")), answer);
  }
  readEnd(data, answer);
  answer.isComplete = true;
}

function readIdentity(message: JsonObject, answer: AnswerInProgress): void {
  answer.isAnswer = true;
  answer.responseId = memberText(message, "id") || null;
  answer.responseModel = memberText(message, "model") || null;
  if (isJsonObject(message.usage)) answer.usage = usageOf(message.usage);
}

function readCall(block: Json, text: string, answer: AnswerInProgress): void {
  const id = memberText(block, "id");
  answer.addToolCall(id, { id, name: memberText(block, "name"), arguments: text });
}

function readThought(block: Json, answer: AnswerInProgress): void {
  const type = memberText(block, "type");
  if (type === "redacted_thinking") answer.addThought({ type, data: memberText(block, "data") });
  if (type !== "thinking") return;
  const [thinking, signature] = [memberText(block, "thinking"), memberText(block, "signature")];
  if (signature !== "") answer.addThought({ type, thinking, signature });
}

function readEnd(message: JsonObject, answer: AnswerInProgress): void {
  if (isJsonObject(message.usage)) answer.usage = usageOf(message.usage);
  const reason = memberText(message, "stop_reason");
  if (reason !== "") answer.finish(reasons[reason] ?? "other", reason);
}

/** Those that Bedrock names alike. */
export const claudeStopReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
};
const reasons: Readonly<Record<string, FinishReason>> = { ...claudeStopReasons, refusal: "content_filter" };

/** `input_tokens` does not include tokens read from and written to the cache. */
function usageOf(usage: JsonObject): TokenUsage {
  const cacheRead = memberNumber(usage, "cache_read_input_tokens");
  const cacheWrite = memberNumber(usage, "cache_creation_input_tokens");
  return tokenUsage({
    prompt: sumOf(memberNumber(usage, "input_tokens"), cacheWrite, cacheRead),
    completion: memberNumber(usage, "output_tokens"),
    cacheRead,
    cacheWrite,
  });
}
