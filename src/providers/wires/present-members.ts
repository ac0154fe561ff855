// Builds objects without empty members.
import type { JsonObject } from "../../kernel/json.ts";

/** The object without members that are undefined, null or an empty list. */
export function presentMembers(members: Readonly<Record<string, unknown>>): JsonObject {
  const present = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(present) as JsonObject;
}

/** The same, or undefined if no member remains. */
export function presentMembersOrUndefined(members: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const object = presentMembers(members);
  return Object.keys(object).length === 0 ? undefined : object;
}

/** `parameters` of a request: what is sent besides messages, model and tools. */
export function withExtraBody(settings: JsonObject, extra: JsonObject): JsonObject {
  return Object.keys(extra).length === 0 ? settings : { ...settings, extra_body: extra };
}
