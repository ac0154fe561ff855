// Reads a value by its schema and reports every violation with the codes that official clients know (`rest-traces.md` 1.5,
// 1.10). Unknown members are ignored, defaults filled in. Query texts and JSON values share one grammar: a text that
// spells a number, a word for true or a date is taken in both.
import type { Static, TSchema } from "@sinclair/typebox";
import type { Violation } from "./failure.ts";
import { isJsonObject, type Json, type JsonObject, numberOf } from "./json.ts";
import { type HintedSchema, hints } from "./schema.ts";
import { instantFromEpoch, parseInstant } from "./time.ts";

type Location = (string | number)[];

interface Reading {
  /** Where the walk is now; copied into violations only. */
  readonly loc: Location;
  readonly violations: Violation[];
}

/** The keywords of JSON Schema that are understood here. */
interface Keywords extends HintedSchema {
  type?: string;
  enum?: readonly string[];
  anyOf?: Keywords[];
  discriminator?: { propertyName: string };
  items?: Keywords;
  properties?: Record<string, Keywords>;
  required?: readonly string[];
}

const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;
const INFINITE_TEXT = /^\s*([+-]?)(inf|infinity|nan)\s*$/i;
const FLOAT_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const TRUE_WORDS = new Set(["true", "1", "yes", "y", "t", "on"]);
const FALSE_WORDS = new Set(["false", "0", "no", "n", "f", "off"]);
const INT64_LIMIT = 2 ** 63;

/** Reads `input` by `schema`; violations are appended, and the result is then of no use. `loc` begins with `path`,
 *  `query` or `body`. An absent member is `undefined`. */
export function readValue<Schema extends TSchema>(
  schema: Schema,
  input: Json | undefined,
  loc: readonly (string | number)[],
  violations: Violation[],
): Static<Schema> {
  return read(schema as unknown as Keywords, input, { loc: [...loc], violations }) as Static<Schema>;
}

/** Text as it may be stored: neither NUL nor lone surrogates reach a database (`decisions.md`). */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}

export function missing(loc: readonly (string | number)[], input: Json): Violation {
  return { type: "missing", loc: [...loc], msg: "This value is required", input };
}

function read(schema: Keywords, input: Json | undefined, reading: Reading): unknown {
  if (input === undefined) return undefined;
  if (schema.discriminator !== undefined) return readTagged(schema, schema.discriminator.propertyName, input, reading);
  if (schema.anyOf !== undefined) return readUnion(schema.anyOf, input, reading);
  if (schema.const !== undefined) return readWord(schema, [schema.const as string], input, reading);
  if (schema.enum !== undefined) return readWord(schema, schema.enum, input, reading);
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? readInstant(input, reading) : readText(schema, input, reading);
    case "integer":
      return readInteger(schema, input, reading);
    case "number":
      return readFloat(schema, input, reading);
    case "boolean":
      return readBoolean(input, reading);
    case "array":
      return readList(schema, input, reading);
    case "object":
      return readObject(schema, input, reading);
    case "null":
      return input === null ? null : violate(reading, "none_required", "Must be null", input);
    default:
      return input;
  }
}

function violate(reading: Reading, type: string, msg: string, input: Json, ctx?: Record<string, unknown>): undefined {
  reading.violations.push({ type, loc: [...reading.loc], msg, input, ...(ctx === undefined ? {} : { ctx }) });
}

function readUnion(branches: readonly Keywords[], input: Json, reading: Reading): unknown {
  const others = branches.filter((branch) => branch.type !== "null");
  if (input === null && others.length < branches.length) return null;
  if (others.length === 1) return read(others[0]!, input, reading);
  let first: Violation[] = [];
  for (const branch of others) {
    const violations: Violation[] = [];
    const value = read(branch, input, { loc: reading.loc, violations });
    if (violations.length === 0) return value;
    if (first.length === 0) first = violations;
  }
  reading.violations.push(...first);
  return undefined;
}

/** The branch is the one whose tag was sent; its word becomes an element of the location. */
function readTagged(schema: Keywords, tag: string, input: Json, reading: Reading): unknown {
  if (!isJsonObject(input)) return violate(reading, "model_attributes_type", "Must be an object", input);
  const branches = schema.anyOf ?? [];
  const discriminator = `'${tag}'`;
  const sent = Object.hasOwn(input, tag) ? input[tag] : undefined;
  if (sent === undefined) {
    return violate(reading, "union_tag_not_found", `Must have the member ${discriminator}`, input, { discriminator });
  }
  const branch = branches.find(({ properties }) => properties?.[tag]?.const === sent);
  if (branch === undefined) {
    const expected_tags = branches.map(({ properties }) => `'${properties?.[tag]?.const}'`).join(", ");
    const ctx = { discriminator, tag: String(sent), expected_tags };
    return violate(
      reading,
      "union_tag_invalid",
      `The member ${discriminator} must be one of ${expected_tags}`,
      input,
      ctx,
    );
  }
  reading.loc.push(sent as string);
  const value = read(branch, input, reading);
  reading.loc.pop();
  return value;
}

