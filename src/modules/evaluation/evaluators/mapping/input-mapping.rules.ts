// Input mappings: what is refused when one is sent, and the inputs that it gives for a context.
import { fail } from "../../../../kernel/failure.ts";
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { InputMapping } from "../evaluators.schema.ts";
import { JsonPathError, parseJsonPath, valuesAt } from "./json-path.rules.ts";

/** Checks a mapping as it was sent. Throws kind `invalid` that names the member. */
export function requireInputMapping(given: {
  readonly literalMapping: Json;
  readonly pathMapping: Json;
}): InputMapping {
  const { literalMapping, pathMapping } = given;
  if (!isJsonObject(literalMapping)) throw mappingRefused("literal_mapping must be a dictionary");
  if (!isJsonObject(pathMapping)) throw mappingRefused("path_mapping must be a dictionary");
  for (const [key, path] of Object.entries(pathMapping)) {
    if (typeof path !== "string") throw mappingRefused(`path_mapping: the path for key '${key}' is not a string`);
    readPath(key, path);
  }
  return { literalMapping, pathMapping: pathMapping as Readonly<Record<string, string>> };
}

/** The declared inputs: a literal, else the value at the path, else the context's member of the same name; several values at a path
 *  become a list. Throws kind `invalid` for a path without a value. */
export function mapInputs(
  { literalMapping, pathMapping }: InputMapping,
  declared: readonly string[],
  context: JsonObject,
): JsonObject {
  const inputs = emptyObject();
  for (const key of declared) {
    if (Object.hasOwn(literalMapping, key)) inputs[key] = literalMapping[key]!;
    else if (Object.hasOwn(pathMapping, key)) inputs[key] = valueAt(key, pathMapping[key]!, context);
    else if (Object.hasOwn(context, key)) inputs[key] = context[key]!;
  }
  return inputs;
}

/** Keys that are mapped, but not declared: they have no effect, and their paths are not followed. */
export function ignoredKeys({ literalMapping, pathMapping }: InputMapping, declared: readonly string[]): string[] {
  const known = new Set(declared);
  const mapped = new Set([...Object.keys(literalMapping), ...Object.keys(pathMapping)]);
  return [...mapped].filter((key) => !known.has(key)).sort();
}

function valueAt(key: string, path: string, context: JsonObject): Json {
  const values = valuesAt(readPath(key, path), context);
  if (values.length === 0) {
    throw mappingRefused(`JSONPath expression '${path}' for key '${key}' did not match any values`);
  }
  return values.length === 1 ? values[0]! : values;
}

function readPath(key: string, path: string) {
  try {
    return parseJsonPath(path);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw mappingRefused(`Invalid JSONPath expression for key '${key}': ${error.message}`);
  }
}

function mappingRefused(message: string) {
  return fail("evaluators.input_mapping", "invalid", message);
}
