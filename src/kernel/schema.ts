// The words in which inputs and answers are described, on top of TypeBox: what JSON Schema cannot say (instants, words with
// their own violation code, limits in bytes, rules of a whole object) is added here and read by validation.ts.
import {
  type ObjectOptions,
  type SchemaOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from "@sinclair/typebox";
import type { JsonObject } from "./json.ts";

/** Key of what a schema says beyond JSON Schema. A symbol, so that it never shows in the OpenAPI document. */
export const hints = Symbol("schema hints");

export interface Hints {
  /** Code of the violation when a value is of the wrong shape, where it differs from the usual one. */
  readonly violation?: string;
  /** Largest size of a text in bytes of UTF-8. */
  readonly maxBytes?: number;
  /** A text is read without the blanks around it, and checked so. */
  readonly trimmed?: boolean;
  /** Words in any letter case; read as the schema spells them. */
  readonly anyCase?: boolean;
  /** A number that may be infinite. */
  readonly infinite?: boolean;
  /** `true` and `false` are not read as the numbers 1 and 0. */
  readonly notBoolean?: boolean;
  /** Checked when every member of the object is valid; gets the value and the object as sent. Answers with the problem. */
  rule?(value: unknown, input: JsonObject): string | null;
}

export interface HintedSchema extends TSchema {
  readonly [hints]?: Hints;
}

function withHints<Schema extends TSchema>(schema: Schema, added: Hints): Schema {
  return { ...schema, [hints]: { ...(schema as HintedSchema)[hints], ...added } };
}

/** Also null. */
export function Nullable<Schema extends TSchema>(schema: Schema, options: SchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** One of the words, exactly or in any letter case. The code is `literal_error`, or `enum` where clients expect that. */
export function Words<const Word extends string>(
  words: readonly Word[],
  options: SchemaOptions & { readonly violation?: "literal_error" | "enum"; readonly anyCase?: boolean } = {},
) {
  const { violation, anyCase, ...rest } = options;
  const schema = Type.Unsafe<Word>({ type: "string", enum: [...words], ...rest });
  return withHints(schema, { ...(violation === undefined ? {} : { violation }), ...(anyCase ? { anyCase } : {}) });
}

/** One of several objects, distinguished by the word in the member `tag`, which each of them has as a literal. */
export function Tagged<Branches extends TObject[]>(tag: string, branches: [...Branches], options: SchemaOptions = {}) {
  return Type.Union(branches, { discriminator: { propertyName: tag }, ...options });
}

/** A text of at most `maxBytes` bytes of UTF-8. */
export function BoundedText(maxBytes: number, options: Parameters<typeof Type.String>[0] = {}) {
  return withHints(Type.String({ maxLength: maxBytes, ...options }), { maxBytes });
}

/** A text with something in it, read without the blanks around it. */
export function TrimmedText(options: Parameters<typeof Type.String>[0] = {}) {
  return withHints(Type.String({ minLength: 1, ...options }), { trimmed: true });
}

/** A number that may be infinite, as the query texts `inf` and `-inf`; `nan` is below every bound. */
export function Unlimited(options: Parameters<typeof Type.Number>[0] = {}) {
  return withHints(Type.Number(options), { infinite: true });
}

/** A number as which `true` and `false` are not read: an amount that decides what is deleted. */
export function Amount(options: Parameters<typeof Type.Number>[0] = {}) {
  return withHints(Type.Number(options), { notBoolean: true });
}

/** A date and time of a request, read into microseconds UTC (docs/protocol/rest.md#bodies-and-values). */
export function Instant(options: SchemaOptions = {}) {
  return Type.Unsafe<number>({ type: "string", format: "date-time", ...options });
}

/** A date and time of an answer, as `formatInstant` writes it. */
export function InstantText(options: SchemaOptions = {}) {
  return Type.Unsafe<string>({ type: "string", format: "date-time", ...options });
}

/** A JSON object of any content, kept without loss. */
export function AnyObject(options: SchemaOptions = {}) {
  return Type.Unsafe<JsonObject>({ type: "object", additionalProperties: true, ...options });
}

/** An object without any member but these: a further one is an `extra_forbidden`. Others ignore what they do not know. */
export function Closed<Properties extends TProperties>(properties: Properties, options: ObjectOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** An object that must also satisfy `rule`; its violation is a `value_error` that points at the object. */
export function Ruled<Schema extends TSchema>(
  schema: Schema,
  rule: (value: Static<Schema>, input: JsonObject) => string | null,
): Schema {
  return withHints(schema, { rule });
}

/** The same schema with another code for a value that is not an object, e.g. `model_type`. */
export function WithViolation<Schema extends TSchema>(schema: Schema, violation: string): Schema {
  return withHints(schema, { violation });
}
