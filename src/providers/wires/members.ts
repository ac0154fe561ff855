// Reads members of JSON that may have any shape.
import { isJsonObject, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";

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
