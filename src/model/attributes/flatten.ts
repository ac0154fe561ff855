// Turns nested attributes back into dotted keys for the span listings.
import { emptyObject, isJsonObject, type Json, type JsonObject } from "../../kernel/json.ts";

/** Flat attributes: objects and lists that hold an object are walked, other lists are values; nulls, empty objects and the
 *  scalars of mixed lists disappear. */
export function flatten(attributes: JsonObject): JsonObject {
  const flat = emptyObject();
  for (const key of Object.keys(attributes)) collect(flat, key, attributes[key]!);
  return flat;
}

function collect(flat: JsonObject, path: string, value: Json): void {
  if (isJsonObject(value)) {
    for (const key of Object.keys(value)) collect(flat, `${path}.${key}`, value[key]!);
  } else if (Array.isArray(value) && value.some(isJsonObject)) {
    value.forEach((item, position) => {
      if (isJsonObject(item)) collect(flat, `${path}.${position}`, item);
    });
  } else if (value !== null) {
    flat[path] = value;
  }
}
