// Conversations that inputs and outputs hold as JSON, in the forms of the well-known client libraries.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { type Message, media, olderCall, type Part, textPart, toolCall } from "./message.ts";
import { heldExcerpt } from "./payload.ts";
import { at, elementsAt, plainText, textAt, wordAt } from "./values.ts";

/** Content of a message in the forms of client libraries: a text, or a list of parts. */
export function contentParts(content: Json | undefined): Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return content === "" ? [] : [textPart(heldExcerpt(content))];
  if (!Array.isArray(content)) return [contentPart(content)];
  return content.filter((part) => !isCallPart(part)).map(contentPart);
}

function contentPart(part: Json): Part {
  if (typeof part === "string") return textPart(heldExcerpt(part));
  const type = wordAt(part, "type") ?? "";
  const thinking = textAt(part, "thinking") ?? (/reasoning|thinking/.test(type) ? textAt(part, "text") : null);
  if (thinking !== null) return { type: "reasoning", excerpt: heldExcerpt(thinking) };
  const text = textAt(part, "text");
  if (text !== null) return textPart(heldExcerpt(text));
  const image = textAt(part, "image_url", "url") ?? textAt(part, "image_url") ?? textAt(part, "source", "url");
  if (image !== null) return media("image", heldExcerpt(image));
  const mimeType = textAt(part, "source", "media_type");
  const data = textAt(part, "source", "data");
  if (mimeType !== null && data !== null)
    return media("image", heldExcerpt(`data:${mimeType};base64,${data}`), mimeType);
  return { type: "other", name: type, value: part };
}

function isCallPart(part: Json): boolean {
  return /^(tool_use|function_call|tool_call|tool_result)$/.test(wordAt(part, "type") ?? "");
}

const roles: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  function: "tool",
  model: "assistant",
};

/** One message of a client library; null if the value is not a message. */
function libraryMessage(value: Json): Message | null {
  if (Array.isArray(value)) return pairMessage(value);
  if (!isJsonObject(value)) return null;
  const message = isJsonObject(value.kwargs) ? value.kwargs : value;
  const role = textAt(message, "role") ?? langchainRole(message) ?? className(value);
  if (role === null) return null;
  const content = at(message, "content") ?? at(message, "parts");
  const parts = Array.isArray(content) ? content.filter(isCallPart) : [];
  const results = parts.filter((part) => at(part, "type") === "tool_result");
  const calls = [
    ...elementsAt(message, "tool_calls").map((each) => each.value),
    ...parts.filter((part) => !results.includes(part)),
  ];
  return {
    role: results.length > 0 && results.length === (content as Json[]).length ? "tool" : (roles[role] ?? role),
    name: textAt(message, "name"),
    parts: [...contentParts(content), ...results.flatMap((result) => contentParts(at(result, "content")))],
    calls: [...calls.map(toolCall), ...olderCall(at(message, "function_call") ?? null, "name", "arguments")],
    answers: wordAt(message, "tool_call_id") ?? wordAt(results[0], "tool_use_id"),
    finishReason: null,
  };
}

function langchainRole(message: Json): string | null {
  const type = /^(human|ai|system|tool|function)$/.exec(textAt(message, "type") ?? "")?.[0];
  return type !== undefined && at(message, "content") !== undefined ? type : className(message);
}

/** LangChain's name of the class, `AIMessageChunk`, which stands at the end of `id` or as the type. */
function className(message: Json): string | null {
  const name =
    textAt(message, "type") === "constructor" ? elementsAt(message, "id").at(-1)?.value : at(message, "type");
  const word =
    typeof name === "string" ? /^(Human|AI|System|Tool|Function)Message(?:Chunk)?$/.exec(name)?.[1] : undefined;
  return word?.toLowerCase() ?? null;
}

/** LangChain's short form: `["user", "hi"]`. */
function pairMessage(pair: readonly Json[]): Message | null {
  const [role, content] = pair;
  if (pair.length !== 2 || typeof role !== "string" || typeof content !== "string") return null;
  if (!/^(user|human|assistant|ai|system|tool)$/.test(role)) return null;
  const parts = contentParts(content);
  return { role: roles[role] ?? role, name: null, parts, calls: [], answers: null, finishReason: null };
}

/** Items of the responses form: calls and their results stand beside the messages. */
function responseItem(value: Json): Message | null {
  const type = textAt(value, "type");
  const none = { name: null, finishReason: null };
  if (type === "function_call") {
    return { ...none, role: "assistant", parts: [], calls: [toolCall(withCallId(value))], answers: null };
  }
  if (type === "function_call_output") {
    const parts = [textPart(heldExcerpt(plainText(at(value, "output"))))];
    return { ...none, role: "tool", parts, calls: [], answers: wordAt(value, "call_id") };
  }
  return libraryMessage(value);
}

function withCallId(value: Json): Json {
  return isJsonObject(value) && value.call_id !== undefined ? { ...value, id: value.call_id } : value;
}

/** The messages that an input or output holds; null where it is no conversation. */
export function messagesIn(value: Json): Message[] | null {
  const [list, finish] = conversationIn(value);
  if (list === null || list.length === 0) return null;
  const messages = list.map(responseItem);
  if (!messages.every((message) => message !== null)) return null;
  return finish === null ? messages : messages.map((message) => ({ ...message, finishReason: finish }));
}

function conversationIn(value: Json): [readonly Json[] | null, string | null] {
  if (Array.isArray(value)) return [nested(value), null];
  if (!isJsonObject(value)) return [null, null];
  if (Array.isArray(value.messages)) return [nested(value.messages), null];
  if (Array.isArray(value.choices)) {
    const list = value.choices.map((choice) => at(choice, "message") ?? null);
    return [list, wordAt(value.choices[0], "finish_reason")];
  }
  const generation = at(value, "generations", 0, 0, "message");
  if (generation !== undefined) return [[generation], null];
  const step = graphStep(value);
  if (step !== null) return [step, null];
  for (const key of ["input", "output"]) {
    const items = value[key];
    if (Array.isArray(items) && items.length > 0 && items.every((item) => responseItem(item) !== null))
      return [items, null];
  }
  const single = typeof value.role === "string" || isJsonObject(value.kwargs);
  return [single && ("content" in value || "kwargs" in value) ? [value] : null, wordAt(value, "stop_reason")];
}

/** The messages that a node of LangGraph adds: under its name, or in the update of a command. */
function graphStep(value: JsonObject): readonly Json[] | null {
  const members = Object.values(value);
  const inner = value.update ?? (members.length === 1 ? members[0] : undefined);
  const messages = at(inner, "messages");
  return Array.isArray(messages) ? nested(messages) : null;
}

/** A list of messages, or a batch that holds one. */
function nested(list: readonly Json[]): readonly Json[] {
  return list.length === 1 && Array.isArray(list[0]) && pairMessage(list[0]) === null ? list[0] : list;
}
