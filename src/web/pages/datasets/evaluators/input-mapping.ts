// Where the inputs of an evaluator come from: a path into the example and the output that is judged, or a fixed value.
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import { chatVariables } from "../../../../modules/evaluation/prompts/content/template-filling.rules.ts";
import { messageOf, type PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { text } from "../../../texts/texts.ts";
import type { BuiltInKind, ListedEvaluator, TriedExample } from "./evaluators.queries.ts";

export interface InputDraft {
  readonly from: "path" | "value";
  /** A path, or the value as text; JSON for what is no text. */
  readonly source: string;
}

/** An input that an evaluator takes. */
export interface DeclaredInput {
  readonly name: string;
  readonly type: "string" | "boolean" | "any";
  readonly hint: string | null;
  readonly isRequired: boolean;
  /** Of a boolean. */
  readonly initial: boolean;
}

export type InputDrafts = Readonly<Record<string, InputDraft>>;

export function builtInInputs({ inputSchema }: Pick<BuiltInKind, "inputSchema">): readonly DeclaredInput[] {
  const schema = inputSchema as JsonObject | null;
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, given]) => {
    const property = isJsonObject(given) ? given : {};
    return {
      name,
      type: property.type === "string" || property.type === "boolean" ? property.type : "any",
      hint: typeof property.description === "string" ? property.description : null,
      isRequired: required.includes(name),
      initial: property.default === true,
    };
  });
}

/** The variables of the prompt; none while a template has a mistake, which its field shows. */
export function promptInputs({ messages, format }: PromptDraft): readonly DeclaredInput[] {
  try {
    const uses = chatVariables(
      messages.map((message) => messageOf({ ...message, parts: message.parts.filter(({ kind }) => kind === "text") })),
      format,
    );
    return [...uses].map(([name, use]) => ({
      name,
      type: use === "text" ? "string" : "any",
      hint: null,
      isRequired: true,
      initial: false,
    }));
  } catch {
    return [];
  }
}

const guesses: Readonly<Record<string, string>> = {
  text: "$.output",
  actual: "$.output",
  output: "$.output",
  expected: "$.reference",
  reference: "$.reference",
  input: "$.input",
  metadata: "$.metadata",
};

/** What an input begins with. */
export function guessedInput({ name, type }: Pick<DeclaredInput, "name" | "type">): InputDraft {
  if (type === "boolean") return { from: "value", source: "" };
  const guess = guesses[name];
  return guess === undefined && (name === "words" || name === "pattern")
    ? { from: "value", source: "" }
    : { from: "path", source: guess ?? "" };
}

export function storedInputs({ literalMapping, pathMapping }: ListedEvaluator["inputMapping"]): InputDrafts {
  const drafts: Record<string, InputDraft> = {};
  for (const [name, path] of Object.entries(pathMapping as JsonObject)) {
    drafts[name] = { from: "path", source: String(path) };
  }
  for (const [name, value] of Object.entries(literalMapping as JsonObject)) {
    drafts[name] = { from: "value", source: typeof value === "string" ? value : stringifyJson(value) };
  }
  return drafts;
}

/** The mapping that is sent: of the declared inputs only. */
export function mappingOf(declared: readonly DeclaredInput[], drafts: InputDrafts) {
  const literalMapping: JsonObject = {};
  const pathMapping: Record<string, string> = {};
  for (const input of declared) {
    const { from, source } = drafts[input.name] ?? guessedInput(input);
    if (from === "path") {
      if (source.trim() !== "") pathMapping[input.name] = source.trim();
    } else if (input.type === "boolean") {
      if (source !== "") literalMapping[input.name] = source === "true";
    } else if (input.type === "string" || source !== "") {
      literalMapping[input.name] = input.type === "string" ? source : typedValue(source);
    }
  }
  return { literalMapping, pathMapping };
}

/** JSON, or else the text itself. */
function typedValue(source: string): Json {
  try {
    return parseJson(source);
  } catch {
    return source;
  }
}

const MEMBER = /^[A-Za-z_]\w*$/;
/** Of an example: more would not be read. */
const MOST_PATHS = 60;

/** Paths into what is judged, the parts first, then their members to the second level. */
export function suggestedPaths(context: JsonObject): readonly string[] {
  const parts = Object.keys(context).map((name) => `$.${name}`);
  const members = Object.entries(context).flatMap(([name, value]) => membersOf(`$.${name}`, value, 2));
  return [...parts, ...members].slice(0, MOST_PATHS);
}

function membersOf(path: string, value: Json, levels: number): readonly string[] {
  if (levels === 0) return [];
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [`${path}[0]`, ...membersOf(`${path}[0]`, value[0]!, levels - 1)];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = MEMBER.test(name) ? `${path}.${name}` : `${path}[${`'${name.replace(/['\\]/g, "\\$&")}'`}]`;
    return [own, ...membersOf(own, member, levels - 1)];
  });
}

/** What an evaluator sees of an example. Until a task has run, the expected output stands for what is judged. */
export function contextOf({ revision }: Pick<TriedExample, "revision">): JsonObject {
  const { input, output, metadata } = revision;
  return { input: input as Json, output: output as Json, reference: output as Json, metadata: metadata as Json };
}

/** A mapping in one line. */
export function mappingText({ literalMapping, pathMapping }: ListedEvaluator["inputMapping"]): string {
  const paths = Object.entries(pathMapping as JsonObject).map(([name, path]) => `${name} ← ${String(path)}`);
  const values = Object.entries(literalMapping as JsonObject).map(
    ([name, value]) => `${name} = ${stringifyJson(value)}`,
  );
  return [...paths, ...values].join(", ") || text("evaluators.mapping.same");
}
