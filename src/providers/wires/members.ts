// Reads members of JSON that may have any shape, and builds objects without empty members.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";
import type { TokenUsage } from "../model-event.ts";

export function memberObject(value: Json | undefined, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

export function memberList(value: Json | undefined, name: string): readonly Json[] {
  const member = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
}

/** Empty if it is not a string. */
export function memberText(value: Json | undefined, name: string): string {
  const member = isJsonObject(value) ? value[name] : undefined;
  return typeof member === "string" ? member : "";
}

/** Null if it is not a number. */
export function memberNumber(value: Json | undefined, name: string): number | null {
  return isJsonObject(value) ? numberOf(value[name]) : null;
}

/** Null if all are null. */
export function sumOf(...numbers: readonly (number | null)[]): number | null {
  const present = numbers.filter((number) => number !== null);
  return present.length === 0 ? null : present.reduce((sum, number) => sum + number, 0);
}

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

/** Counts that are left out are null. */
export function tokenUsage(counts: Partial<TokenUsage>): TokenUsage {
  return { ...NO_USAGE, ...counts };
}

const NO_USAGE: TokenUsage = {
  prompt: null,
  completion: null,
  total: null,
  cacheRead: null,
  cacheWrite: null,
  promptAudio: null,
  reasoning: null,
  completionAudio: null,
};
