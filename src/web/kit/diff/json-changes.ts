// What is different between two JSON objects, by the path of each member. Lists are compared as wholes when their lengths differ.
import { isJsonObject, isRawNumber, type Json, type JsonObject, stringifyJson } from "../../../kernel/json.ts";

export interface JsonChange {
  /** Names and positions, joined by dots. */
  readonly path: string;
  /** Undefined where it is not. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export function jsonChanges(before: Json | undefined, after: Json | undefined, path = ""): readonly JsonChange[] {
  const below = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => jsonChanges(memberOf(before, name), memberOf(after, name), below(name)));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each, position) => jsonChanges(each, after[position], below(position)));
  }
  const isSame = before !== undefined && after !== undefined && stringifyJson(before) === stringifyJson(after);
  return isSame || before === after ? [] : [{ path, before, after }];
}

/** Not what every object has by itself. */
function memberOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: Json | undefined): value is Extract<Json, Record<string, unknown>> {
  return isJsonObject(value) && !isRawNumber(value);
}
