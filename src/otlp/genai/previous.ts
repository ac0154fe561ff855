// Spans of earlier GenAI conventions: messages in events or under numbered keys, and the first names of the token counts.
// This goes beyond the reference server, so it only adds what no newer attribute gave.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import type { DecodedAttributes, DecodedEvent } from "../decoded/decoded.ts";
import { type ChatMessage, chatMessage, indexedMessages, writeChatMessages } from "./chat-message.ts";
import { hasMessages, INPUT_MESSAGES, OUTPUT_MESSAGES } from "./messages.ts";
import { type Converted, present, scalarText, tokenNumber } from "./values.ts";

const DETAILS_EVENT = "gen_ai.client.inference.operation.details";
const CHOICE_EVENT = "gen_ai.choice";
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

const KIND_BY_REQUEST_TYPE = new Map([
  ["chat", "LLM"],
  ["completion", "LLM"],
  ["embedding", "EMBEDDING"],
  ["rerank", "RERANKER"],
]);

/** The attributes, completed by those that newer senders put into one event of the span instead. */
export function adoptEventDetails(attributes: DecodedAttributes, events: readonly DecodedEvent[]): DecodedAttributes {
  const details = events.find((event) => event.name === DETAILS_EVENT);
  return details === undefined ? attributes : new Map([...details.attributes, ...attributes]);
}

/** The kind by the earlier conventions, or null. */
export function previousKind(attributes: DecodedAttributes, events: readonly DecodedEvent[]): string | null {
  const byType = KIND_BY_REQUEST_TYPE.get(scalarText(present(attributes, "llm.request.type")) ?? "");
  if (byType !== undefined) return byType;
  const keys = [...attributes.keys()];
  const hasNumbered = hasMessages(keys, "gen_ai.prompt") || hasMessages(keys, "gen_ai.completion");
  return hasNumbered || events.some(isMessageEvent) ? "LLM" : null;
}

export function convertPreviousConventions(
  attributes: DecodedAttributes,
  events: readonly DecodedEvent[],
  converted: Converted,
): void {
  convertUsage(attributes, converted);
  if (!hasMessages(converted.keys(), INPUT_MESSAGES)) {
    writeChatMessages(converted, INPUT_MESSAGES, sentMessages(attributes, events));
  }
  if (!hasMessages(converted.keys(), OUTPUT_MESSAGES)) {
    writeChatMessages(converted, OUTPUT_MESSAGES, receivedMessages(attributes, events));
  }
}

/** The first names of the counts, read only beside `gen_ai.system`, which the conventions of their time demanded: elsewhere
 *  the reference server ignores them. */
function convertUsage(attributes: DecodedAttributes, converted: Converted): void {
  if (present(attributes, "gen_ai.system") === undefined) return;
  for (const side of ["prompt", "completion"]) {
    const tokens = tokenNumber(present(attributes, `gen_ai.usage.${side}_tokens`));
    const target = `llm.token_count.${side}`;
    if (tokens !== undefined && !converted.has(target)) converted.set(target, tokens);
  }
}

function sentMessages(attributes: DecodedAttributes, events: readonly DecodedEvent[]): ChatMessage[] {
  const numbered = indexedMessages(attributes, "gen_ai.prompt.");
  if (numbered.length > 0) return numbered;
  const fromEvents = events.flatMap((event) => {
    const role = MESSAGE_EVENT.exec(event.name)?.[1];
    return role === undefined ? [] : [chatMessage(bodyOf(event), role)];
  });
  return fromEvents.length > 0 ? fromEvents : listedMessages(attributes, events, "prompt", "user");
}

function receivedMessages(attributes: DecodedAttributes, events: readonly DecodedEvent[]): ChatMessage[] {
  const numbered = indexedMessages(attributes, "gen_ai.completion.");
  if (numbered.length > 0) return numbered;
  const fromEvents = events.filter((event) => event.name === CHOICE_EVENT).map((event) => choice(bodyOf(event)));
  return fromEvents.length > 0 ? fromEvents : listedMessages(attributes, events, "completion", "assistant");
}

function choice(body: JsonObject): ChatMessage {
  const message = structured(body.message);
  const inner = isJsonObject(message) ? message : body;
  const read = chatMessage({ ...body, ...inner }, "assistant");
  // A message that is plain text is the content itself.
  return typeof message === "string" && read.content === undefined ? { ...read, content: message } : read;
}

/** One JSON text for all messages, in an attribute or in an event of its own. */
function listedMessages(
  attributes: DecodedAttributes,
  events: readonly DecodedEvent[],
  side: "prompt" | "completion",
  role: string,
): ChatMessage[] {
  const event = events.find((each) => each.name === `gen_ai.content.${side}`);
  const value = present(attributes, `gen_ai.${side}`) ?? (event && present(event.attributes, `gen_ai.${side}`));
  const list = typeof value === "string" ? parseEmbeddedJson(value) : undefined;
  return Array.isArray(list) ? list.filter((each) => isJsonObject(each)).map((each) => chatMessage(each, role)) : [];
}

function isMessageEvent({ name }: DecodedEvent): boolean {
  return name === CHOICE_EVENT || MESSAGE_EVENT.test(name);
}

/** Whether an event of that name holds messages of a model call. */
export function isMessageName(name: string): boolean {
  return name === DETAILS_EVENT || name === CHOICE_EVENT || MESSAGE_EVENT.test(name);
}

/** What an event says: one JSON text in some libraries, attributes in others. */
function bodyOf(event: DecodedEvent): JsonObject {
  const content = structured(present(event.attributes, "gen_ai.event.content"));
  if (isJsonObject(content)) return content;
  const body = emptyObject();
  for (const key of event.attributes.keys()) {
    const value = present(event.attributes, key);
    if (value !== undefined) body[key] = value;
  }
  return body;
}

function structured(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? (parseEmbeddedJson(value) ?? value) : value;
}
