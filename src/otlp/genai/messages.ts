// Messages of the current GenAI conventions as OpenInference messages.
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { DecodedAttributes } from "../decoded/decoded.ts";
import { type Converted, everyObject, isOptionalText, listInText, present, textOrJson } from "./values.ts";

export const INPUT_MESSAGES = "llm.input_messages";
export const OUTPUT_MESSAGES = "llm.output_messages";

const DEFAULT_MEDIA_TYPE = "application/octet-stream";

interface Message {
  readonly role: string;
  readonly name: string | null;
  readonly finishReason: string | null;
  readonly parts: readonly JsonObject[];
}

/** Texts that a part of a type must have; a part without them is read as of an unknown type, which converts to nothing. */
const REQUIRED_TEXTS = new Map<string, readonly string[]>([
  ["text", ["content"]],
  ["reasoning", ["content"]],
  ["tool_call", ["name"]],
  ["tool_call_response", []],
  ["uri", ["modality", "uri"]],
  ["blob", ["modality", "content"]],
]);
const OPTIONAL_TEXTS = ["id", "mime_type"];

/** Converts the system text, the input and the output messages, each list whole or not at all. */
export function convertMessages(attributes: DecodedAttributes, converted: Converted): void {
  const systemParts = everyObject(listInText(present(attributes, "gen_ai.system_instructions")), validPart);
  const hasSystem = systemParts !== undefined && systemParts.length > 0;
  if (hasSystem) {
    const system = { role: "system", name: null, finishReason: null, parts: systemParts };
    writeMessage(converted, `${INPUT_MESSAGES}.0.message`, system);
  }
  const input = everyObject(listInText(present(attributes, "gen_ai.input.messages")), inputMessage);
  input?.forEach((message, i) => {
    writeMessage(converted, `${INPUT_MESSAGES}.${hasSystem ? i + 1 : i}.message`, message);
  });
  const output = everyObject(listInText(present(attributes, "gen_ai.output.messages")), outputMessage);
  output?.forEach((message, i) => {
    writeMessage(converted, `${OUTPUT_MESSAGES}.${i}.message`, message);
  });
}

function inputMessage(value: JsonObject): Message | undefined {
  const { role, name } = value;
  if (typeof role !== "string" || !isOptionalText(name) || !Array.isArray(value.parts)) return undefined;
  const parts = everyObject(value.parts, validPart);
  return parts && { role, name: (name as string | null | undefined) ?? null, finishReason: null, parts };
}

function outputMessage(value: JsonObject): Message | undefined {
  const finishReason = value.finish_reason;
  const message = inputMessage(value);
  return message && typeof finishReason === "string" ? { ...message, finishReason } : undefined;
}

/** The part as it is, or without a known type where it does not have what its type needs. */
function validPart(part: JsonObject): JsonObject | undefined {
  const type = part.type;
  if (typeof type !== "string") return undefined;
  const required = REQUIRED_TEXTS.get(type);
  const isComplete =
    required?.every((name) => typeof part[name] === "string") === true &&
    OPTIONAL_TEXTS.every((name) => isOptionalText(part[name])) &&
    (type !== "tool_call_response" || part.response !== undefined);
  return isComplete ? part : { type: "" };
}

function writeMessage(converted: Converted, base: string, message: Message): void {
  converted.set(`${base}.role`, message.role);
  if (message.name) converted.set(`${base}.name`, message.name);
  if (message.finishReason) converted.set(`${base}.finish_reason`, message.finishReason);
  const responses = message.parts.filter((part) => part.type === "tool_call_response");
  if (responses.length > 0) {
    for (const response of responses) writeResponse(converted, base, response);
    return;
  }
  writeContents(converted, base, message.parts);
  writeToolCalls(
    converted,
    base,
    message.parts.filter((part) => part.type === "tool_call"),
  );
}

function writeResponse(converted: Converted, base: string, part: JsonObject): void {
  if (part.id) converted.set(`${base}.tool_call_id`, part.id);
  const response = part.response!;
  if (response !== null) converted.set(`${base}.content`, textOrJson(response));
}

/** A single text is the content of the message; anything more becomes a list of contents. */
function writeContents(converted: Converted, base: string, parts: readonly JsonObject[]): void {
  const contents = parts.filter((part) => ["text", "reasoning", "uri", "blob"].includes(part.type as string));
  if (contents.length === 1 && contents[0]!.type === "text") {
    converted.set(`${base}.content`, contents[0]!.content!);
    return;
  }
  contents.forEach((part, i) => {
    writeContent(converted, `${base}.contents.${i}.message_content`, part);
  });
}

function writeContent(converted: Converted, base: string, part: JsonObject): void {
  const type = part.type as string;
  if (type === "text" || type === "reasoning") {
    converted.set(`${base}.type`, type);
    converted.set(`${base}.text`, part.content!);
    return;
  }
  converted.set(`${base}.type`, "image");
  const url =
    type === "uri"
      ? part.uri!
      : `data:${(part.mime_type as string | null) || DEFAULT_MEDIA_TYPE};base64,${part.content as string}`;
  converted.set(`${base}.image.image.url`, url);
}

/** Tool calls with the members `id`, `name` and `arguments`. */
export function writeToolCalls(converted: Converted, base: string, calls: readonly JsonObject[]): void {
  calls.forEach((call, i) => {
    const path = `${base}.tool_calls.${i}.tool_call`;
    setPresent(converted, `${path}.id`, call.id);
    setPresent(converted, `${path}.function.name`, call.name);
    setPresent(converted, `${path}.function.arguments`, call.arguments);
  });
}

function setPresent(converted: Converted, key: string, value: Json | undefined): void {
  if (value !== undefined && value !== null) converted.set(key, textOrJson(value));
}

/** Whether a converted list of messages has anything. */
export function hasMessages(keys: Iterable<string>, namespace: string): boolean {
  for (const key of keys) if (key.startsWith(namespace) && key.charAt(namespace.length) === ".") return true;
  return false;
}
