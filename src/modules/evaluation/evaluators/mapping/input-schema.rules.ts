// What an evaluator takes: declared inputs, the values that are cast to them, and what is wrong with a value.
import { fail } from "../../../../kernel/failure.ts";
import { isJsonObject, isRawNumber, type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";

/** A subset of JSON Schema: enough for pages to draw a form, and for programs to validate. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, InputProperty>>;
  readonly required: readonly string[];
}

export interface InputProperty {
  /** Absent for any value. */
  readonly type?: "string" | "boolean";
  readonly title?: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** Of a value in a message. */
const SHOWN_CHARACTERS = 100;

/** Texts stay, other values become compact JSON. */
function textOfValue(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

/** The values with texts cast, and defaults in the place of what is absent. Throws kind `invalid` that names the first input that is
 *  missing or of another type. */
export function castInputs(schema: InputSchema, values: JsonObject): JsonObject {
  for (const name of schema.required) {
    if (!Object.hasOwn(values, name)) throw validationFailed(`'${name}' is a required property`);
  }
  const cast = Object.create(null) as JsonObject;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(values, name)) {
      if (property.default !== undefined) cast[name] = property.default;
      continue;
    }
    const value = values[name]!;
    if (property.type === "boolean" && typeof value !== "boolean") {
      throw validationFailed(`${shown(value)} is not of type 'boolean'`);
    }
    cast[name] = property.type === "string" ? textOfValue(value) : value;
  }
  return cast;
}

function validationFailed(problem: string) {
  return fail("evaluators.input", "invalid", `Input validation failed: ${problem}`);
}

function shown(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  if (typeof value !== "string") return isRawNumber(value) ? value.rawJSON : stringifyJson(value);
  return `'${value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value}'`;
}
