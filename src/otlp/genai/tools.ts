// Callable definitions, tool calls and retrieved documents of the GenAI conventions.
import { doubleToJson, emptyObject, isJsonObject, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import { pythonJson } from "../../model/attributes/python-text.ts";
import type { DecodedAttributes } from "../decoded/decoded.ts";
import { type Converted, everyObject, isOptionalText, listInText, present, scalarText, textOrJson } from "./values.ts";

const JSON_TYPE = "application/json";

export function convertToolDefinitions(attributes: DecodedAttributes, converted: Converted): void {
  const schemas = everyObject(listInText(present(attributes, "gen_ai.tool.definitions")), toolSchema);
  schemas?.forEach((schema, i) => {
    converted.set(`llm.tools.${i}.tool.json_schema`, pythonJson(schema, false));
  });
}

function toolSchema(definition: JsonObject): JsonObject | undefined {
  const { type = "function", name, description, parameters } = definition;
  if (typeof type !== "string" || typeof name !== "string" || !isOptionalText(description)) return undefined;
  const callable = emptyObject();
  callable.name = name;
  if (description !== undefined && description !== null) callable.description = description;
  if (parameters !== undefined && parameters !== null) callable.parameters = parameters;
  return { type, function: callable };
}

/** A span of kind TOOL: what was called, with what, and what came back. */
export function convertToolCall(attributes: DecodedAttributes, converted: Converted): void {
  setText(converted, "tool.name", present(attributes, "gen_ai.tool.name"));
  setText(converted, "tool.description", present(attributes, "gen_ai.tool.description"));
  setText(converted, "tool.id", present(attributes, "gen_ai.tool.call.id"));
  const input = present(attributes, "gen_ai.tool.call.arguments");
  if (input !== undefined) converted.set("tool.parameters", textOrJson(input));
  const result = present(attributes, "gen_ai.tool.call.result");
  if (result === undefined) return;
  converted.set("output.value", textOrJson(result));
  const content = typeof result === "string" ? parseEmbeddedJson(result) : result;
  if (Array.isArray(content) || isJsonObject(content)) converted.set("output.mime_type", JSON_TYPE);
}

function setText(converted: Converted, key: string, value: Json | undefined): void {
  const text = scalarText(value);
  if (text !== undefined) converted.set(key, text);
}

/** A span of kind RETRIEVER: the query and the documents. */
export function convertRetrieval(attributes: DecodedAttributes, converted: Converted): void {
  const query = scalarText(present(attributes, "gen_ai.retrieval.query.text"));
  if (query !== undefined) {
    converted.set("input.value", query);
    converted.set("input.mime_type", "text/plain");
  }
  const documents = everyObject(listInText(present(attributes, "gen_ai.retrieval.documents")), retrieved);
  documents?.forEach((document, i) => {
    for (const [member, value] of document) converted.set(`retrieval.documents.${i}.document.${member}`, value);
  });
}

function retrieved(document: JsonObject): [string, Json][] | undefined {
  const { id, score } = document;
  const number = typeof score === "string" && score.trim() !== "" ? Number(score) : numberOf(score);
  if (typeof id !== "string" || number === null || Number.isNaN(number)) return undefined;
  const members: [string, Json][] = [
    ["id", id],
    ["score", Number.isInteger(number) ? doubleToJson(number) : number],
  ];
  for (const name of ["content", "metadata"]) {
    const value = document[name];
    if (value !== undefined && value !== null) members.push([name, textOrJson(value)]);
  }
  return members;
}
