// The columns beside the attributes of a span: kind, session, user, model, token counts, heads of input and output
// (docs/protocol/ingestion.md#columns-beside-the-attributes).
import { createHash } from "node:crypto";
import { integerToJson, isJsonObject, isRawNumber, type Json, type JsonObject, numberOf } from "../kernel/json.ts";
import { pythonText } from "../model/attributes/python-text.ts";
import { exceedsBytes, headOfBytes, headOfCharacters } from "../model/attributes/text.ts";
import {
  type AttributeReading,
  attributeFields,
  HEAD_CHARACTERS,
  MAX_KEY_BYTES,
  MAX_TOKENS_PER_SPAN,
  type SpanColumns,
  type SpanKind,
  spanKinds,
} from "../model/span.ts";

/** What stays readable of a key that is too long for an index. */
const SHORTENED_KEY_HEAD_BYTES = 900;
/** Python, whose spelling of integers counts here, reads no longer ones. */
const MAX_INTEGER_DIGITS = 4300;

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const kinds = new Map<string, SpanKind>(spanKinds.map((kind) => [kind, kind]));

/** The value at a path of member names, or undefined. */
export function valueAt(attributes: JsonObject, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = attributes;
  for (const name of path) {
    if (!isJsonObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

const DAY_US = 24 * 3_600_000_000;
/** A hundred years. */
const MAX_LIFETIME_DAYS = 36_525;

/** Microseconds, of days from above 0 to a hundred years as a number or its text; null for everything else. */
export function lifetimeUsOf(value: Json | undefined): number | null {
  const days = typeof value === "string" && value.trim() !== "" ? Number(value) : numberOf(value);
  return days !== null && days > 0 && days <= MAX_LIFETIME_DAYS ? Math.ceil(days * DAY_US) : null;
}

/** The normalised kind of a text in any case of ASCII letters; UNKNOWN for everything else. */
export function spanKindOf(value: Json | undefined): SpanKind {
  if (typeof value !== "string") return "UNKNOWN";
  return kinds.get(value) ?? (/^[a-zA-Z]+$/.test(value) ? kinds.get(value.toUpperCase()) : undefined) ?? "UNKNOWN";
}

/** The key under which a session id is stored and looked up: trimmed, and shortened in a repeatable way where it is too long
 *  for an index. Null for a blank id. */
export function sessionKeyOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : shortenKey(trimmed);
}

/** The text itself up to MAX_KEY_BYTES, else its head and its hash. */
function shortenKey(text: string): string {
  if (!exceedsBytes(text, MAX_KEY_BYTES)) return text;
  const hash = createHash("sha256").update(text, "utf8").digest("hex");
  return `${headOfBytes(text, SHORTENED_KEY_HEAD_BYTES)}…sha256:${hash}`;
}

/** A value as the text of a key (`True`, `3.25`, `[1, '2']`), or null if it is absent or blank. */
export function keyTextOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return sessionKeyOf(pythonText(value));
}

/** The value as an integer, or undefined: texts such as `" 12 "` and `"1_000"`, doubles cut towards zero,
 *  booleans. */
export function integerOf(value: Json | undefined): Json | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") {
    const text = value.trim();
    if (text.length > MAX_INTEGER_DIGITS || !INTEGER.test(text)) return undefined;
    return integerToJson(BigInt(text.replaceAll("_", "").replace(/^\+/, "")));
  }
  if (isRawNumber(value) && !/[.eE]/.test(value.rawJSON)) return value;
  const number = numberOf(value);
  if (number === null || !Number.isFinite(number)) return undefined;
  return integerToJson(Number.isSafeInteger(number) ? number + 0 : BigInt(Math.trunc(number)));
}

/** A token count for the columns: 0 where it cannot be read, capped in both directions. */
export function tokenCountOf(value: Json | undefined): number {
  const count = numberOf(integerOf(value)) ?? 0;
  return Math.max(-MAX_TOKENS_PER_SPAN, Math.min(MAX_TOKENS_PER_SPAN, count)) + 0;
}

/** The first characters of an input or output as text, or null if there is none. */
export function headOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return headOfCharacters(pythonText(value), HEAD_CHARACTERS);
}

const readings = { key: keyTextOf, days: lifetimeUsOf } satisfies Record<AttributeReading, unknown>;

/** The fields that one attribute says. */
export const plainFields = Object.entries(attributeFields).flatMap(([name, field]) =>
  "path" in field ? [{ name, path: field.path, read: readings[field.reading] }] : [],
);

type PlainName = {
  [Name in keyof typeof attributeFields]: (typeof attributeFields)[Name] extends { readonly path: unknown }
    ? Name
    : never;
}[keyof typeof attributeFields];

/** Those fields, of values in the order of `plainFields`. */
export function plainColumns(valueAtPlace: (position: number) => Json | undefined): Pick<SpanColumns, PlainName> {
  const columns: Record<string, string | number | null> = {};
  for (let place = 0; place < plainFields.length; place++) {
    const { name, read } = plainFields[place]!;
    columns[name] = read(valueAtPlace(place));
  }
  return columns as Pick<SpanColumns, PlainName>;
}
