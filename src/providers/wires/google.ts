// Google's Gemini API (https://ai.google.dev/api/generate-content).
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AnswerInProgress } from "../answer-in-progress.ts";
import type { CallTool, CallToolChoice, GoogleCallParameters, ModelCall } from "../model-call.ts";
import type { FinishReason, TokenUsage } from "../model-event.ts";
import type { StreamReader, WireProtocol, WireRequest } from "../wire.ts";
import {
  argumentsObject,
  type ContentPart,
  inlineImage,
  mergeByRole,
  nonEmptyParts,
  type WireMessage,
  wireMessages,
} from "../wire-messages.ts";
import { errorInAnswer } from "./error-texts.ts";
import { memberList, memberNumber, memberObject, memberText } from "./members.ts";
import { presentMembers, presentMembersOrUndefined, withExtraBody } from "./present-members.ts";
import { sumOf, tokenUsage } from "./token-usage.ts";

/** Gemini 3 and later reject tool calls in the history without a thought signature. Google documents this value for calls whose
 *  signature is not known. */
const NO_SIGNATURE = { thoughtSignature: "skip_thought_signature_validator" } as const;
const SIGNING_MODEL = /^gemini-(?:[3-9]|\d{2,})\b/;

export const googleGemini: WireProtocol = { request, readStream, readWhole };

