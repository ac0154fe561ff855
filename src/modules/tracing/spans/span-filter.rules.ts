// What a list of spans is narrowed by: the words of the query become codes and values
// (docs/protocol/filters.md#discrete-filters).
import type { Json } from "../../../kernel/json.ts";
import { isJsonObject, parseJson } from "../../../kernel/json.ts";
import { storableText } from "../../../kernel/validation-scalars.ts";
import { spanKinds, spanStatuses } from "../../../model/span.ts";
import { invalidAttributeFilter, invalidWords } from "./spans.errors.ts";

/** As sent. Absent lists and empty ones narrow nothing; the members of one list are alternatives. */
export interface SpanFilterInput {
  /** Microseconds UTC; the start of a span is at or after the first and before the second. */
  readonly startUs?: number | undefined;
  readonly endUs?: number | undefined;
  readonly traceKeys?: readonly string[] | undefined;
  readonly spanKeys?: readonly string[] | undefined;
  /** `null` asks for spans without a parent. */
  readonly parentKey?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  /** `key:value`; all must hold. */
  readonly attributes?: readonly string[] | undefined;
}

/** Equality with a scalar at a path of the nested attributes. */
interface AttributeFilter {
  readonly path: readonly string[];
  readonly value: Json;
}

/** Null members narrow nothing. */
export interface DiscreteSpanFilter {
  readonly startUs: number | null;
  readonly endUs: number | null;
  readonly traceKeys: readonly string[] | null;
  readonly spanKeys: readonly string[] | null;
  readonly parent: { readonly key: string | null } | null;
  readonly names: readonly string[] | null;
  /** Codes of the columns. */
  readonly kinds: readonly number[] | null;
  readonly statuses: readonly number[] | null;
  readonly attributes: readonly AttributeFilter[];
  /** No span can match: a number was asked for that no span can hold. */
  readonly matchesNothing: boolean;
}

/** Throws kind `invalid` that names the first parameter that cannot be read. */
export function spanFilterOf(input: SpanFilterInput): DiscreteSpanFilter {
  const kinds = codesOf("span_kind", input.kinds, spanKinds);
  const statuses = codesOf("status_code", input.statuses, spanStatuses);
  const attributes = (input.attributes ?? []).map(attributeFilterOf);
  return {
    startUs: input.startUs ?? null,
    endUs: input.endUs ?? null,
    traceKeys: listOrNull(input.traceKeys),
    spanKeys: listOrNull(input.spanKeys),
    parent: input.parentKey === undefined ? null : { key: input.parentKey === "null" ? null : input.parentKey },
    names: listOrNull(input.names),
    kinds,
    statuses,
    attributes: attributes.filter((filter) => filter !== null),
    matchesNothing: attributes.includes(null),
  };
}

function listOrNull(values: readonly string[] | undefined): readonly string[] | null {
  return values === undefined || values.length === 0 ? null : values;
}

function codesOf(
  parameter: string,
  sent: readonly string[] | undefined,
  words: readonly string[],
): readonly number[] | null {
  const list = listOrNull(sent);
  if (list === null) return null;
  const codes = list.map((word) => words.indexOf(word.toUpperCase()));
  const unknown = list.filter((_word, position) => codes[position] === -1);
  if (unknown.length > 0) throw invalidWords(parameter, unknown);
  return codes;
}

/** Null for a number beyond every double, which no span holds. */
function attributeFilterOf(text: string): AttributeFilter | null {
  const colon = text.indexOf(":");
  const [key, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 1) throw invalidAttributeFilter(text, "write key:value");
  if (value === "") throw invalidAttributeFilter(text, "the value is missing");
  const scalar = scalarOf(value);
  if (scalar === undefined) return { path: key.split("."), value: storableText(value) };
  if (scalar === null && value.trim() !== "null") return null;
  if (scalar === null || Array.isArray(scalar) || isJsonObject(scalar)) {
    throw invalidAttributeFilter(text, "lists, objects and null cannot be asked for");
  }
  return { path: key.split("."), value: typeof scalar === "string" ? storableText(scalar) : scalar };
}

/** The value that the text spells in JSON, undefined for any other text. */
function scalarOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
