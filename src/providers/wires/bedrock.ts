// Amazon Bedrock's Converse API (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AnswerInProgress } from "../answer-in-progress.ts";
import { imageNotInline, rawToolsNotTaken } from "../model-call.errors.ts";
import type { AwsCallParameters, CallResponseFormat, CallTool, CallTools, ModelCall } from "../model-call.ts";
import type { FinishReason, ModelToolCall, TokenUsage } from "../model-event.ts";
import type { StreamReader, WireProtocol, WireRequest } from "../wire.ts";
import { alternatingTurns, argumentsObject, type ContentPart, inlineImage, wireMessages } from "../wire-messages.ts";
import { claudeStopReasons } from "./anthropic.ts";
import { memberNumber, memberObject, memberText } from "./members.ts";
import { presentMembers, presentMembersOrUndefined, withExtraBody } from "./present-members.ts";
import { sumOf, tokenUsage } from "./token-usage.ts";

export const bedrockConverse: WireProtocol = { request, readStream, readWhole };

function request(call: ModelCall): WireRequest {
  const parameters: AwsCallParameters = call.parameters.type === "aws" ? call.parameters.aws : {};
  const { extra_body: extra = {}, ...options } = parameters;
  // Converse cannot forbid tool calls, so the tools are left out.
  const tools = call.tools === null || call.tools.tool_choice?.type === "none" ? [] : call.tools.tools.map(toolOf);
  const choice = tools.length === 0 ? undefined : toolChoiceOf(call.tools);
  const settings = presentMembers({
    inferenceConfig: presentMembersOrUndefined({
      maxTokens: options.max_tokens,
      temperature: options.temperature,
      topP: options.top_p,
      stopSequences: options.stop_sequences,
    }),
    outputConfig: outputConfigOf(call.responseFormat),
  });
  const messages = wireMessages(call.messages);
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => ({ text }));
  return {
    path: `/model/${encodeURIComponent(call.model)}/converse${call.streaming ? "-stream" : ""}`,
    spanPath: null,
    body: {
      messages: alternatingTurns(messages, turnParts).map(({ role, parts }) => ({ role, content: parts })),
      ...presentMembers({ system }),
      ...(tools.length === 0 ? {} : { toolConfig: { tools, ...presentMembers({ toolChoice: choice }) } }),
      ...settings,
      ...extra,
    },
    parameters: withExtraBody(
      { ...settings, ...(choice === undefined ? {} : { toolConfig: { toolChoice: choice } }) },
      extra,
    ),
    tools,
    headers: {},
  };
}

const turnParts = {
  content: partOf,
  call: ({ id, name, arguments: text }: ModelToolCall) => ({
    toolUse: { toolUseId: id, name, input: argumentsObject(text) },
  }),
  result: (toolUseId: string, text: string) => ({ toolResult: { toolUseId, content: [{ text }] } }),
};

function partOf(part: ContentPart): JsonObject {
  if (part.type === "text") return { text: part.text };
  const inline = inlineImage(part.url);
  if (inline === null) throw imageNotInline("Amazon Bedrock");
  return { image: { format: inline.mediaType.replace(/^image\//, ""), source: { bytes: inline.base64 } } };
}

function toolOf(tool: CallTool): JsonObject {
  if (tool.type === "raw") throw rawToolsNotTaken("Amazon Bedrock");
  const { name, description, parameters, strict } = tool.function;
  return {
    toolSpec: {
      name,
      ...presentMembers({ description, strict }),
      inputSchema: { json: parameters ?? { type: "object" } },
    },
  };
}

function toolChoiceOf(tools: CallTools | null): JsonObject | undefined {
  switch (tools?.tool_choice?.type) {
    case "zero_or_more":
      return { auto: {} };
    case "one_or_more":
      return { any: {} };
    case "specific_function":
      return { tool: { name: tools.tool_choice.function_name } };
    default:
      return undefined;
  }
}

/** Converse takes the schema as JSON text. */
function outputConfigOf(format: CallResponseFormat | null): JsonObject | undefined {
  if (format === null) return undefined;
  const { name, description, schema } = format.json_schema;
  const jsonSchema = { name, ...presentMembers({ description }), schema: JSON.stringify(schema ?? { type: "object" }) };
  return { textFormat: { type: "json_schema", structure: { jsonSchema } } };
}

function readStream(answer: AnswerInProgress): StreamReader {
  return {
    event(name, data) {
      const position = String(memberNumber(data, "contentBlockIndex") ?? 0);
      switch (name) {
        case "messageStart":
          answer.isAnswer = true;
          break;
        case "contentBlockStart": {
          const call = memberObject(memberObject(data, "start"), "toolUse");
          if (memberText(call, "name") !== "") {
            answer.addToolCall(position, { id: memberText(call, "toolUseId"), name: memberText(call, "name") });
          }
          break;
        }
        case "contentBlockDelta": {
          const delta = memberObject(data, "delta");
          answer.addText(memberText(delta, "text"));
          if (isJsonObject(delta.toolUse)) {
            answer.addToolCall(position, { arguments: memberText(delta.toolUse, "input") });
          }
          break;
        }
        case "messageStop":
          readStop(data, answer);
          break;
        case "metadata":
          if (isJsonObject(data.usage)) answer.usage = usageOf(data.usage);
          answer.isDone = answer.isComplete;
          break;
      }
    },
  };
}

function readWhole(data: JsonObject, answer: AnswerInProgress): void {
  const message = memberObject(memberObject(data, "output"), "message");
  if (!Array.isArray(message.content)) return;
  answer.isAnswer = true;
  for (const [position, block] of message.content.entries()) {
    answer.addText(memberText(block, "text"));
    readCall(memberObject(block, "toolUse"), String(position), answer);
  }
  if (isJsonObject(data.usage)) answer.usage = usageOf(data.usage);
  readStop(data, answer);
}

function readCall(call: JsonObject, key: string, answer: AnswerInProgress): void {
  if (memberText(call, "name") === "") return;
  const text = JSON.stringify((call.input ?? {}) satisfies Json);
  answer.addToolCall(key, { id: memberText(call, "toolUseId"), name: memberText(call, "name"), arguments: text });
}

function readStop(data: JsonObject, answer: AnswerInProgress): void {
  const reason = memberText(data, "stopReason");
  answer.finish(reasons[reason] ?? "other", reason);
  answer.isComplete = true;
}

const reasons: Readonly<Record<string, FinishReason>> = {
  ...claudeStopReasons,
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
};

/** `inputTokens` does not include tokens read from and written to the cache. */
function usageOf(usage: JsonObject): TokenUsage {
  const cacheRead = memberNumber(usage, "cacheReadInputTokens");
  const cacheWrite = memberNumber(usage, "cacheWriteInputTokens");
  return tokenUsage({
    prompt: sumOf(memberNumber(usage, "inputTokens"), cacheRead, cacheWrite),
    completion: memberNumber(usage, "outputTokens"),
    total: memberNumber(usage, "totalTokens"),
    cacheRead,
    cacheWrite,
  });
}
