// The three parts of an example while they are written: JSON texts, of which each must be an object.
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import { jsonProblem } from "../../../kit/editor/json-problem.ts";
import { text } from "../../../texts/texts.ts";

export const exampleParts = ["input", "output", "metadata"] as const;
export type ExamplePart = (typeof exampleParts)[number];
type ExampleDraft = Readonly<Record<ExamplePart, string>>;

export function draftOf(content: Readonly<Record<ExamplePart, unknown>>): ExampleDraft {
  return {
    input: written(content.input as Json),
    output: written(content.output as Json),
    metadata: written(content.metadata as Json),
  };
}

/** The member names of another example, with empty values. */
export function draftLike(content: Readonly<Record<ExamplePart, unknown>> | undefined): ExampleDraft {
  const names = (part: ExamplePart, otherwise: readonly string[]) => {
    const value = content?.[part] as Json | undefined;
    const found = isJsonObject(value) ? Object.keys(value) : otherwise;
    return written(Object.fromEntries(found.map((name) => [name, ""])));
  };
  return { input: names("input", ["input"]), output: names("output", ["output"]), metadata: written({}) };
}

const written = (value: Json) => JSON.stringify(value, null, 2);

/** What is wrong with a part; null for an object. */
export function problemOf(source: string): string | null {
  const problem = jsonProblem(source);
  if (problem !== null) return problem.message;
  return isJsonObject(parseJson(source)) ? null : text("datasets.edit.object");
}

/** Of a part that has no problem. */
export function objectOf(source: string): JsonObject {
  return parseJson(source) as JsonObject;
}

/** The parts that say something else than they did. */
export function changedParts(before: ExampleDraft, now: ExampleDraft): readonly ExamplePart[] {
  return exampleParts.filter((part) => {
    if (before[part] === now[part]) return false;
    if (problemOf(now[part]) !== null) return true;
    return stringifyJson(objectOf(before[part])) !== stringifyJson(objectOf(now[part]));
  });
}

/** An object without members. */
export function isNothing(source: string): boolean {
  return problemOf(source) === null && Object.keys(objectOf(source)).length === 0;
}

/** An object that holds nothing but one text, to be written as such. */
interface OneText {
  readonly name: string;
  readonly value: string;
}

export function oneTextOf(source: string): OneText | null {
  if (jsonProblem(source) !== null) return null;
  const value = parseJson(source);
  if (!isJsonObject(value)) return null;
  const [only, ...others] = Object.entries(value);
  return only === undefined || others.length > 0 || typeof only[1] !== "string"
    ? null
    : { name: only[0], value: only[1] };
}

export function withText(name: string, value: string): string {
  return written({ [name]: value });
}
