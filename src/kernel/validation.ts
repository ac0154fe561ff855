// Reads a value by its schema and reports every violation with the codes that official clients know (docs/protocol/rest.md#errors).
// Unknown members are ignored unless the object is closed, defaults filled in. A schema is worked out once, into one function for each of its parts.
import type { Static, TSchema } from "@sinclair/typebox";
import type { Violation } from "./failure.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { hints } from "./schema.ts";
import { type Check, compileCheck } from "./validation-check.ts";
import { type Keywords, type Read, type Reading, violate } from "./validation-reading.ts";
import { scalarReader, wordReader } from "./validation-scalars.ts";
import { shownInput, Violations } from "./violations.ts";

/** Reads `input` by `schema`; violations are added, and the result is then of no use. `loc` begins with `path`,
 *  `query` or `body`. An absent member is `undefined`. */
export function readValue<Schema extends TSchema>(
  schema: Schema,
  input: Json | undefined,
  loc: readonly (string | number)[],
  violations: Violations,
): Static<Schema> {
  if (input === undefined) return undefined as Static<Schema>;
  // Single values are read as fast as they are checked.
  if (typeof input === "object" && checkOf(schema)?.(input) === true) return input as Static<Schema>;
  return readerOf(schema)(input, { loc: [...loc], violations }) as Static<Schema>;
}

const MISSING = "missing";
const REQUIRED = "This value is required";

export function missing(loc: readonly (string | number)[], input: Json): Violation {
  return { type: MISSING, loc: [...loc], msg: REQUIRED, input };
}

const checks = new WeakMap<TSchema, Check | null>();
const readers = new WeakMap<TSchema, Read>();

function checkOf(schema: Keywords): Check | null {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const made = compileCheck(schema);
  checks.set(schema, made);
  return made;
}

function readerOf(schema: Keywords): Read {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const made = makeReader(schema);
  readers.set(schema, made);
  return made;
}

function makeReader(schema: Keywords): Read {
  if (schema.discriminator !== undefined) return taggedReader(schema, schema.discriminator.propertyName);
  if (schema.anyOf !== undefined) return unionReader(schema.anyOf);
  if (schema.const !== undefined) return wordReader(schema, [schema.const as string]);
  if (schema.enum !== undefined) return wordReader(schema, schema.enum);
  if (schema.type === "array") return listReader(schema);
  if (schema.type === "object") return objectReader(schema);
  return scalarReader(schema);
}

function unionReader(branches: readonly Keywords[]): Read {
  const others = branches.filter((branch) => branch.type !== "null");
  const nullable = others.length < branches.length;
  const reads = others.map(readerOf);
  const [only] = reads;
  if (reads.length === 1 && only !== undefined) {
    return nullable ? (input, reading) => (input === null ? null : only(input, reading)) : only;
  }
  return (input, reading) => {
    if (nullable && input === null) return null;
    let nearest: Violations | null = null;
    for (const [position, read] of reads.entries()) {
      const violations = new Violations();
      const value = read(input, { loc: reading.loc, violations });
      if (violations.total === 0) return value;
      // What is wrong with a list is of use to who sent a list.
      if (nearest === null || (Array.isArray(input) && others[position]?.type === "array")) nearest = violations;
    }
    if (nearest !== null) reading.violations.addAll(nearest);
    return undefined;
  };
}

/** The branch is the one whose tag was sent; its word becomes an element of the location. */
function taggedReader(schema: Keywords, tag: string): Read {
  const branches = new Map<unknown, Read>();
  for (const branch of schema.anyOf ?? []) branches.set(branch.properties?.[tag]?.const, readerOf(branch));
  const discriminator = `'${tag}'`;
  const expected_tags = [...branches.keys()].map((word) => `'${word}'`).join(", ");
  return (input, reading) => {
    if (!isJsonObject(input)) return violate(reading, "model_attributes_type", "Must be an object", input);
    const sent = Object.hasOwn(input, tag) ? input[tag] : undefined;
    if (sent === undefined) {
      return violate(reading, "union_tag_not_found", `Must have the member ${discriminator}`, input, { discriminator });
    }
    const read = branches.get(sent);
    if (read === undefined) {
      const ctx = { discriminator, tag: shownTag(sent), expected_tags };
      const msg = `The member ${discriminator} must be one of ${expected_tags}`;
      return violate(reading, "union_tag_invalid", msg, input, ctx);
    }
    reading.loc.push(sent as string);
    const value = read(input, reading);
    reading.loc.pop();
    return value;
  };
}

function shownTag(sent: Json): string {
  const shown = shownInput(sent);
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

function listReader(schema: Keywords): Read {
  const { minItems: least, maxItems: most, items } = schema;
  const read = items === undefined ? null : readerOf(items);
  return (input, reading) => {
    if (!Array.isArray(input)) return violate(reading, "list_type", "Must be a list", input);
    const ctx = { field_type: "List", actual_length: input.length };
    if (least !== undefined && input.length < least) {
      return violate(reading, "too_short", `Must have at least ${least} items`, input, { ...ctx, min_length: least });
    }
    if (most !== undefined && input.length > most) {
      return violate(reading, "too_long", `Must have at most ${most} items`, input, { ...ctx, max_length: most });
    }
    if (read === null) return input;
    const { loc } = reading;
    return input.map((item, position) => {
      loc.push(position);
      const value = read(item, reading);
      loc.pop();
      return value;
    });
  };
}

function objectReader(schema: Keywords): Read {
  const { properties } = schema;
  const { violation, rule } = schema[hints] ?? {};
  const refusal = violation ?? (properties === undefined ? "dict_type" : "model_attributes_type");
  const readMembers = properties === undefined ? null : membersReader(properties, schema.required ?? []);
  const known = schema.additionalProperties === false ? new Set(Object.keys(properties ?? {})) : null;
  return (input, reading) => {
    if (!isJsonObject(input)) return violate(reading, refusal, "Must be an object", input);
    if (readMembers === null) return input;
    const before = reading.violations.total;
    const value = readMembers(input, reading);
    if (known !== null) refuseOthers(input, known, reading);
    if (rule === undefined || reading.violations.total > before) return value;
    const problem = rule(value, input);
    return problem === null ? value : violate(reading, "value_error", problem, input, { error: {} });
  };
}

function refuseOthers(input: JsonObject, known: ReadonlySet<string>, reading: Reading): void {
  const { loc } = reading;
  for (const [name, value] of Object.entries(input)) {
    if (known.has(name)) continue;
    loc.push(name);
    violate(reading, "extra_forbidden", "This member is not known here", value);
    loc.pop();
  }
}

interface Member {
  readonly name: string;
  readonly read: Read;
  readonly fallback: unknown;
  readonly required: boolean;
}

function membersReader(
  properties: Readonly<Record<string, Keywords>>,
  required: readonly string[],
): (input: JsonObject, reading: Reading) => Record<string, unknown> {
  const members = Object.entries(properties).map(
    ([name, schema]): Member => ({
      name,
      read: readerOf(schema),
      fallback: schema.default,
      required: required.includes(name),
    }),
  );
  return (input, reading) => {
    const { loc } = reading;
    const value: Record<string, unknown> = {};
    for (const { name, read, fallback, required } of members) {
      const sent = Object.hasOwn(input, name) ? input[name] : undefined;
      if (sent !== undefined) {
        loc.push(name);
        value[name] = read(sent, reading);
        loc.pop();
      } else if (fallback !== undefined) value[name] = structuredClone(fallback);
      else if (required) {
        loc.push(name);
        violate(reading, MISSING, REQUIRED, input);
        loc.pop();
      }
    }
    return value;
  };
}
