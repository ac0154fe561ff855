// Normalises the messages of a call for the protocol adapters: one role and purpose each.
import { isJsonObject, type Json, type JsonObject, parseJson } from "../kernel/json.ts";
import type { CallMessage, CallPart, CallRole, CallThought } from "./model-call.ts";
import type { ModelToolCall } from "./model-event.ts";

export type ContentPart = Extract<CallPart, { readonly type: "text" | "image" }>;

interface WithContent {
  /** Its texts, joined by line feeds. */
  readonly text: string;
  /** Texts and images in order; a single text if there are no images. */
  readonly parts: readonly ContentPart[];
  readonly hasImages: boolean;
}

export type WireMessage =
  | ({ readonly role: "system" | "user" } & WithContent)
  | ({
      readonly role: "assistant";
      readonly toolCalls: readonly ModelToolCall[];
      readonly thoughts: readonly CallThought[];
    } & WithContent)
  /** `value` is the result, `text` the same as text. */
  | { readonly role: "tool"; readonly toolCallId: string; readonly text: string; readonly value: Json };

const roles: Readonly<Record<CallRole, WireMessage["role"]>> = {
  user: "user",
  system: "system",
  developer: "system",
  assistant: "assistant",
  model: "assistant",
  ai: "assistant",
  tool: "tool",
};

/** Tool results become messages of their own; the order is kept. */
export function wireMessages(messages: readonly CallMessage[]): WireMessage[] {
  return messages.flatMap(({ role, content }): WireMessage[] => {
    const parts: readonly CallPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const shown = contentOf(parts);
    const results = parts.filter((part) => part.type === "tool_result");
    const wireRole = roles[role];
    if (wireRole === "tool" && results.length === 0)
      return [{ role: "tool", toolCallId: "", text: shown.text, value: shown.text }];
    const toolMessages = results.map(({ tool_call_id, tool_result }): WireMessage => {
      const value = tool_result as Json;
      return { role: "tool", toolCallId: tool_call_id, text: textOfResult(value), value };
    });
    const hasOwnContent = wireRole !== "tool" && (shown.parts.length > 0 || results.length === 0);
    if (!hasOwnContent) return toolMessages;
    return [
      ...toolMessages,
      wireRole === "assistant"
        ? { role: wireRole, ...shown, toolCalls: callsOf(parts), thoughts: parts.filter(isThought) }
        : { role: wireRole, ...shown },
    ];
  });
}

/** The arguments of a tool call as an object; `{}` if they are not a JSON object. */
export function argumentsObject(text: string): JsonObject {
  const value = findJson(text);
  return isJsonObject(value) ? value : {};
}

/** Null for invalid JSON. */
export function findJson(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Merges consecutive messages of the same role, for protocols whose roles must alternate. */
export function mergeByRole<Message extends { readonly role: string; readonly parts: JsonObject[] }>(
  messages: readonly Message[],
): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role) last.parts.push(...message.parts);
    else joined.push(message);
  }
  return joined;
}

/** Of protocols in which user and assistant alternate, and results of tools are parts of the user's turn. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly parts: JsonObject[];
}

interface TurnParts {
  /** Of what the model thought before it answered; without it that is left out. */
  readonly thought?: (thought: CallThought) => JsonObject;
  readonly content: (part: ContentPart) => JsonObject;
  readonly call: (call: ModelToolCall) => JsonObject;
  readonly result: (toolCallId: string, text: string) => JsonObject;
}

/** The turns of a conversation, without its system messages. */
export function alternatingTurns(
  messages: readonly WireMessage[],
  { thought, content, call, result }: TurnParts,
): Turn[] {
  const turns = messages.flatMap((message): Turn[] => {
    switch (message.role) {
      case "system":
        return [];
      case "tool":
        return [{ role: "user", parts: [result(message.toolCallId, message.text)] }];
      case "assistant": {
        const thoughts = thought === undefined ? [] : message.thoughts.map(thought);
        const parts = [...thoughts, ...nonEmptyParts(message.parts).map(content), ...message.toolCalls.map(call)];
        return [{ role: "assistant", parts }];
      }
      default:
        return [{ role: "user", parts: nonEmptyParts(message.parts).map(content) }];
    }
  });
  return mergeByRole(turns);
}

/** Without empty texts, which some providers reject. */
export function nonEmptyParts(parts: readonly ContentPart[]): readonly ContentPart[] {
  return parts.filter((part) => part.type === "image" || part.text !== "");
}

/** The bytes inside a `data:` URL, or null for any other address. */
export function inlineImage(url: string): { readonly mediaType: string; readonly base64: string } | null {
  const match = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s.exec(url);
  return match === null ? null : { mediaType: match[1]!, base64: match[2]! };
}

function contentOf(parts: readonly CallPart[]): WithContent {
  const shown = parts.filter((part) => part.type === "text" || part.type === "image");
  const texts = shown.filter((part) => part.type === "text").map(({ text }) => text);
  const text = texts.join("\n");
  const hasImages = texts.length < shown.length;
  return { text, parts: hasImages || texts.length === 0 ? shown : [{ type: "text", text }], hasImages };
}

function callsOf(parts: readonly CallPart[]): ModelToolCall[] {
  return parts
    .filter((part) => part.type === "tool_call")
    .map(({ tool_call_id, tool_call }) => ({ id: tool_call_id, name: tool_call.name, arguments: tool_call.arguments }));
}

function isThought(part: CallPart): part is CallThought {
  return part.type === "thinking" || part.type === "redacted_thinking";
}

function textOfResult(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
