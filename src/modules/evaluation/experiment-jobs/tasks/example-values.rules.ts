// What a template is filled with, taken from an example by a dot path.
import { fail } from "../../../../kernel/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";

/** An example as tasks and evaluations see it. */
export interface TaskExample {
  /** Row id. */
  readonly id: number;
  readonly input: JsonObject;
  /** The expected output. */
  readonly output: JsonObject;
  readonly metadata: JsonObject;
}

/** Throws kind `invalid` where the path leads nowhere, or to what is no object. */
export function templateVariables({ input, output, metadata }: TaskExample, path: string): JsonObject {
  const value = valueAtPath({ input, reference: output, metadata }, path);
  if (isJsonObject(value)) return value;
  throw refusedPath(`Value at path '${path}' is not an object (got ${typeNameOf(value)})`);
}

/** The value at a dot path; the whole for an empty path. Throws kind `invalid` where the path leads nowhere. */
export function valueAtPath(whole: JsonObject, path: string): Json {
  let value: Json = whole;
  for (const key of path === "" ? [] : path.split(".")) {
    if (!isJsonObject(value))
      throw refusedPath(`Cannot traverse path '${path}': '${key}' is below ${typeNameOf(value)}`);
    if (!Object.hasOwn(value, key)) throw refusedPath(`Key '${key}' not found in path '${path}'`);
    value = value[key]!;
  }
  return value;
}

/** Types as clients of the protocol know them: by the names of Python. */
export function typeNameOf(value: Json): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "str";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    default:
      return isJsonObject(value) ? "dict" : "float";
  }
}

export const refusedPath = (message: string) => fail("experiment_jobs.path_refused", "invalid", message);
