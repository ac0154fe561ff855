// Reads single fields of OTLP/JSON, in both spellings of their names and with the forms that senders use for numbers, ids
// and enumerations. A field of a wrong type fails with `otlp.unreadable_field`.
import { fail } from "../../kernel/failure.ts";
import { integerToJson, isJsonObject, isRawNumber, type Json, type JsonObject, numberOf } from "../../kernel/json.ts";
import { microsecondsFromNanoseconds } from "../../kernel/time.ts";
import { storableText } from "../../kernel/validation-scalars.ts";

const HEX = /^[0-9a-fA-F]*$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Digits of the longest number of 64 bits. */
const INTEGER = /^[+-]?\d{1,20}$/;

function unreadable(name: string, expected: string) {
  return fail("otlp.unreadable_field", "invalid", `The field "${name}" is not ${expected}`);
}

const snakeNames = new Map<string, string>();

function snakeName(name: string): string {
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNames.set(name, snake);
  }
  return snake;
}

/** The value of a field of OTLP under its camelCase name or, as some senders write it, with underscores. */
export function fieldOf(object: JsonObject, name: string): Json {
  return object[name] ?? object[snakeName(name)] ?? null;
}

export function objectField(object: JsonObject, name: string): JsonObject | null {
  const value = fieldOf(object, name);
  if (value === null || isJsonObject(value)) return value;
  throw unreadable(name, "an object");
}

export function listField(object: JsonObject, name: string): readonly JsonObject[] {
  const value = fieldOf(object, name);
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => isJsonObject(item))) return value as JsonObject[];
  throw unreadable(name, "a list of objects");
}

export function textField(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  if (value === null) return "";
  if (typeof value === "string") return storableText(value);
  throw unreadable(name, "a text");
}

/** An integer sent as a number or as text. */
export function integerOfField(value: Json, name: string): Json {
  const digits = isRawNumber(value) ? value.rawJSON : value;
  if (typeof digits === "string" && INTEGER.test(digits)) return integerToJson(BigInt(digits.replace("+", "")));
  const number = numberOf(value);
  if (number !== null && Number.isInteger(number)) return integerToJson(number);
  throw unreadable(name, "an integer");
}

export function countField(object: JsonObject, name: string): number {
  const value = fieldOf(object, name);
  return value === null ? 0 : (numberOf(integerOfField(value, name)) ?? 0);
}

/** Nanoseconds since 1970 as microseconds. */
export function instantField(object: JsonObject, name: string): number {
  const value = fieldOf(object, name);
  if (value === null || value === "") return 0;
  const nanoseconds = integerOfField(value, name);
  const exact = isRawNumber(nanoseconds) ? nanoseconds.rawJSON : String(numberOf(nanoseconds));
  return microsecondsFromNanoseconds(/^\d+$/.test(exact) ? BigInt(exact) : 0n);
}

/** The number of an enumeration, sent as such or by its name; unknown names are 0. */
export function enumField(object: JsonObject, name: string, names: readonly string[]): number {
  const value = fieldOf(object, name);
  if (typeof value === "string" && !INTEGER.test(value)) return Math.max(0, names.indexOf(value));
  return value === null ? 0 : (numberOf(integerOfField(value, name)) ?? 0);
}

/** An id as lower-case hex. Base64 is read where it cannot be hex and has the right number of bytes. */
export function idField(object: JsonObject, name: string, bytes: number): string {
  const text = textField(object, name);
  if (HEX.test(text)) return text.toLowerCase();
  if (BASE64.test(text)) {
    const decoded = Buffer.from(text, "base64");
    if (decoded.length === bytes) return decoded.toString("hex");
  }
  throw unreadable(name, "hexadecimal");
}
