// Reads single attributes of the OpenTelemetry GenAI conventions leniently: numbers for texts, integers in
// texts, lists in JSON texts.
import { integerOf } from "../../ingest/span-columns.ts";
import { isJsonObject, isRawNumber, type Json, type JsonObject } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import { pythonJson, pythonText } from "../../model/attributes/python-text.ts";
import type { DecodedAttributes, DecodedValue } from "../decoded/decoded.ts";

/** Converted attributes before it is known which of them the span already has. */
export type Converted = Map<string, Json>;

/** A value that the span really carries: bytes and unset values count as absent. */
export function present(attributes: DecodedAttributes, key: string): Json | undefined {
  const value = attributes.get(key);
  return value === null || value instanceof Uint8Array ? undefined : value;
}

/** A text as it is, other scalars as text, undefined for everything else. */
export function scalarText(value: DecodedValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" || isRawNumber(value) ? pythonText(value) : undefined;
}

export function isTruthy(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (isRawNumber(value)) return Number(value.rawJSON) !== 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** Integers, whole doubles and integers as text; nothing else counts tokens. */
export function tokenNumber(value: Json | undefined): Json | undefined {
  if (typeof value === "boolean") return undefined;
  if (typeof value === "number" && !Number.isInteger(value)) return undefined;
  return integerOf(value);
}

/** A text as it is, any other value as JSON text. */
export function textOrJson(value: Json): string {
  return typeof value === "string" ? value : pythonJson(value, false);
}

/** The list in a JSON text, or undefined: structured values and other JSON are not read. */
export function listInText(value: Json | undefined): Json[] | undefined {
  if (typeof value !== "string") return undefined;
  const list = parseEmbeddedJson(value);
  return Array.isArray(list) ? list : undefined;
}

/** Whether a member is a text, or absent. */
export function isOptionalText(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === "string";
}

/** Every element converted, or undefined as soon as one is not an object or not convertible. */
export function everyObject<Item>(list: Json[] | undefined, convert: (item: JsonObject) => Item | undefined) {
  if (list === undefined) return undefined;
  const items: Item[] = [];
  for (const element of list) {
    const item = isJsonObject(element) ? convert(element) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}
