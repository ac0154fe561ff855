// Messages of the Vercel AI SDK: prompts in any of its forms, answers put together from text, thoughts and calls.
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import type { ChatMessage } from "../genai/chat-message.ts";
import { scalarText, textOrJson } from "../genai/values.ts";
import { structured } from "./source.ts";

/** The messages of a prompt: a list of them, an object with `system`, `prompt` and `messages`, or none. */
export function promptMessages(value: Json | undefined): ChatMessage[] {
  const prompt = structured(value);
  if (Array.isArray(prompt)) return messagesOf(prompt);
  if (!isJsonObject(prompt)) return [];
  const { system, instructions, prompt: asked, messages } = prompt;
  const before = system ?? instructions;
  const first = typeof before === "string" ? [message("system", before)] : messagesOf(listOf(before));
  const last = typeof asked === "string" ? [message("user", asked)] : messagesOf(listOf(asked ?? messages));
  return [...first, ...last];
}

/** The answer of a model; null where it has no text and no calls. */
export function answerMessage(
  content: Json | undefined,
  calls: readonly JsonObject[],
  reasoning: Json | undefined,
  finishReason: Json | undefined,
): ChatMessage | null {
  const thought = scalarText(reasoning);
  if (content === undefined && calls.length === 0 && thought === undefined) return null;
  const text = content === undefined ? undefined : textOrJson(content);
  const parts = [{ type: "reasoning", text: thought ?? "" }, ...(text === undefined ? [] : [{ type: "text", text }])];
  return {
    role: "assistant",
    content: thought === undefined ? text : parts,
    finishReason: scalarText(finishReason),
    toolCalls: calls.map(toolCall),
  };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : isJsonObject(value) ? [value] : [];
}

function messagesOf(list: readonly Json[]): ChatMessage[] {
  return list.filter(isJsonObject).flatMap((each) => {
    const role = scalarText(each.role) ?? "user";
    if (!Array.isArray(each.content)) return [message(role, each.content)];
    const parts = each.content.filter(isJsonObject);
    const results = parts.filter(({ type }) => type === "tool-result");
    // A message with the results of several calls is one for each of them.
    if (results.length > 0) return results.map(toolResult);
    const calls = parts.filter(({ type }) => type === "tool-call").map(toolCall);
    return [{ ...message(role, contentOf(parts.filter(({ type }) => type !== "tool-call"))), toolCalls: calls }];
  });
}

function message(role: string, content: Json | undefined): ChatMessage {
  return { role, content, toolCalls: [] };
}

function contentOf(parts: readonly JsonObject[]): Json | undefined {
  if (parts.length === 0) return undefined;
  if (parts.length === 1 && parts[0]!.type === "text") return parts[0]!.text;
  return parts.map((part) => {
    if (part.type !== "image" && part.type !== "file") return part;
    const image = structured(part.image) ?? part.image ?? part.url ?? part.data;
    return typeof image === "string" ? { type: "image", image_url: imageUrl(image, part) } : part;
  });
}

/** Images are addresses, or their bytes in base64. */
function imageUrl(image: string, part: JsonObject): string {
  if (/^[a-z]+:/.test(image)) return image;
  return `data:${scalarText(part.mediaType ?? part.mimeType) ?? "image/png"};base64,${image}`;
}

function toolResult(part: JsonObject): ChatMessage {
  const { output } = part;
  const value =
    isJsonObject(output) && output.value !== undefined ? output.value : (output ?? part.result ?? part.content);
  return {
    ...message("tool", value === undefined || value === null ? undefined : textOrJson(value)),
    name: scalarText(part.toolName),
    toolCallId: scalarText(part.toolCallId),
  };
}

function toolCall(call: JsonObject): JsonObject {
  return { id: call.toolCallId ?? null, name: call.toolName ?? null, arguments: call.input ?? call.args ?? null };
}
