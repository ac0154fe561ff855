// JSON that keeps what JavaScript numbers lose: 1.0 apart from 1, and integers beyond 2^53. Such numbers travel as raw
// numbers (`JSON.rawJSON`), which JSON.stringify writes as they stand.
import { readJson } from "./json-reader.ts";

export interface RawNumber {
  readonly rawJSON: string;
}
export type Json = null | boolean | number | string | RawNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

// A whole number with a fraction or exponent, or an integer of 16 digits and more. It may also match inside text, which
// only costs time.
const NEEDS_SOURCE = /\d\.0*[eE,}\]\s]|\d\.0*$|\d[eE]|\d{16}/;
/** Of a number in a message. */
const SHOWN_DIGITS = 32;
/** Different raw numbers of one text that are shared. */
const MOST_KNOWN = 4096;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** An object without a prototype: keys such as `__proto__` are ordinary members. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** A double; whole ones stay apart from integers, NaN and the infinities become null. */
export function doubleToJson(value: number): Json {
  if (!Number.isFinite(value)) return null;
  if (!Number.isInteger(value)) return value;
  const text = Object.is(value, -0) ? "-0" : String(value);
  return JSON.rawJSON(/[.e]/.test(text) ? text : `${text}.0`);
}

/** An integer; beyond 64 bits it becomes the nearest double if finite, else text: neither database stores more. */
export function integerToJson(value: number | bigint): Json {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : integerToJson(BigInt(value));
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  if (value >= INT64_MIN && value <= INT64_MAX) return JSON.rawJSON(value.toString());
  const nearest = Number(value);
  return Number.isFinite(nearest) ? doubleToJson(nearest) : value.toString();
}

/** One number literal of a JSON text. */
export function numberFromSource(source: string): Json {
  if (/^-?\d+$/.test(source)) {
    if (source === "-0") return 0;
    const small = Number(source);
    if (Number.isSafeInteger(small)) return small;
    // Beyond every double it stays text; reading millions of digits as one integer would take hours.
    return Number.isFinite(small) ? integerToJson(BigInt(source)) : source;
  }
  return doubleToJson(Number(source));
}

/** A number of a text that no double reaches, as `1e400`. */
export class NumberRangeError extends Error {
  constructor(source: string) {
    const shown = source.length > SHOWN_DIGITS ? `${source.slice(0, SHOWN_DIGITS)}…` : source;
    super(`The number ${shown} is beyond the range of a double (about 1.8e308)`);
  }
}

/** As `parseJson`, for what is sent to be changed or asked: a number beyond every double is refused instead of becoming null.
 *  Throws SyntaxError and NumberRangeError. */
export function parseSentJson(text: string): Json {
  return parseNumbers(text, (source) => {
    if (!Number.isFinite(Number(source))) throw new NumberRangeError(source);
    return numberFromSource(source);
  });
}

/** Parses JSON text without losing the kind or the digits of its numbers. Throws SyntaxError. */
export function parseJson(text: string): Json {
  return parseNumbers(text, numberFromSource);
}

/** The same of JSON that this service wrote itself, or checked before it stored it: nothing is checked again. */
export function parseStoredJson<Shape>(text: string): Shape {
  return parseJson(text) as unknown as Shape;
}

function parseNumbers(text: string, other: (source: string) => Json): Json {
  if (!NEEDS_SOURCE.test(text)) return JSON.parse(text) as Json;
  /** Texts are full of the same few of them, and a raw number takes 200 bytes. */
  const known = new Map<number, Json>();
  return readJson(text, {
    whole(value) {
      const found = known.get(value);
      if (found !== undefined) return found;
      const made = doubleToJson(value);
      if (known.size < MOST_KNOWN) known.set(value, made);
      return made;
    },
    other,
  }) as Json;
}

/** JSON text of a value; raw numbers as they stand, lone surrogates as U+FFFD. */
export function stringifyJson(value: Json): string {
  return JSON.stringify(value);
}

/** The JavaScript number behind an integer or a double, or null for anything else. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  return isRawNumber(value) ? Number(value.rawJSON) : null;
}
