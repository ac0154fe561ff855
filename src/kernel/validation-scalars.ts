// Readers of single values: texts, words, numbers, booleans, instants. Query texts and JSON values share one grammar: a text
// that spells a number, a word for true or a date is taken in both.
import { type Json, numberOf } from "./json.ts";
import { type Hints, hints } from "./schema.ts";
import { instantFromEpoch, parseInstant } from "./time.ts";
import { type Keywords, type Read, type Reading, violate } from "./validation-reading.ts";

const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;
const INFINITE_TEXT = /^\s*([+-]?)(inf|infinity|nan)\s*$/i;
const FLOAT_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const TRUE_WORDS = new Set(["true", "1", "yes", "y", "t", "on"]);
const FALSE_WORDS = new Set(["false", "0", "no", "n", "f", "off"]);
const INT64_LIMIT = 2 ** 63;

/** Text as it may be stored: neither NUL nor lone surrogates reach a database. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}

/** A text that is stored as it stands. */
export function isStorable(value: unknown): boolean {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}

/** A colour as pages take it: `#33c5e8`, in any case of letters. */
export function isHexColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

export function scalarReader(schema: Keywords): Read {
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? readInstant : textReader(schema);
    case "integer":
      return integerReader(boundsOf(schema));
    case "number":
      return floatReader(boundsOf(schema), schema[hints] ?? {});
    case "boolean":
      return readBoolean;
    case "null":
      return (input, reading) => (input === null ? null : violate(reading, "none_required", "Must be null", input));
    default:
      return (input) => input;
  }
}

export function wordReader(schema: Keywords, words: readonly string[]): Read {
  const { anyCase = false, violation = "literal_error" } = schema[hints] ?? {};
  const exact = new Set<unknown>(words);
  const lower = new Map(anyCase ? words.map((word) => [word.toLowerCase(), word]) : []);
  const quoted = words.map((word) => `'${word}'`);
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` : `${quoted[0]}`;
  return (input, reading) => {
    if (exact.has(input)) return input;
    const spelt = anyCase && typeof input === "string" ? lower.get(input.toLowerCase()) : undefined;
    return spelt ?? violate(reading, violation, `Must be ${expected}`, input, { expected });
  };
}

function textReader(schema: Keywords): Read {
  const { minLength: least, pattern } = schema;
  const { maxBytes, trimmed = false } = schema[hints] ?? {};
  const most = maxBytes ?? schema.maxLength;
  const unit = maxBytes === undefined ? "characters" : "bytes of UTF-8";
  const expression = pattern === undefined ? null : new RegExp(pattern, "u");
  return (input, reading) => {
    if (typeof input !== "string") return violate(reading, "string_type", "Must be a text", input);
    const text = storableText(trimmed ? input.trim() : input);
    if (least !== undefined && text.length < least) {
      const msg = `Must have at least ${least} character${least === 1 ? "" : "s"}`;
      return violate(reading, "string_too_short", msg, input, { min_length: least });
    }
    if (most !== undefined && (maxBytes === undefined ? text.length : Buffer.byteLength(text)) > most) {
      return violate(reading, "string_too_long", `Must have at most ${most} ${unit}`, input, { max_length: most });
    }
    if (expression !== null && !expression.test(text)) {
      return violate(reading, "string_pattern_mismatch", `Must match ${pattern}`, input, { pattern });
    }
    return text;
  };
}

function integerReader(bounds: Bounds): Read {
  return (input, reading) => {
    let value = numberOf(input);
    if (typeof input === "string") {
      if (!INTEGER_TEXT.test(input)) return violate(reading, "int_parsing", "Must be an integer", input);
      value = Number(input);
    }
    if (value === null) return violate(reading, "int_type", "Must be an integer", input);
    if (!Number.isInteger(value)) return violate(reading, "int_from_float", "Must have no fraction", input);
    if (value >= INT64_LIMIT || value < -INT64_LIMIT) {
      return violate(reading, "int_parsing_size", "Must fit into 64 bits", input);
    }
    return withinBounds(bounds, value, input, reading);
  };
}

function floatReader(bounds: Bounds, { infinite: mayBeInfinite = false, notBoolean = false }: Hints): Read {
  return (input, reading) => {
    let value = typeof input === "boolean" && !notBoolean ? Number(input) : numberOf(input);
    if (typeof input === "string") {
      const unlimited = mayBeInfinite ? infiniteValue(input) : null;
      if (unlimited === null && !FLOAT_TEXT.test(input)) {
        return violate(reading, "float_parsing", "Must be a number", input);
      }
      value = unlimited ?? Number(input);
    }
    if (value === null) return violate(reading, "float_type", "Must be a number", input);
    if (!Number.isFinite(value) && !mayBeInfinite) {
      return violate(reading, "finite_number", "Must be a finite number", input);
    }
    return withinBounds(bounds, value, input, reading);
  };
}

/** NaN is the lowest of all, so that every lower bound refuses it. */
function infiniteValue(text: string): number | null {
  const match = INFINITE_TEXT.exec(text);
  if (match === null) return null;
  return match[1] === "-" || match[2]!.toLowerCase() === "nan" ? -Infinity : Infinity;
}

interface Bounds {
  readonly gt: number | undefined;
  readonly ge: number | undefined;
  readonly lt: number | undefined;
  readonly le: number | undefined;
}

function boundsOf({ exclusiveMinimum, minimum, exclusiveMaximum, maximum }: Keywords): Bounds {
  return { gt: exclusiveMinimum, ge: minimum, lt: exclusiveMaximum, le: maximum };
}

function withinBounds({ gt, ge, lt, le }: Bounds, value: number, input: Json, reading: Reading): unknown {
  if (gt !== undefined && value <= gt) return violate(reading, "greater_than", `Must be above ${gt}`, input, { gt });
  if (ge !== undefined && value < ge) {
    return violate(reading, "greater_than_equal", `Must be at least ${ge}`, input, { ge });
  }
  if (lt !== undefined && value >= lt) return violate(reading, "less_than", `Must be below ${lt}`, input, { lt });
  if (le !== undefined && value > le) {
    return violate(reading, "less_than_equal", `Must be at most ${le}`, input, { le });
  }
  return value;
}

const readBoolean: Read = (input, reading) => {
  if (typeof input === "boolean") return input;
  const number = numberOf(input);
  const word = number === null ? (typeof input === "string" ? input.toLowerCase() : null) : String(number);
  if (word === null) return violate(reading, "bool_type", "Must be true or false", input);
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return violate(reading, "bool_parsing", "Must be true or false", input);
};

const readInstant: Read = (input, reading) => {
  const number = numberOf(input);
  if (number === null && typeof input !== "string") {
    return violate(reading, "datetime_type", "Must be a date and time", input);
  }
  const instant = number === null ? parseInstant(input as string) : instantFromEpoch(number);
  if (instant !== null) return instant.microseconds;
  const error = "neither ISO 8601 nor an epoch";
  return violate(reading, "datetime_from_date_parsing", `Must be a date and time: ${error}`, input, { error });
};
