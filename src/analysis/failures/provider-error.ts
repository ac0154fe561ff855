// What a provider says about an error inside the text of an exception: its code, the HTTP status, and its message, out of JSON or out
// of a dictionary as Python writes it.
import { MASK } from "./masked-text.ts";

interface ProviderError {
  /** The text with each object in it as its message alone, or as a mask. */
  readonly text: string;
  /** As the provider writes it, e.g. `context_length_exceeded`. */
  readonly code: string | null;
  /** 400 to 599. */
  readonly httpStatus: number | null;
}

/** Objects of one text that are looked at. */
const MOST_OBJECTS = 20;
/** UTF-16 units of an object that are looked at. */
const LONGEST_OBJECT = 8000;

/** Up to the quote that another member or the end of the object follows: texts in Python may hold their own quotes. */
const MEMBER =
  /(['"])(message|msg|detail|error|reason|title|description|errorMessage|code|type|status|error_code|error_type|status_code)\1\s*:\s*(?:'((?:\\.|[^\\]){0,2000}?)'(?=\s*(?:,\s*['"][\w.]{1,64}['"]\s*:|[}\]]|$))|"((?:\\.|[^"\\]){0,2000})"|(-?\d{1,9}|None|null|True|False))/g;
const textKeys = ["message", "msg", "detail", "error", "reason", "title", "description", "errorMessage"];
const codeKeys = ["code", "error_code", "error_type", "type", "status"];
/** Says only that it is an error. */
const EMPTY_CODES = /^(?:error|none|null|failed|failure)$/i;

const STATUS_IN_TEXT =
  /\b(?:error[ _-]?code|status(?:[ _-]?code)?|http(?:\/[\d.]{1,3})?(?:[ _-]?(?:error|status))?|response code|code)\b["']?\s{0,3}[:=]?\s{0,3}[([]?([45]\d\d)\b(?![.,]?\d)/i;
const STATUS_IN_FRONT = /^\s*\(?([45]\d\d)\b[):,]?\s+[A-Za-z]/;

/** Reads the message of an exception. */
export function providerErrorOf(message: string): ProviderError {
  let httpStatus = statusIn(message);
  if (!message.includes("{")) return { text: message, code: null, httpStatus };
  let code: string | null = null;
  let text = "";
  let copied = 0;
  for (let found = 0, at = message.indexOf("{"); at >= 0 && found < MOST_OBJECTS; at = message.indexOf("{", copied)) {
    const end = endOfObject(message, at);
    const members = membersOf(message.slice(at, end));
    text += message.slice(copied, at) + (firstOf(members, textKeys, isSentence) ?? MASK);
    code ??= firstOf(members, codeKeys, isCode);
    httpStatus ??= statusOf(members);
    copied = end;
    found++;
  }
  return { text: text + message.slice(copied), code, httpStatus };
}

function statusIn(message: string): number | null {
  const found = STATUS_IN_TEXT.exec(message) ?? STATUS_IN_FRONT.exec(message);
  return found === null ? null : Number(found[1]);
}

type Member = readonly [key: string, value: string];

function membersOf(object: string): readonly Member[] {
  return [...object.matchAll(MEMBER)].map(([, , key, single, double, bare]) => [key!, single ?? double ?? bare!]);
}

/** The value of the first of the keys that has one; of equal keys the outermost, which is written first. */
function firstOf(
  members: readonly Member[],
  keys: readonly string[],
  isGood: (value: string) => boolean,
): string | null {
  for (const key of keys) {
    const found = members.find(([name, value]) => name === key && isGood(value));
    if (found !== undefined) return found[1];
  }
  return null;
}

function isSentence(value: string): boolean {
  return /[^\d\s-]/.test(value) && !/^(?:None|null|True|False)$/.test(value);
}

function isCode(value: string): boolean {
  return isSentence(value) && value.length <= 100 && !EMPTY_CODES.test(value);
}

function statusOf(members: readonly Member[]): number | null {
  const found = members.find(([key, value]) => /^(?:code|status|status_code)$/.test(key) && /^[45]\d\d$/.test(value));
  return found === undefined ? null : Number(found[1]);
}

/** Behind the brace that closes the object, or as far as it is looked at. Braces inside texts count too: both kinds of quotes may stand
 *  unescaped in them. */
function endOfObject(text: string, start: number): number {
  const end = Math.min(text.length, start + LONGEST_OBJECT);
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at + 1;
  }
  return end;
}
