// The cards of a span in their fixed order: errors, messages, tool calls, parameters; then the rest
// Every value has its place in one of them, and none may break the page.
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { heldJson } from "../../../lib/held-json.ts";
import type { SpanKind, SpanStatus } from "../trace-span.ts";
import { withoutRepeatedSystem } from "./conversation.ts";
import { type DocumentList, documentLists, type Embedding, embeddingsOf } from "./documents.ts";
import { eventsOf, type SpanEvent, type SpanException } from "./events.ts";
import { flatValues } from "./flat.ts";
import { type Message, messagesIn, messagesOf } from "./messages.ts";
import { type Excerpt, excerptOf, type Payload } from "./payload.ts";
import { type Tool, toolsOf } from "./tools.ts";
import { at, plainText, textAt, unfolded } from "./values.ts";

/** Input or output. */
export interface SideCard {
  readonly id: "input" | "output";
  /** Empty where the value is no conversation. */
  readonly messages: readonly Message[];
  /** The value as text; null where only messages were sent. */
  readonly value: Excerpt | null;
  /** What the value holds as JSON; undefined where it is plain text. */
  readonly json: Json | undefined;
  /** Prompts of models without messages. */
  readonly prompts: readonly string[];
}

export type Card =
  | { readonly id: "error"; readonly message: string | null; readonly exceptions: readonly SpanException[] }
  | SideCard
  | { readonly id: "tools"; readonly tools: readonly Tool[] }
  | {
      readonly id: "documents";
      readonly lists: readonly DocumentList[];
      readonly embeddings: readonly Embedding[];
      readonly query: string | null;
    }
  | { readonly id: "parameters"; readonly values: JsonObject; readonly template: PromptTemplate | null }
  | { readonly id: "metadata"; readonly value: Json }
  | { readonly id: "events"; readonly events: readonly SpanEvent[] }
  | { readonly id: "attributes"; readonly attributes: JsonObject; readonly count: number };

export function isSideCard(card: Card): card is SideCard {
  return card.id === "input" || card.id === "output";
}

export interface PromptTemplate {
  readonly template: Json;
  readonly variables: Json | undefined;
  readonly version: string | null;
}

export interface CardSpan {
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly statusMessage: string;
}

export function cardsOf(span: CardSpan, payload: Payload): Card[] {
  const { attributes } = payload;
  const events = eventsOf(payload);
  const cards: (Card | null)[] = [
    errorCard(span, events),
    sideCard(payload, "input"),
    sideCard(payload, "output"),
    toolsCard(payload),
    documentsCard(payload),
    parametersCard(attributes),
    metadataCard(attributes),
    events.length === 0 ? null : { id: "events", events },
    { id: "attributes", attributes, count: flatValues(attributes).length },
  ];
  return cards.filter((card) => card !== null);
}

function errorCard({ status, statusMessage }: CardSpan, events: readonly SpanEvent[]): Card | null {
  const exceptions = events.flatMap(({ exception }) => (exception === null ? [] : [exception]));
  if (status !== "ERROR" && exceptions.length === 0) return null;
  const description = statusMessage.trim();
  // Frameworks write the exception into the status, too: it is shown once.
  const isRepeated = exceptions.some(({ type, message }) => {
    const text = message?.text.trim() ?? "";
    return description === text || (text !== "" && description.endsWith(text)) || description === type;
  });
  return { id: "error", message: description === "" || isRepeated ? null : description, exceptions };
}

/** Null where nothing was recorded of that side. */
export function sideCard(payload: Payload, side: "input" | "output"): SideCard | null {
  const raw = at(payload.attributes, side, "value");
  const value =
    raw === undefined || raw === null ? null : excerptOf(payload, plainText(raw), ["attributes", side, "value"]);
  const json =
    value === null || value.wholeBytes !== null
      ? undefined
      : typeof raw === "string"
        ? heldJson(raw)
        : (raw ?? undefined);
  const sent = messagesOf(payload, side);
  const messages = withoutRepeatedSystem(sent.length > 0 ? sent : json === undefined ? [] : (messagesIn(json) ?? []));
  const prompts = side === "input" && messages.length === 0 ? promptsOf(payload.attributes) : [];
  if (value === null && messages.length === 0 && prompts.length === 0) return null;
  return { id: side, messages, value, json, prompts };
}

/** Prompts of completion models: a list of texts, or of `prompt.text`. */
function promptsOf(attributes: JsonObject): string[] {
  const prompts = at(attributes, "llm", "prompts");
  if (!Array.isArray(prompts)) return [];
  return prompts.flatMap((each) => (typeof each === "string" ? [each] : (textAt(each, "prompt", "text") ?? [])));
}

function toolsCard(payload: Payload): Card | null {
  const tools = toolsOf(payload);
  return tools.length === 0 ? null : { id: "tools", tools };
}

function documentsCard(payload: Payload): Card | null {
  const lists = documentLists(payload);
  const embeddings = embeddingsOf(payload);
  if (lists.length === 0 && embeddings.length === 0) return null;
  return { id: "documents", lists, embeddings, query: textAt(payload.attributes, "reranker", "query") };
}

const parameterPlaces = [
  ["llm", "invocation_parameters"],
  ["embedding", "invocation_parameters"],
] as const;

function parametersCard(attributes: JsonObject): Card | null {
  const values: JsonObject = Object.create(null);
  for (const place of parameterPlaces) {
    const given = at(attributes, ...place);
    const held = given === undefined ? undefined : unfolded(given);
    if (isJsonObject(held)) Object.assign(values, held);
    else if (held !== undefined && held !== null && held !== "") values[place[1]] = held;
  }
  const template = templateOf(attributes);
  return Object.keys(values).length === 0 && template === null ? null : { id: "parameters", values, template };
}

function templateOf(attributes: JsonObject): PromptTemplate | null {
  const found = at(attributes, "llm", "prompt_template");
  const template = at(found, "template");
  const variables = at(found, "variables");
  if (template === undefined && variables === undefined) return null;
  return {
    template: template ?? null,
    variables: variables === undefined ? undefined : unfolded(variables),
    version: textAt(found, "version"),
  };
}

function metadataCard(attributes: JsonObject): Card | null {
  const { metadata } = attributes;
  if (metadata === undefined || metadata === null || metadata === "") return null;
  return { id: "metadata", value: unfolded(metadata) };
}
