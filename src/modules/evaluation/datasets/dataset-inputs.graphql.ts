// What mutations of datasets take: texts, objects and ids, each refused by its name.
import { argumentRefused } from "../../../graphql/connection.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import { exampleNameOf } from "./dataset-content.rules.ts";
import { operationRefused } from "./datasets.errors.ts";
import type { VersionWords } from "./datasets.schema.ts";
import type { ExampleOperation, NamedExample, ReplacedFields } from "./examples/dataset-operations.rules.ts";

type Nullish<Value> = Value | null | undefined;

/** Throws kind `invalid` with the message for what is no object. */
export function requireObject(value: unknown, message: string): JsonObject {
  if (!isJsonObject(value as Json)) throw operationRefused(message);
  return value as JsonObject;
}

/** JSON text of the metadata of a dataset or a split; `{}` without any. */
export function objectText(value: unknown): string {
  if (value === null || value === undefined) return "{}";
  return stringifyJson(requireObject(value, "metadata: must be a JSON object"));
}

interface GivenChanges {
  readonly name?: Nullish<string>;
  readonly description?: Nullish<string>;
  readonly metadata?: unknown;
}

/** What is changed of a name and a description: what is left out stays, null clears the description. Throws kind `invalid` for a null that
 *  clears nothing. */
export function changedWords({ name, description, metadata }: GivenChanges) {
  if (name === null) throw argumentRefused("name", "must not be null");
  if (metadata === null) throw argumentRefused("metadata", "must not be null");
  return {
    ...(name === undefined ? {} : { name: storableText(name) }),
    ...(description === undefined ? {} : { description: description === null ? null : storableText(description) }),
  };
}

/** Description and metadata of the version that a change makes. */
export function versionWordsOf(description: Nullish<string>, metadata: unknown): VersionWords {
  const text = storableText(description ?? "").trim();
  return {
    description: text === "" ? null : text,
    metadata:
      metadata === null || metadata === undefined
        ? "{}"
        : stringifyJson(requireObject(metadata, "Version metadata must be a JSON object.")),
  };
}

interface GivenExample {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly metadata?: unknown;
  readonly externalId?: Nullish<string>;
}

/** An example that is added; `place` names it in a refusal. */
export function addedExample(given: GivenExample, place: string, spanId: number | null = null): ExampleOperation {
  const message = `${place}: input, output, and metadata must be JSON objects.`;
  const externalId = storableText(given.externalId ?? "").trim();
  return {
    kind: "add",
    example: {
      input: requireObject(given.input, message),
      output: requireObject(given.output, message),
      metadata: requireObject(given.metadata, message),
      externalId: externalId === "" ? null : externalId,
      spanId,
    },
  };
}

/** An example by its global id. Throws kind `invalid` with the message for any other text. */
export function namedExample(id: string, message: string): NamedExample {
  const name = exampleNameOf(id);
  if (name.namedExample === null) throw operationRefused(message);
  return { ...name, text: id };
}

interface GivenPatch {
  readonly exampleId: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly metadata?: unknown;
}

/** Patches as operations: each example once, each with something to replace. */
export function patchOperations(patches: readonly GivenPatch[]): ExampleOperation[] {
  if (patches.length === 0) throw argumentRefused("patches", "Must provide examples to patch.");
  const ids = patches.map(({ exampleId }) => exampleId);
  const repeated = ids.find((id, position) => ids.indexOf(id) !== position);
  if (repeated !== undefined) throw argumentRefused("patches", `Cannot patch the example ${repeated} more than once`);
  return patches.map((patch, position): ExampleOperation => {
    const fields: ReplacedFields = Object.fromEntries(
      (["input", "output", "metadata"] as const).flatMap((field) => {
        const value = patch[field];
        if (value === null || value === undefined) return [];
        return [[field, requireObject(value, `patches[${position}].${field} must be a JSON object.`)]];
      }),
    );
    if (Object.keys(fields).length === 0) {
      throw argumentRefused("patches", `Received no patch for the example ${patch.exampleId}`);
    }
    const named = namedExample(patch.exampleId, `patches[${position}].exampleId is not a dataset example ID.`);
    return { kind: "replace", named, fields };
  });
}
