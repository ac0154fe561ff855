// Messages of model calls in the attributes of OpenInference.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import { contentParts } from "./library-messages.ts";
import { type Message, media, olderCall, type Part, textPart, toolCall } from "./message.ts";
import { excerptOf, type Payload, type Place } from "./payload.ts";
import { at, elementsAt, textAt, wordAt } from "./values.ts";

export { messagesIn } from "./library-messages.ts";
export type { Message, Part, ToolCall } from "./message.ts";

/** The messages of one side of a model call; none when there are no such attributes. */
export function messagesOf(payload: Payload, side: "input" | "output"): Message[] {
  const steps = ["llm", `${side}_messages`];
  return elementsAt(payload.attributes, ...steps).map(({ step, value }) => {
    const inner = at(value, "message");
    const place = ["attributes", ...steps, step, ...(inner === undefined ? [] : ["message"])];
    return openInferenceMessage(inner ?? value, payload, place);
  });
}

function openInferenceMessage(message: Json, payload: Payload, place: Place): Message {
  const content = at(message, "content");
  const text =
    typeof content === "string" && content !== "" ? [textPart(excerptOf(payload, content, [...place, "content"]))] : [];
  const structured =
    content === undefined || typeof content === "string" || content === null ? [] : contentParts(content);
  const parts = elementsAt(message, "contents").map(({ step, value }) =>
    openInferencePart(at(value, "message_content") ?? value, payload, [...place, "contents", step, "message_content"]),
  );
  const calls = [
    ...elementsAt(message, "tool_calls").map(({ value }) => toolCall(at(value, "tool_call") ?? value)),
    ...olderCall(message, "function_call_name", "function_call_arguments_json"),
  ];
  const contents = [...text, ...structured, ...parts];
  return {
    role: wordAt(message, "role") ?? "unknown",
    name: textAt(message, "name"),
    parts: contents.length > 0 || calls.length > 0 ? contents : unread(message),
    calls,
    answers: wordAt(message, "tool_call_id"),
    finishReason: wordAt(message, "finish_reason"),
  };
}

/** A message without any known member: shown as it is. */
function unread(message: Json): Part[] {
  if (!isJsonObject(message)) return [{ type: "other", name: "", value: message }];
  const known = new Set(["role", "name", "content", "contents", "tool_call_id", "finish_reason"]);
  const rest = Object.entries(message).filter(([key, value]) => !known.has(key) && value !== null);
  return rest.length === 0 ? [] : [{ type: "other", name: "", value: Object.fromEntries(rest) }];
}

const mediaPlaces = [
  ["image", "image", "url"],
  ["image", "url"],
  ["audio", "url"],
  ["audio", "audio", "url"],
] as const;

function openInferencePart(part: Json, payload: Payload, place: Place): Part {
  const type = wordAt(part, "type") ?? "text";
  const text = at(part, "text");
  for (const [kind, ...steps] of mediaPlaces) {
    const url = textAt(part, kind, ...steps);
    if (url === null) continue;
    const source = excerptOf(payload, url, [...place, kind, ...steps]);
    return media(kind, source, textAt(part, kind, "mime_type"), textAt(part, kind, "transcript"));
  }
  if (typeof text !== "string") return { type: "other", name: type, value: part };
  return {
    type: type === "reasoning" || type === "thinking" ? "reasoning" : "text",
    excerpt: excerptOf(payload, text, [...place, "text"]),
  };
}
