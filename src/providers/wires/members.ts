// Reading members of answers that may be anything, and writing members only where there is something to write.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";

export function memberObject(value: Json | undefined, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

export function memberList(value: Json | undefined, name: string): readonly Json[] {
  const member = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
}

/** Empty for what is no text. */
export function memberText(value: Json | undefined, name: string): string {
  const member = isJsonObject(value) ? value[name] : undefined;
  return typeof member === "string" ? member : "";
}

/** Null for what is no number. */
export function memberNumber(value: Json | undefined, name: string): number | null {
  return isJsonObject(value) ? numberOf(value[name]) : null;
}

/** Null where all are null. */
export function sumOf(...numbers: readonly (number | null)[]): number | null {
  const given = numbers.filter((number) => number !== null);
  return given.length === 0 ? null : given.reduce((sum, number) => sum + number, 0);
}

/** Without members that are undefined, null or an empty list: nothing is sent for what was not set. */
export function given(members: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as JsonObject;
}

/** The same, or undefined where nothing is left. */
export function givenOrNothing(members: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const object = given(members);
  return Object.keys(object).length === 0 ? undefined : object;
}