function request(call: ModelCall): WireRequest {
  const parameters: GoogleCallParameters = call.parameters.type === "google" ? call.parameters.google : {};
  const { extra_body: extra = {}, ...options } = parameters;
  const functions = (call.tools?.tools ?? []).filter((tool) => tool.type === "function").map(declarationOf);
  const raw = (call.tools?.tools ?? []).filter((tool) => tool.type === "raw").map((tool) => tool.raw);
  const tools = [...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]), ...raw];
  const settings = presentMembers({
    toolConfig: toolConfigOf(call.tools?.tool_choice),
    generationConfig: presentMembersOrUndefined({ ...wireParameters(options), ...formatOf(call) }),
  });
  const messages = wireMessages(call.messages);
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  const names = namesOfCalls(messages);
  const spoken = messages.filter(({ role }) => role !== "system");
  return {
    path: `/v1beta/${modelPath(call.model)}:${call.streaming ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    spanPath: null,
    body: {
      contents: mergeByRole(spoken.map((message) => turnOf(message, names, SIGNING_MODEL.test(call.model)))),
      ...(system.length === 0 ? {} : { systemInstruction: { parts: [{ text: system.join("\n") }] } }),
      ...presentMembers({ tools }),
      ...settings,
      ...extra,
    },
    parameters: withExtraBody(settings, extra),
    tools: [...functions, ...raw],
    headers: {},
  };
}

/** Tuned models are named with their collection, e.g. `tunedModels/mine`. */
function modelPath(model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  return path.split("/").map(encodeURIComponent).join("/");
}

function wireParameters(parameters: Omit<GoogleCallParameters, "extra_body">): Readonly<Record<string, unknown>> {
  const { thinking_config: thinking } = parameters;
  return {
    temperature: parameters.temperature,
    maxOutputTokens: parameters.max_output_tokens,
    stopSequences: parameters.stop_sequences,
    presencePenalty: parameters.presence_penalty,
    frequencyPenalty: parameters.frequency_penalty,
    topP: parameters.top_p,
    topK: parameters.top_k,
    thinkingConfig: presentMembersOrUndefined({
      thinkingBudget: thinking?.thinking_budget,
      thinkingLevel: thinking?.thinking_level?.toUpperCase(),
      includeThoughts: thinking?.include_thoughts,
    }),
  };
}

function formatOf({ responseFormat }: ModelCall): JsonObject {
  if (responseFormat === null) return {};
  const { schema } = responseFormat.json_schema;
  return { responseMimeType: "application/json", ...presentMembers({ responseJsonSchema: schema }) };
}

type Turn = { readonly role: "user" | "model"; readonly parts: JsonObject[] };

/** Tool results must name the function, which is known from the call. */
function namesOfCalls(messages: readonly WireMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

function turnOf(message: WireMessage, names: ReadonlyMap<string, string>, isSigned: boolean): Turn {
  switch (message.role) {
    case "tool": {
      const name = names.get(message.toolCallId) ?? message.toolCallId;
      const response = isJsonObject(message.value) ? message.value : { result: message.value };
      return {
        role: "user",
        parts: [{ functionResponse: { ...presentMembers({ id: message.toolCallId || null }), name, response } }],
      };
    }
    case "assistant":
      return {
        role: "model",
        parts: [
          ...nonEmptyParts(message.parts).map(partOf),
          ...message.toolCalls.map(({ id, name, arguments: text }, position) => ({
            functionCall: { ...presentMembers({ id: id || null }), name, args: argumentsObject(text) },
            ...(isSigned && position === 0 ? NO_SIGNATURE : {}),
          })),
        ],
      };
    default:
      return { role: "user", parts: message.parts.map(partOf) };
  }
}

function partOf(part: ContentPart): JsonObject {
  if (part.type === "text") return { text: part.text };
  const inline = inlineImage(part.url);
  return inline === null
    ? { fileData: { fileUri: part.url } }
    : { inlineData: { mimeType: inline.mediaType, data: inline.base64 } };
}

function declarationOf(tool: Extract<CallTool, { readonly type: "function" }>): JsonObject {
  const { name, description, parameters } = tool.function;
  return { name, ...presentMembers({ description, parametersJsonSchema: parameters }) };
}

function toolConfigOf(choice: CallToolChoice | undefined): JsonObject | undefined {
  switch (choice?.type) {
    case "none":
      return { functionCallingConfig: { mode: "NONE" } };
    case "zero_or_more":
      return { functionCallingConfig: { mode: "AUTO" } };
    case "one_or_more":
      return { functionCallingConfig: { mode: "ANY" } };
    case "specific_function":
      return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choice.function_name] } };
    default:
      return undefined;
  }
}

function readStream(answer: AnswerInProgress): StreamReader {
  return { event: (_name, data) => readPiece(data, answer) };
}

function readWhole(data: JsonObject, answer: AnswerInProgress): void {
  readPiece(data, answer);
}

/** Chunks of a stream and whole answers have the same shape. */
function readPiece(data: JsonObject, answer: AnswerInProgress): void {
  if (data.error !== undefined && data.error !== null) {
    const { message, code } = errorInAnswer(data);
    answer.fail(message, code);
    return;
  }
  answer.responseId = memberText(data, "responseId") || answer.responseId;
  answer.responseModel = memberText(data, "modelVersion") || answer.responseModel;
  if (isJsonObject(data.usageMetadata)) answer.usage = usageOf(data.usageMetadata);
  readBlocked(memberObject(data, "promptFeedback"), answer);
  const [candidate] = memberList(data, "candidates");
  if (candidate === undefined) return;
  answer.isAnswer = true;
  for (const part of memberList(memberObject(candidate, "content"), "parts")) readPart(part, answer);
  const reason = memberText(candidate, "finishReason");
  if (reason === "") return;
  answer.finish(finishReasonOf(reason, answer), reason);
  answer.isComplete = true;
  // There is no explicit last event; usage is part of the chunk with the finish reason.
  answer.isDone = answer.usage !== null;
}

/** A blocked prompt has no candidates. */
function readBlocked(feedback: JsonObject, answer: AnswerInProgress): void {
  const reason = memberText(feedback, "blockReason");
  if (reason === "") return;
  answer.isAnswer = true;
  answer.isComplete = true;
  answer.finish("content_filter", reason);
}

function readPart(part: Json, answer: AnswerInProgress): void {
  const call = memberObject(part, "functionCall");
  if (Object.keys(call).length > 0) {
    // Each part is a separate call, also of the same function.
    const key = String(answer.toolCalls.length);
    const text = JSON.stringify(memberObject(call, "args"));
    answer.addToolCall(key, { id: memberText(call, "id"), name: memberText(call, "name"), arguments: text });
  } else if (isJsonObject(part) && part.thought !== true) answer.addText(memberText(part, "text"));
}

function finishReasonOf(reason: string, answer: AnswerInProgress): FinishReason {
  if (reason === "STOP") return answer.toolCalls.length > 0 ? "tool_calls" : "stop";
  if (reason === "MAX_TOKENS") return "length";
  return FILTERED.has(reason) ? "content_filter" : "other";
}

const FILTERED = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"]);

/** Thoughts are billed as completion tokens. */
function usageOf(usage: JsonObject): TokenUsage {
  const thoughts = memberNumber(usage, "thoughtsTokenCount");
  return tokenUsage({
    prompt: sumOf(memberNumber(usage, "promptTokenCount"), memberNumber(usage, "toolUsePromptTokenCount")),
    completion: sumOf(memberNumber(usage, "candidatesTokenCount"), thoughts),
    total: memberNumber(usage, "totalTokenCount"),
    cacheRead: memberNumber(usage, "cachedContentTokenCount"),
    promptAudio: audioOf(memberList(usage, "promptTokensDetails")),
    reasoning: thoughts,
    completionAudio: audioOf(memberList(usage, "candidatesTokensDetails")),
  });
}

function audioOf(details: readonly Json[]): number | null {
  return sumOf(
    ...details
      .filter((detail) => memberText(detail, "modality") === "AUDIO")
      .map((detail) => memberNumber(detail, "tokenCount")),
  );
}
