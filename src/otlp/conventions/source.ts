// The attributes of a span as families of conventions read them, leniently.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import type { DecodedAttributes } from "../decoded/decoded.ts";
import { present } from "../genai/values.ts";

/** The attributes of a span, what was added to them so far included. */
export type Source = DecodedAttributes;

/** The value of a JSON text, structured values as they are, undefined for other text. */
export function structured(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? parseEmbeddedJson(value) : value;
}

/** The object in a JSON text or an attribute, else an empty one. */
export function objectIn(value: Json | undefined): JsonObject {
  const object = structured(value);
  return isJsonObject(object) ? object : emptyObject();
}

/** The objects of a list; a list may be JSON text, and so may each element. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  const list = structured(value);
  return Array.isArray(list) ? list.map(structured).filter(isJsonObject) : [];
}

/** The first of the attributes that says anything. */
export function firstOf(source: Source, ...keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const value = present(source, key);
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}

/** The attributes below a prefix, by the rest of their keys. */
export function below(source: Source, prefix: string): JsonObject {
  const members = emptyObject();
  for (const key of source.keys()) {
    if (!key.startsWith(prefix)) continue;
    const value = present(source, key);
    if (value !== undefined) members[key.slice(prefix.length)] = value;
  }
  return members;
}
