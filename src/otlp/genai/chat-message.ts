// One message as chat APIs write it (role, content, tool_calls), which earlier GenAI conventions carry in events, in JSON
// text or under numbered keys, and its OpenInference attributes.
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import type { DecodedAttributes } from "../decoded/decoded.ts";
import { writeToolCalls } from "./messages.ts";
import { type Converted, present, scalarText, textOrJson } from "./values.ts";

export interface ChatMessage {
  readonly role: string;
  readonly name?: string | undefined;
  readonly content?: Json | undefined;
  readonly toolCallId?: string | undefined;
  readonly finishReason?: string | undefined;
  /** With the members `id`, `name` and `arguments`. */
  readonly toolCalls: readonly JsonObject[];
}

/** A message from its JSON form; `role` is used where the message has none. */
export function chatMessage(body: JsonObject, role: string): ChatMessage {
  const calls = typeof body.tool_calls === "string" ? parseEmbeddedJson(body.tool_calls) : body.tool_calls;
  return {
    role: scalarText(body.role) ?? role,
    name: scalarText(body.name),
    content: body.content ?? undefined,
    toolCallId: scalarText(body.tool_call_id ?? (role === "tool" ? body.id : undefined)),
    finishReason: scalarText(body.finish_reason),
    toolCalls: Array.isArray(calls) ? calls.filter((call) => isJsonObject(call)).map(toolCall) : [],
  };
}

function toolCall(call: JsonObject): JsonObject {
  const inner = isJsonObject(call.function) ? call.function : call;
  return { id: call.id ?? null, name: inner.name ?? null, arguments: inner.arguments ?? null };
}

/** Messages from keys such as `gen_ai.prompt.0.role`, in the order of their numbers. */
export function indexedMessages(attributes: DecodedAttributes, prefix: string): ChatMessage[] {
  const bodies = new Map<number, JsonObject>();
  const calls = new Map<number, Map<number, JsonObject>>();
  for (const key of attributes.keys()) {
    if (!key.startsWith(prefix)) continue;
    const value = present(attributes, key);
    const path =
      /^(\d{1,9})\.(?:(role|content|name|tool_call_id|finish_reason)|tool_calls\.(\d{1,9})\.(id|name|arguments))$/.exec(
        key.slice(prefix.length),
      );
    if (path === null || value === undefined) continue;
    const body = ensured(bodies, Number(path[1]), () => ({}) as JsonObject);
    if (path[2] !== undefined) body[path[2]] = value;
    else {
      const list = ensured(calls, Number(path[1]), () => new Map<number, JsonObject>());
      ensured(list, Number(path[3]), () => ({}) as JsonObject)[path[4]!] = value;
    }
  }
  return inOrder(bodies).map(([index, body]) => {
    const list = calls.get(index);
    const message = list === undefined ? body : { ...body, tool_calls: inOrder(list).map(([, call]) => call) };
    return chatMessage(message, prefix.includes("prompt") ? "user" : "assistant");
  });
}

function ensured<Value>(map: Map<number, Value>, key: number, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

function inOrder<Value>(map: Map<number, Value>): [number, Value][] {
  return [...map].sort(([a], [b]) => a - b);
}

export function writeChatMessages(converted: Converted, namespace: string, messages: readonly ChatMessage[]): void {
  messages.forEach((message, i) => {
    const base = `${namespace}.${i}.message`;
    converted.set(`${base}.role`, message.role);
    if (message.name) converted.set(`${base}.name`, message.name);
    if (message.finishReason) converted.set(`${base}.finish_reason`, message.finishReason);
    if (message.toolCallId) converted.set(`${base}.tool_call_id`, message.toolCallId);
    writeContent(converted, base, message.content);
    writeToolCalls(converted, base, message.toolCalls);
  });
}

/** Content is text, or a list of parts, of which texts and images are known. */
function writeContent(converted: Converted, base: string, content: Json | undefined): void {
  if (content === undefined || content === null) return;
  const parts = typeof content === "string" && content.startsWith("[") ? parseEmbeddedJson(content) : content;
  const isPartList = Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
  if (!isPartList) {
    converted.set(`${base}.content`, textOrJson(content));
    return;
  }
  const list = parts as JsonObject[];
  if (list.length === 1 && isBareText(list[0]!)) {
    converted.set(`${base}.content`, list[0]!.text!);
    return;
  }
  list.forEach((part, i) => {
    const path = `${base}.contents.${i}.message_content`;
    const url = imageUrl(part);
    converted.set(`${path}.type`, url !== undefined ? "image" : part.type === "reasoning" ? "reasoning" : "text");
    if (url !== undefined) converted.set(`${path}.image.image.url`, url);
    else converted.set(`${path}.text`, textOrJson(part.text ?? part.content ?? part));
  });
}

/** Parts have a type; Strands leaves it out for texts. */
function isPart(value: Json): boolean {
  return isJsonObject(value) && (typeof value.type === "string" || isBareText(value));
}

function isBareText({ type, text }: JsonObject): boolean {
  return type === undefined && typeof text === "string";
}

function imageUrl(part: JsonObject): string | undefined {
  const image = part.image_url;
  return scalarText(isJsonObject(image) ? image.url : image);
}
