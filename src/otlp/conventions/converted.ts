// What every family of conventions writes: input and output, tokens, messages, metadata, from single values read leniently.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import { pythonJson } from "../../model/attributes/python-text.ts";
import { type Converted, isTruthy, scalarText, textOrJson, tokenNumber } from "../genai/values.ts";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

export function setText(converted: Converted, key: string, value: Json | undefined): void {
  const text = scalarText(value);
  if (text !== undefined && text !== "") converted.set(key, text);
}

/** Input or output of a span, with its type: JSON where it is an object or a list, or holds one as text. */
export function setSide(converted: Converted, side: "input" | "output", value: Json | undefined): void {
  if (value === undefined || value === null || converted.has(`${side}.value`)) return;
  const content = typeof value === "string" && /^\s*[[{]/.test(value) ? parseEmbeddedJson(value) : value;
  converted.set(`${side}.value`, textOrJson(value));
  converted.set(`${side}.mime_type`, Array.isArray(content) || isJsonObject(content) ? JSON_TYPE : TEXT_TYPE);
}

/** A token count, e.g. `setTokens(converted, "prompt_details.cache_read", 5)`. The first that can be read stays. */
export function setTokens(converted: Converted, count: string, value: Json | undefined): void {
  const key = `llm.token_count.${count}`;
  const tokens = tokenNumber(value);
  if (tokens !== undefined && !converted.has(key)) converted.set(key, tokens);
}

/** Parameters of a model call as JSON text. */
export function setParameters(converted: Converted, key: string, parameters: JsonObject): void {
  if (Object.keys(parameters).length > 0) converted.set(key, pythonJson(parameters, false));
}

/** A callable as chat APIs describe it. */
function toolSchema(definition: JsonObject): JsonObject | null {
  const inner = isJsonObject(definition.function) ? definition.function : definition;
  const name = scalarText(inner.name);
  if (name === undefined) return null;
  const callable = emptyObject();
  callable.name = name;
  if (isTruthy(inner.description)) callable.description = inner.description!;
  const parameters = inner.inputSchema ?? inner.parameters ?? inner.input_schema;
  if (isTruthy(parameters)) callable.parameters = parameters!;
  return { type: scalarText(definition.type) ?? "function", function: callable };
}

export function setTools(converted: Converted, definitions: readonly JsonObject[]): void {
  definitions
    .map(toolSchema)
    .filter((schema) => schema !== null)
    .forEach((schema, i) => {
      converted.set(`llm.tools.${i}.tool.json_schema`, pythonJson(schema, false));
    });
}

const SESSION_NAMES = new Set(["sessionId", "session_id", "session.id", "conversation_id", "thread_id", "threadId"]);
const USER_NAMES = new Set(["userId", "user_id", "user.id"]);

/** Key-value pairs that a program added to the call: session and user by their usual names, the rest as metadata. */
export function setAssociations(converted: Converted, pairs: JsonObject): void {
  const metadata = emptyObject();
  for (const [name, value] of Object.entries(pairs)) {
    const key = SESSION_NAMES.has(name) ? "session.id" : USER_NAMES.has(name) ? "user.id" : null;
    if (key === null) metadata[name] = value;
    else if (!converted.has(key)) setText(converted, key, value);
  }
  if (Object.keys(metadata).length > 0) converted.set("metadata", metadata);
}

/** Documents in the form of LangChain and its like. */
export function setDocuments(converted: Converted, documents: readonly JsonObject[]): void {
  documents.forEach((document, i) => {
    const base = `retrieval.documents.${i}.document`;
    setText(converted, `${base}.id`, document.id);
    const content = document.page_content ?? document.content ?? document.text;
    if (content !== undefined && content !== null) converted.set(`${base}.content`, textOrJson(content));
    if (typeof document.score === "number") converted.set(`${base}.score`, document.score);
    if (isTruthy(document.metadata)) converted.set(`${base}.metadata`, document.metadata!);
  });
}
