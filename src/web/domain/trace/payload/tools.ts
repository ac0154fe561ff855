// Tools that a model was offered, and the tool that a span ran.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import type { Payload } from "./payload.ts";
import { at, elementsAt, textAt, unfolded, wordAt } from "./values.ts";

interface ToolParameter {
  readonly name: string;
  /** In the words of its schema; empty where it says none. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
}

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: readonly ToolParameter[];
  /** As recorded, unfolded. */
  readonly source: Json;
}

/** The tools of a model call, then the one that the span itself ran. */
export function toolsOf({ attributes }: Payload): Tool[] {
  const offered = elementsAt(attributes, "llm", "tools").flatMap(({ value }) => offeredTools(value));
  const own = at(attributes, "tool");
  return isJsonObject(own) && own.name !== undefined ? [...offered, ranTool(own)] : offered;
}

/** One tool, or those of a list that Gemini puts into one. Name and description may stand beside the schema. */
function offeredTools(recorded: Json): Tool[] {
  const beside = at(recorded, "tool") ?? recorded;
  const source = unfolded(at(beside, "json_schema") ?? recorded);
  const several = elementsAt(source, "functionDeclarations").concat(elementsAt(source, "function_declarations"));
  const declarations = several.length === 0 ? [source] : several.map(({ value }) => value);
  return declarations.map((declaration) => toolOf(declaration, beside));
}

/** The forms of a declaration: inside `function` or `toolSpec`, at the top, or nothing but the schema of the parameters. */
function toolOf(source: Json, beside: Json): Tool {
  const declared = [at(source, "function"), at(source, "toolSpec")].find(isJsonObject) ?? source;
  const schema = schemaPlaces.map((place) => at(declared, ...place)).find((found) => found !== undefined);
  return {
    name: wordAt(declared, "name") ?? wordAt(beside, "name") ?? wordAt(source, "title") ?? ownKind(source),
    description: textAt(declared, "description") ?? textAt(beside, "description"),
    parameters: parametersOf(unfolded(schema ?? source)),
    source,
  };
}

/** Tools that a provider runs have nothing but a type, `web_search`. */
function ownKind(source: Json): string {
  const type = wordAt(source, "type");
  return type === null || type === "function" || type === "object" ? "" : type;
}

const schemaPlaces = [
  ["parameters"],
  ["input_schema"],
  ["inputSchema", "json"],
  ["inputSchema"],
  ["parametersJsonSchema"],
] as const;

function ranTool(own: Json): Tool {
  const parameters = unfolded(at(own, "parameters") ?? null);
  return {
    name: wordAt(own, "name") ?? "",
    description: textAt(own, "description"),
    parameters: parametersOf(parameters),
    source: own,
  };
}

function parametersOf(schema: Json): ToolParameter[] {
  const properties = at(schema, "properties");
  if (!isJsonObject(properties)) return [];
  const required = new Set(elementsAt(schema, "required").map(({ value }) => value));
  return Object.keys(properties).map((name) => ({
    name,
    type: typeWords(properties[name]!),
    required: required.has(name),
    description: textAt(properties[name], "description"),
  }));
}

/** `string`, `integer | null`, `string[]`, `"keys" | "plan"`. */
function typeWords(schema: Json): string {
  const words = elementsAt(schema, "enum").map(({ value }) => JSON.stringify(value));
  if (words.length > 0 && words.length <= 5) return words.join(" | ");
  const type = at(schema, "type");
  if (Array.isArray(type)) return type.filter((each) => typeof each === "string").join(" | ");
  if (type === "array") {
    const element = wordAt(schema, "items", "type");
    return element === null ? "list" : `${element}[]`;
  }
  if (typeof type === "string") return type;
  return elementsAt(schema, "anyOf")
    .map(({ value }) => wordAt(value, "type"))
    .filter((each) => each !== null)
    .join(" | ");
}