function readWord(schema: Keywords, words: readonly string[], input: Json, reading: Reading): unknown {
  if (words.includes(input as string)) return input;
  if (schema[hints]?.anyCase === true && typeof input === "string") {
    const spelt = words.find((word) => word.toLowerCase() === input.toLowerCase());
    if (spelt !== undefined) return spelt;
  }
  const quoted = words.map((word) => `'${word}'`);
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` : `${quoted[0]}`;
  return violate(reading, schema[hints]?.violation ?? "literal_error", `Must be ${expected}`, input, { expected });
}

function readText(schema: Keywords, input: Json, reading: Reading): unknown {
  if (typeof input !== "string") return violate(reading, "string_type", "Must be a text", input);
  const text = storableText(input);
  const least = schema.minLength as number | undefined;
  if (least !== undefined && text.length < least) {
    const msg = `Must have at least ${least} character${least === 1 ? "" : "s"}`;
    return violate(reading, "string_too_short", msg, input, { min_length: least });
  }
  const maxBytes = schema[hints]?.maxBytes;
  const most = maxBytes ?? (schema.maxLength as number | undefined);
  if (most !== undefined && (maxBytes === undefined ? text.length : Buffer.byteLength(text)) > most) {
    const unit = maxBytes === undefined ? "characters" : "bytes of UTF-8";
    return violate(reading, "string_too_long", `Must have at most ${most} ${unit}`, input, { max_length: most });
  }
  const pattern = schema.pattern as string | undefined;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) {
    return violate(reading, "string_pattern_mismatch", `Must match ${pattern}`, input, { pattern });
  }
  return text;
}

function readInteger(schema: Keywords, input: Json, reading: Reading): unknown {
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
  return withinBounds(schema, value, input, reading);
}

function readFloat(schema: Keywords, input: Json, reading: Reading): unknown {
  let value = typeof input === "boolean" ? Number(input) : numberOf(input);
  if (typeof input === "string") {
    const unlimited = schema[hints]?.infinite === true ? infiniteValue(input) : null;
    if (unlimited === null && !FLOAT_TEXT.test(input)) {
      return violate(reading, "float_parsing", "Must be a number", input);
    }
    value = unlimited ?? Number(input);
  }
  if (value === null) return violate(reading, "float_type", "Must be a number", input);
  if (!Number.isFinite(value) && schema[hints]?.infinite !== true)
    return violate(reading, "finite_number", "Must be a finite number", input);
  return withinBounds(schema, value, input, reading);
}

/** NaN is the lowest of all, so that every lower bound refuses it. */
function infiniteValue(text: string): number | null {
  const match = INFINITE_TEXT.exec(text);
  if (match === null) return null;
  return match[1] === "-" || match[2]!.toLowerCase() === "nan" ? -Infinity : Infinity;
}

function withinBounds(schema: Keywords, value: number, input: Json, reading: Reading): unknown {
  const { exclusiveMinimum: gt, minimum: ge, exclusiveMaximum: lt, maximum: le } = schema;
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

function readBoolean(input: Json, reading: Reading): unknown {
  if (typeof input === "boolean") return input;
  const number = numberOf(input);
  const word = number === null ? (typeof input === "string" ? input.toLowerCase() : null) : String(number);
  if (word === null) return violate(reading, "bool_type", "Must be true or false", input);
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return violate(reading, "bool_parsing", "Must be true or false", input);
}

function readInstant(input: Json, reading: Reading): unknown {
  const number = numberOf(input);
  if (number === null && typeof input !== "string") {
    return violate(reading, "datetime_type", "Must be a date and time", input);
  }
  const instant = number === null ? parseInstant(input as string) : instantFromEpoch(number);
  if (instant !== null) return instant.microseconds;
  const error = "neither ISO 8601 nor an epoch";
  return violate(reading, "datetime_from_date_parsing", `Must be a date and time: ${error}`, input, { error });
}

function readList(schema: Keywords, input: Json, reading: Reading): unknown {
  if (!Array.isArray(input)) return violate(reading, "list_type", "Must be a list", input);
  const { minItems: least, maxItems: most } = schema as { minItems?: number; maxItems?: number };
  const ctx = { field_type: "List", actual_length: input.length };
  if (least !== undefined && input.length < least) {
    return violate(reading, "too_short", `Must have at least ${least} items`, input, { ...ctx, min_length: least });
  }
  if (most !== undefined && input.length > most) {
    return violate(reading, "too_long", `Must have at most ${most} items`, input, { ...ctx, max_length: most });
  }
  const items = schema.items;
  if (items === undefined) return input;
  return input.map((item, position) => {
    reading.loc.push(position);
    const value = read(items, item, reading);
    reading.loc.pop();
    return value;
  });
}

function readObject(schema: Keywords, input: Json, reading: Reading): unknown {
  const { properties } = schema;
  if (!isJsonObject(input)) {
    const usual = properties === undefined ? "dict_type" : "model_attributes_type";
    return violate(reading, schema[hints]?.violation ?? usual, "Must be an object", input);
  }
  if (properties === undefined) return input;
  const before = reading.violations.length;
  const value = readMembers(properties, schema.required, input, reading);
  const problem = reading.violations.length === before ? schema[hints]?.rule?.(value as never, input) : null;
  if (typeof problem === "string") return violate(reading, "value_error", problem, input, { error: {} });
  return value;
}

function readMembers(
  properties: Readonly<Record<string, Keywords>>,
  required: readonly string[] | undefined,
  input: JsonObject,
  reading: Reading,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const sent = Object.hasOwn(input, name) ? input[name] : undefined;
    if (sent === undefined) {
      if (member.default !== undefined) value[name] = structuredClone(member.default);
      else if (required?.includes(name)) reading.violations.push(missing([...reading.loc, name], input));
      continue;
    }
    reading.loc.push(name);
    value[name] = read(member, sent, reading);
    reading.loc.pop();
  }
  return value;
}
