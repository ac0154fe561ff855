// Adds the OpenInference attributes that correspond to the OpenTelemetry GenAI conventions of a span
// (docs/protocol/ingestion.md#genai-conventions). No attribute of the span itself is ever replaced.
import { emptyObject, integerToJson, isRawNumber, type Json } from "../../kernel/json.ts";
import { pythonJson } from "../../model/attributes/python-text.ts";
import type { DecodedAttributes, DecodedEvent } from "../decoded/decoded.ts";
import { convertMessages, hasMessages, INPUT_MESSAGES, OUTPUT_MESSAGES } from "./messages.ts";
import { adoptEventDetails, convertPreviousConventions, previousKind } from "./previous.ts";
import { providerNames } from "./providers.ts";
import { convertRetrieval, convertToolCall, convertToolDefinitions } from "./tools.ts";
import { type Converted, isTruthy, present, scalarText, tokenNumber } from "./values.ts";

const PREFIX = "gen_ai.";
const JSON_TYPE = "application/json";

const KIND_BY_OPERATION = new Map([
  ["chat", "LLM"],
  ["text_completion", "LLM"],
  ["generate_content", "LLM"],
  ["embeddings", "EMBEDDING"],
  ["execute_tool", "TOOL"],
  ["retrieval", "RETRIEVER"],
  ["invoke_agent", "AGENT"],
  ["create_agent", "AGENT"],
]);

/** Parameters in the order in which they are written. */
const REQUEST_PARAMETERS = [
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "stream",
];

const USAGE = [
  ["gen_ai.usage.input_tokens", "llm.token_count.prompt"],
  ["gen_ai.usage.output_tokens", "llm.token_count.completion"],
  ["gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read"],
  ["gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write"],
] as const;

