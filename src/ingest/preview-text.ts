// The preview text of one side of a span, which lists show: out of messages the last question or answer, out of JSON its telling text.
import { isJsonObject, isRawNumber, type Json, type JsonObject, numberOf } from "../kernel/json.ts";
import { storableText } from "../kernel/validation-scalars.ts";
import { headOfCharacters } from "../model/attributes/text.ts";
import { PREVIEW_CHARACTERS } from "../model/span.ts";
import { valueAt } from "./span-columns.ts";

type Side = "input" | "output";

/** Longer JSON texts are not read: the row of such a span shows their beginning. Characters. */
const LONGEST_READ = 64 * 1024;
/** Envelopes in envelopes that are opened. */
const MOST_OPENED = 6;

/** Members that hold what was asked or answered, most telling first. */
const envelopes: Readonly<Record<Side, readonly string[]>> = {
  input: [
    "messages",
    "input",
    "question",
    "query",
    "prompt",
    "user_input",
    "user_message",
    "message",
    "text",
    "content",
  ],
  output: ["messages", "output", "answer", "response", "result", "completion", "message", "text", "content", "choices"],
};
/** Members around those, in the forms of client libraries. */
const wrappers = ["kwargs", "update", "value", "generations", "candidates", "contents", "parts", "data"] as const;
const speakers: Readonly<Record<Side, ReadonlySet<string>>> = {
  input: new Set(["user", "human"]),
  output: new Set(["assistant", "ai", "model"]),
};
const roles = new Set(["user", "human", "assistant", "ai", "model", "system", "developer", "tool", "function"]);

/** At most PREVIEW_CHARACTERS; null where the beginning of the value says it, or nothing does. `attributes` are nested. */
export function previewTextOf(attributes: JsonObject, side: Side): string | null {
  const messages = valueAt(attributes, "llm", `${side}_messages`);
  const lastText = Array.isArray(messages) ? spokenIn(messages, side) : null;
  const text = lastText ?? textInValue(valueAt(attributes, side, "value"), side);
  return text === null
    ? null
    : headOfCharacters(storableText(text.trimStart().slice(0, 2 * PREVIEW_CHARACTERS)), PREVIEW_CHARACTERS);
}

function textInValue(value: Json | undefined, side: Side): string | null {
  if (typeof value !== "string" || value.length > LONGEST_READ || !/^\s*["[{]/.test(value)) return null;
  try {
    return textIn(JSON.parse(value) as Json, side, MOST_OPENED);
  } catch {
    return null;
  }
}

/** The text inside a value that a person would read; null where no such text is found. */
function textIn(value: Json | undefined, side: Side, depth: number): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : (textOfHeld(value, side, depth) ?? value);
  if (depth === 0 || typeof value !== "object" || value === null || isRawNumber(value)) return null;
  if (Array.isArray(value)) {
    if (isPair(value)) return value[1];
    if (value.some((each) => roleOf(each) !== null)) return spokenIn(value, side);
    return value.length === 1 ? textIn(value[0], side, depth - 1) : textOfParts(value);
  }
  if (roleOf(value) !== null) return textOfMessage(value);
  for (const name of [...envelopes[side], ...wrappers]) {
    if (!Object.hasOwn(value, name)) continue;
    const found = textIn(value[name], side, depth - 1);
    if (found !== null) return found;
  }
  const members = Object.values(value);
  return members.length === 1 ? (textIn(members[0], side, depth - 1) ?? wordOf(members[0])) : null;
}

/** The telling text of JSON that a text inside JSON holds. */
function textOfHeld(text: string, side: Side, depth: number): string | null {
  if (depth <= 1 || !/^\s*["[{]/.test(text)) return null;
  try {
    return textIn(JSON.parse(text) as Json, side, depth - 1);
  } catch {
    return null;
  }
}

/** A number or truth value that stands alone. */
function wordOf(value: Json | undefined): string | null {
  if (typeof value === "boolean") return String(value);
  const number = numberOf(value);
  return number === null ? null : isRawNumber(value) ? value.rawJSON : String(number);
}

/** The text of the last message of the role on that side. */
function spokenIn(messages: readonly Json[], side: Side): string | null {
  for (const message of messages.toReversed()) {
    if (!speakers[side].has(roleOf(message) ?? "")) continue;
    const text = textOfMessage(message);
    if (text !== null) return text;
  }
  return null;
}

/** The message itself, out of what libraries and conventions put around it. */
function bareMessage(value: Json): JsonObject | null {
  if (!isJsonObject(value)) return null;
  if (isJsonObject(value.message)) return value.message;
  return isJsonObject(value.kwargs) ? value.kwargs : value;
}

function roleOf(value: Json): string | null {
  if (isPair(value)) return value[0];
  const message = bareMessage(value);
  if (message === null) return null;
  const role = typeof message.role === "string" ? message.role : message.type;
  if (typeof role === "string" && roles.has(role)) return role;
  return classRole(isJsonObject(value) && Array.isArray(value.id) ? value.id.at(-1) : role);
}

/** Of LangChain's name of the class, `AIMessageChunk`. */
function classRole(name: Json | undefined): string | null {
  if (typeof name !== "string") return null;
  return /^(Human|AI|System|Tool|Function)Message(?:Chunk)?$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** LangChain's short form of a message: `["user", "hi"]`. */
function isPair(value: Json): value is readonly [string, string] & Json[] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === "string" &&
    typeof value[1] === "string" &&
    roles.has(value[0])
  );
}

function textOfMessage(value: Json): string | null {
  if (isPair(value)) return value[1];
  const message = bareMessage(value);
  if (message === null) return null;
  for (const content of [message.content, message.contents, message.parts]) {
    if (typeof content === "string" && content.trim() !== "") return content;
    const text = Array.isArray(content) ? textOfParts(content) : null;
    if (text !== null) return text;
  }
  return Array.isArray(message.tool_calls) ? callsIn(message.tool_calls) : null;
}

/** Texts and parts with texts, one behind the other; thoughts are left out. */
function textOfParts(parts: readonly Json[]): string | null {
  const texts = parts.flatMap((part) => {
    if (typeof part === "string") return [part];
    const inner = isJsonObject(part) && isJsonObject(part.message_content) ? part.message_content : part;
    if (!isJsonObject(inner) || inner.type === "reasoning" || inner.type === "thinking") return [];
    const text = inner.text ?? (inner.type === "text" ? inner.content : undefined);
    return typeof text === "string" ? [text] : [];
  });
  const text = texts.join(" ");
  return text.trim() === "" ? null : text;
}

/** An answer that only asks for tools: `lookup_order {"id":1}`. */
function callsIn(calls: readonly Json[]): string | null {
  const asked = calls.flatMap((call) => {
    const inner = isJsonObject(call) && isJsonObject(call.tool_call) ? call.tool_call : call;
    const called = isJsonObject(inner) && isJsonObject(inner.function) ? inner.function : inner;
    if (!isJsonObject(called) || typeof called.name !== "string") return [];
    const given = typeof called.arguments === "string" ? called.arguments : "";
    return [given === "" ? called.name : `${called.name} ${given}`];
  });
  return asked.length === 0 ? null : asked.join(", ");
}
