// Values that need no reading at all: TypeBox compiles a check which lets through what a walk would only copy, texts that may be
// stored, numbers that are numbers, known members only. Whatever fails it is walked (validation.ts), which alone knows what is
// coerced and what is answered. The compiler makes functions of text (`new Function`): on the server, never in the pages.
import { Kind, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { isJsonObject, type Json } from "./json.ts";
import { hints } from "./schema.ts";
import type { Keywords } from "./validation-reading.ts";
import { isStorable, scalarReader } from "./validation-scalars.ts";
import { Violations } from "./violations.ts";

export type Check = (input: unknown) => boolean;

/** Compiles the check whether reading would give the value as it is; null for a schema whose values are always changed
 *  (instants), or that says what no check of shapes can (rules, tags). */
export function compileCheck(schema: Keywords): Check | null {
  const exact = exactSchema(schema);
  if (exact === null) return null;
  const compiled = TypeCompiler.Compile(exact);
  return (input) => compiled.Check(input);
}

const INT64_LIMIT = 2 ** 63;

/** A part of a schema that is checked by a function of ours. */
const LEAF = "spanlight leaf";
TypeRegistry.Set<TSchema & { holds: Check }>(LEAF, ({ holds }, value) => holds(value));

function leaf(holds: Check): TSchema {
  return Type.Unsafe<unknown>({ [Kind]: LEAF, holds });
}

const storableText = leaf(isStorable);
const anyObject = leaf((value) => isJsonObject(value as Json));

function exactSchema(schema: Keywords): TSchema | null {
  if (schema.anyOf !== undefined) return exactNullable(schema.anyOf);
  const words = schema.const === undefined ? schema.enum : [schema.const as string];
  if (words !== undefined) return leaf((value) => words.includes(value as string));
  switch (schema.type) {
    case "string":
      return exactText(schema);
    case "integer":
      return Type.Integer({ minimum: -INT64_LIMIT, exclusiveMaximum: INT64_LIMIT, ...boundsOf(schema) });
    case "number":
      return Type.Number(boundsOf(schema));
    case "boolean":
      return Type.Boolean();
    case "array":
      return exactList(schema);
    case "object":
      return exactObject(schema);
    default:
      return null;
  }
}

function boundsOf(schema: Keywords): Record<string, number> {
  const bounds: Record<string, number> = {};
  for (const name of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const) {
    if (schema[name] !== undefined) bounds[name] = schema[name];
  }
  return bounds;
}

function exactText(schema: Keywords): TSchema | null {
  const { format, minLength, maxLength, pattern } = schema;
  if (format !== undefined) return null;
  const limits = [minLength, maxLength, pattern, schema[hints]?.maxBytes, schema[hints]?.trimmed];
  if (limits.every((limit) => limit === undefined)) return storableText;
  const read = scalarReader(schema);
  return leaf(
    (value) => isStorable(value) && read(value as string, { loc: [], violations: new Violations() }) === value,
  );
}

/** Null or one other; further unions are walked. */
function exactNullable(branches: readonly Keywords[]): TSchema | null {
  const [only, ...more] = branches.filter((branch) => branch.type !== "null");
  const exact = only === undefined || more.length > 0 ? null : exactSchema(only);
  if (exact === null) return null;
  return branches.length > 1 ? Type.Union([Type.Null(), exact]) : exact;
}

function exactList({ items, minItems, maxItems }: Keywords): TSchema | null {
  const exact = items === undefined ? null : exactSchema(items);
  return exact === null || minItems !== undefined || maxItems !== undefined ? null : Type.Array(exact);
}

function exactObject({ properties, required = [], ...schema }: Keywords): TSchema | null {
  if (properties === undefined) return anyObject;
  if (schema[hints]?.rule !== undefined) return null;
  const members: Record<string, TSchema> = {};
  for (const [name, member] of Object.entries(properties)) {
    const exact = exactSchema(member);
    if (exact === null) return null;
    // One with a default that is left out is filled in by the walk.
    members[name] = required.includes(name) || member.default !== undefined ? exact : Type.Optional(exact);
  }
  return Type.Object(members, { additionalProperties: false });
}