/** Whether a key or the name of an event belongs to the conventions. */
export function isGenAi(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Adds the converted attributes to the attributes. `isAlone` is false where another family of conventions is used too, which may have
 *  the output itself: then the output is left open for it (`convertResponseIdentity` comes last). */
export function convertGenAi(attributes: DecodedAttributes, events: readonly DecodedEvent[], isAlone: boolean): void {
  const source = adoptEventDetails(attributes, events);
  const converted: Converted = new Map();
  const kind = kindOf(source, events);
  if (kind !== null) converted.set("openinference.span.kind", kind);
  convertIdentity(source, kind, converted);
  convertParameters(source, kind, converted);
  convertUsage(source, converted);
  convertMessages(source, converted);
  convertFinishReason(source, converted);
  if (isAlone) convertResponseIdentity(source, converted);
  convertToolDefinitions(source, converted);
  if (kind === "TOOL") convertToolCall(source, converted);
  if (kind === "RETRIEVER") convertRetrieval(source, converted);
  convertPreviousConventions(source, events, converted);
  addTotal(converted);
  addAbsent(attributes, converted);
}

/** Messages are added as whole lists: never between messages of the span's own. Everything else goes key by key. */
function addAbsent(attributes: DecodedAttributes, converted: Converted): void {
  const occupied = [INPUT_MESSAGES, OUTPUT_MESSAGES].filter((each) => hasMessages(attributes.keys(), each));
  for (const [key, value] of converted) {
    if ((attributes.get(key) ?? null) !== null) continue;
    if (!occupied.some((namespace) => hasMessages([key], namespace))) attributes.set(key, value);
  }
}

function kindOf(attributes: DecodedAttributes, events: readonly DecodedEvent[]): string | null {
  const has = (key: string) => isTruthy(present(attributes, key));
  const operation = present(attributes, "gen_ai.operation.name");
  if (operation !== undefined) return KIND_BY_OPERATION.get(scalarText(operation) ?? "") ?? null;
  if (has("gen_ai.tool.call.id") || has("gen_ai.tool.name")) return "TOOL";
  if (has("gen_ai.retrieval.documents") || has("gen_ai.retrieval.query.text")) return "RETRIEVER";
  if (present(attributes, "gen_ai.embeddings.dimension.count") !== undefined) return "EMBEDDING";
  const previous = previousKind(attributes, events);
  if (previous !== null) return previous;
  const isModel = has("gen_ai.input.messages") || has("gen_ai.output.messages") || has("gen_ai.request.model");
  return isModel ? "LLM" : null;
}

function convertIdentity(attributes: DecodedAttributes, kind: string | null, converted: Converted): void {
  const provider = scalarText(present(attributes, "gen_ai.provider.name"));
  const system = scalarText(present(attributes, "gen_ai.system"))?.toLowerCase();
  const names = providerNames(provider ?? system);
  if (names.provider !== undefined) converted.set("llm.provider", names.provider);
  if (names.system !== undefined) converted.set("llm.system", names.system);
  const conversation = scalarText(present(attributes, "gen_ai.conversation.id"));
  if (conversation !== undefined) converted.set("session.id", conversation);
  const model = scalarText(present(attributes, "gen_ai.request.model"));
  if (model !== undefined) converted.set(kind === "EMBEDDING" ? "embedding.model_name" : "llm.model_name", model);
}

function convertParameters(attributes: DecodedAttributes, kind: string | null, converted: Converted): void {
  const parameters = emptyObject();
  for (const name of REQUEST_PARAMETERS) {
    const value = present(attributes, `gen_ai.request.${name}`);
    if (value !== undefined) parameters[name] = value;
  }
  const choices = present(attributes, "gen_ai.request.choice.count");
  if (choices !== undefined) parameters.n = choices;
  const stop = asList(present(attributes, "gen_ai.request.stop_sequences"));
  if (stop.length > 0) parameters.stop = stop;
  const formats = asList(present(attributes, "gen_ai.request.encoding_formats"));
  if (formats.length === 1) parameters.encoding_format = formats[0]!;
  else if (formats.length > 1) parameters.encoding_formats = formats;
  const output = present(attributes, "gen_ai.output.type");
  if (output === "json") parameters.response_format = { type: "json_object" };
  else if (output === "text") parameters.response_format = { type: "text" };
  if (Object.keys(parameters).length === 0) return;
  const key = kind === "EMBEDDING" ? "embedding.invocation_parameters" : "llm.invocation_parameters";
  converted.set(key, pythonJson(parameters, false));
}

function asList(value: Json | undefined): Json[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value : [];
}

function convertUsage(attributes: DecodedAttributes, converted: Converted): void {
  for (const [key, target] of USAGE) {
    const tokens = tokenNumber(present(attributes, key));
    if (tokens !== undefined) converted.set(target, tokens);
  }
}

/** The total, where both counts were converted. */
export function addTotal(converted: Converted): void {
  const prompt = converted.get("llm.token_count.prompt");
  const completion = converted.get("llm.token_count.completion");
  if (prompt === undefined || completion === undefined) return;
  if (typeof prompt === "number" && typeof completion === "number") {
    converted.set("llm.token_count.total", integerToJson(prompt + completion));
  } else if (isInteger(prompt) && isInteger(completion)) {
    converted.set("llm.token_count.total", integerToJson(bigInteger(prompt) + bigInteger(completion)));
  }
}

function isInteger(value: Json): boolean {
  return typeof value === "number" || (isRawNumber(value) && /^-?\d+$/.test(value.rawJSON));
}

function bigInteger(value: Json): bigint {
  return BigInt(isRawNumber(value) ? value.rawJSON : (value as number));
}

function convertFinishReason(attributes: DecodedAttributes, converted: Converted): void {
  const reasons = present(attributes, "gen_ai.response.finish_reasons");
  const texts = asList(reasons).map(scalarText);
  if (texts.length > 0 && texts.every((text) => text !== undefined)) {
    converted.set("llm.finish_reason", texts.length === 1 ? texts[0]! : texts);
  }
}

/** Id and model of the response stand in for an output. */
export function convertResponseIdentity(attributes: DecodedAttributes, converted: Converted): void {
  const response = emptyObject();
  const id = scalarText(present(attributes, "gen_ai.response.id"));
  const model = scalarText(present(attributes, "gen_ai.response.model"));
  if (id !== undefined) response.id = id;
  if (model !== undefined) response.model = model;
  if (id === undefined && model === undefined) return;
  converted.set("output.value", pythonJson(response, false));
  converted.set("output.mime_type", JSON_TYPE);
}
