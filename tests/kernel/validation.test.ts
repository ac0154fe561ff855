// The codes of violations, value by value, and what valid values are read into.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import {
  AnyObject,
  BoundedText,
  Instant,
  Nullable,
  Ruled,
  Tagged,
  Unlimited,
  WithViolation,
  Words,
} from "../../src/kernel/schema.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { Violations } from "../../src/kernel/violations.ts";

type Schema = Parameters<typeof readValue>[0];

function read(schema: Schema, input: Json | undefined) {
  const violations = new Violations();
  const value: unknown = readValue(schema, input, ["body"], violations);
  return { value, violations: violations.list() };
}

const limit = Type.Integer({ exclusiveMinimum: 0, maximum: 1000 });

const role = Words(["ADMIN", "MEMBER"], { violation: "enum", anyCase: true });
const shape = Tagged("kind", [
  Type.Object({ kind: Type.Literal("circle"), radius: limit }),
  Type.Object({ kind: Type.Literal("square"), side: limit }),
]);

const accepted: readonly [string, Schema, Json, unknown][] = [
  ["a text", Type.String(), "", ""],
  ["a text with NUL", Type.String(), "a\0b", "a\uFFFDb"],
  ["a text with half a character", Type.String(), "a\ud800", "a\uFFFD"],
  ["an integer", limit, 7, 7],
  ["a digit text", limit, " +10 ", 10],
  ["a zero fraction in a text", limit, "10.0", 10],
  ["a zero fraction in JSON", limit, parseJson("10.0"), 10],
  ["a number for a float", Type.Number(), 1.5, 1.5],
  ["a numeric text for a float", Type.Number(), "1e3", 1000],
  ["infinity where it is allowed", Unlimited({ minimum: 0 }), "inf", Infinity],
  ["true for a float", Type.Number(), true, 1],
  ["a word for true", Type.Boolean(), "ON", true],
  ["a word for false", Type.Boolean(), "n", false],
  ["one for true", Type.Boolean(), 1, true],
  ["null where it is allowed", Nullable(Type.String()), null, null],
  ["a value where null is allowed", Nullable(limit), 3, 3],
  ["a word", Words(["asc", "desc"]), "asc", "asc"],
  ["a word in another case where any will do", role, "aDmin", "ADMIN"],
  ["the object that its tag names", shape, { kind: "square", side: "2", radius: "x" }, { kind: "square", side: 2 }],
  ["a date", Instant(), "1970-01-02", 86_400_000_000],
  ["a date and time", Instant(), "1970-01-01T00:00:01.1234567+00:00", 1_123_456],
  ["an epoch text", Instant(), "1.5", 1_500_000],
  ["an epoch number in milliseconds", Instant(), 1_700_000_000_000, 1_700_000_000_000_000],
  ["an object of any content", AnyObject(), { a: [1] }, { a: [1] }],
  ["a list", Type.Array(limit), [1, "2"], [1, 2]],
  ["the branch of a union that fits", Type.Union([Type.Array(Type.String()), Type.Integer()]), 5, 5],
  ["known members only", Type.Object({ a: Type.String() }), { a: "x", b: 1 }, { a: "x" }],
  ["a default", Type.Object({ a: Type.Integer({ default: 5 }) }), {}, { a: 5 }],
  ["an optional member", Type.Object({ a: Type.Optional(Type.String()) }), {}, {}],
];

const refused: readonly [string, Schema, Json, string][] = [
  ["a number for a text", Type.String(), 5, "string_type"],
  ["null for a text", Type.String(), null, "string_type"],
  ["true for a text", Type.String(), true, "string_type"],
  ["a short text", Type.String({ minLength: 1 }), "", "string_too_short"],
  ["a long text", Type.String({ maxLength: 2 }), "abc", "string_too_long"],
  ["a text of too many bytes", BoundedText(3), "äö", "string_too_long"],
  ["a text off its pattern", Type.String({ pattern: "^#[0-9a-f]{6}$" }), "#12345G", "string_pattern_mismatch"],
  ["a word for an integer", limit, "a", "int_parsing"],
  ["nothing for an integer", limit, "", "int_parsing"],
  ["a fraction in a text", limit, "1.5", "int_parsing"],
  ["a fraction in JSON", limit, 1.5, "int_from_float"],
  ["null for an integer", limit, null, "int_type"],
  ["true for an integer", limit, true, "int_type"],
  ["an integer beyond 64 bits in a text", limit, "99999999999999999999", "int_parsing_size"],
  ["an integer beyond 64 bits in JSON", limit, parseJson("99999999999999999999"), "int_parsing_size"],
  ["an integer at its open bound", limit, 0, "greater_than"],
  ["an integer above its bound", limit, 1001, "less_than_equal"],
  ["a number below its bound", Type.Number({ minimum: 0 }), -0.5, "greater_than_equal"],
  ["a number at its open upper bound", Type.Number({ exclusiveMaximum: 1 }), 1, "less_than"],
  ["a word for a float", Type.Number(), "x", "float_parsing"],
  ["a list for a float", Type.Number(), [], "float_type"],
  ["an infinite float", Type.Number(), "1e999", "finite_number"],
  ["another word for true", Type.Boolean(), "maybe", "bool_parsing"],
  ["nothing for a boolean", Type.Boolean(), "", "bool_parsing"],
  ["two for a boolean", Type.Boolean(), 2, "bool_parsing"],
  ["null for a boolean", Type.Boolean(), null, "bool_type"],
  ["a word in another case", Words(["asc", "desc"]), "DESC", "literal_error"],
  ["another word where any case will do", role, "owner", "enum"],
  ["null where any case will do", role, null, "enum"],
  ["an object without its tag", shape, { side: 2 }, "union_tag_not_found"],
  ["an object with a tag in another case", shape, { kind: "Square", side: 2 }, "union_tag_invalid"],
  ["an object with a tag that is no text", shape, { kind: 1 }, "union_tag_invalid"],
  ["a text for a tagged object", shape, "square", "model_attributes_type"],
  ["a word of an enumeration", Words(["UP"], { violation: "enum" }), "DOWN", "enum"],
  ["an unreadable date", Instant(), "x", "datetime_from_date_parsing"],
  ["an empty date", Instant(), "", "datetime_from_date_parsing"],
  ["the compact form of a date", Instant(), "20240101T000000Z", "datetime_from_date_parsing"],
  ["a blank for the plus of an offset", Instant(), "2024-01-01T00:00:00 00:00", "datetime_from_date_parsing"],
  ["null for a date", Instant(), null, "datetime_type"],
  ["an object for a list", Type.Array(limit), {}, "list_type"],
  ["too short a list", Type.Array(limit, { minItems: 1 }), [], "too_short"],
  ["too long a list", Type.Array(limit, { maxItems: 1 }), [1, 2], "too_long"],
  ["a list for an object of any content", AnyObject(), [1], "dict_type"],
  ["a list for an object", Type.Object({}), [1], "model_attributes_type"],
  ["a text where the contract says model_type", WithViolation(Type.Object({}), "model_type"), "x", "model_type"],
];

describe("readValue", () => {
  for (const [what, schema, input, value] of accepted) {
    test(`takes ${what}`, () => {
      expect(read(schema, input)).toEqual({ value, violations: [] });
      // Inside an object a compiled check comes first, which a member that it does not know fails.
      const around = Type.Object({ held: schema });
      for (const unknown of [{}, { unknown: 1 }]) {
        expect(read(around, { held: input, ...unknown })).toEqual({ value: { held: value }, violations: [] });
      }
    });
  }

  for (const [what, schema, input, type] of refused) {
    test(`refuses ${what} as ${type}`, () => {
      const { violations } = read(schema, input);
      expect(violations.map((violation) => [violation.type, violation.loc, violation.input])).toEqual([
        [type, ["body"], input],
      ]);
      const inside = read(Type.Object({ held: schema }), { held: input }).violations;
      expect(inside.map((violation) => [violation.type, violation.loc[1]])).toEqual([[type, "held"]]);
    });
  }

  test("names the bound that was broken", () => {
    expect(read(limit, 0).violations[0]!.ctx).toEqual({ gt: 0 });
    expect(read(limit, 2000).violations[0]!.ctx).toEqual({ le: 1000 });
    expect(read(Words(["a", "b", "c"]), "d").violations[0]!.ctx).toEqual({ expected: "'a', 'b' or 'c'" });
  });

  test("takes over what needs no reading, and copies what has to be changed", () => {
    const List = Type.Object({ data: Type.Array(Type.Object({ name: BoundedText(5), score: Type.Optional(limit) })) });
    const valid: Json = { data: [{ name: "a" }, { name: "b", score: 2 }] };
    expect(read(List, valid).value).toBe(valid);
    for (const [sent, value] of [
      [{ name: "a", more: 1 }, { name: "a" }],
      [
        { name: "a", score: "2" },
        { name: "a", score: 2 },
      ],
      [{ name: "a\0" }, { name: "a\uFFFD" }],
    ] as const) {
      expect(read(List, { data: [sent] })).toEqual({ value: { data: [value] }, violations: [] });
    }
    expect(read(List, { data: [{ name: "too long" }] }).violations).toHaveLength(1);
  });

  const Span = Type.Object({
    name: Type.String(),
    context: Type.Object({ trace_id: Type.String(), span_id: Type.String() }),
    attributes: Type.Optional(AnyObject()),
  });
  const Body = Type.Object({ data: Type.Array(Span) });

  test("reports every violation with its place, in the order of the schema", () => {
    const input: Json = { data: [{ name: "n", context: { trace_id: 1 } }, {}, "x"] };
    expect(read(Body, input).violations.map(({ type, loc }) => [type, loc])).toEqual([
      ["string_type", ["body", "data", 0, "context", "trace_id"]],
      ["missing", ["body", "data", 0, "context", "span_id"]],
      ["missing", ["body", "data", 1, "name"]],
      ["missing", ["body", "data", 1, "context"]],
      ["model_attributes_type", ["body", "data", 2]],
    ]);
  });

  test("the word of a tag is part of the place", () => {
    expect(read(shape, { kind: "square", side: 0 }).violations.map(({ type, loc }) => [type, loc])).toEqual([
      ["greater_than", ["body", "square", "side"]],
    ]);
    expect(read(shape, { kind: "x" }).violations[0]).toMatchObject({
      msg: "The member 'kind' must be one of 'circle', 'square'",
      ctx: { discriminator: "'kind'", tag: "x", expected_tags: "'circle', 'square'" },
    });
  });

  test("shows the whole object when a member is missing", () => {
    expect(read(Body, { other: 1 }).violations[0]).toMatchObject({ type: "missing", input: { other: 1 } });
  });

  test("a rule of an object points at the object, and is asked only when its members are valid", () => {
    const Ordered = Ruled(Type.Object({ from: limit, to: limit }), ({ from, to }) =>
      from > to ? "from is after to" : null,
    );
    const List = Type.Array(Ordered);
    expect(read(List, [{ from: 1, to: 2 }]).violations).toEqual([]);
    expect(read(List, [{ from: 3, to: "2" }]).violations).toEqual([
      {
        type: "value_error",
        loc: ["body", 0],
        msg: "from is after to",
        input: { from: 3, to: "2" },
        ctx: { error: {} },
      },
    ]);
    expect(read(List, [{ from: 3, to: "x" }]).violations.map(({ type }) => type)).toEqual(["int_parsing"]);
  });

  test("a member called __proto__ is an ordinary unknown member", () => {
    const input = parseJson('{"__proto__": {"name": "x"}}');
    expect(read(Type.Object({ name: Type.String() }), input).violations.map(({ type }) => type)).toEqual(["missing"]);
  });
});

describe("violations", () => {
  const List = Type.Array(Type.Integer());

  test("are listed a hundred at most, the last entry telling how many there are", () => {
    expect(read(List, Array(100).fill("x")).violations.map(({ type }) => type)).toEqual(Array(100).fill("int_parsing"));
    const { violations } = read(List, Array(100_000).fill("x"));
    expect(violations).toHaveLength(100);
    expect(violations[98]).toMatchObject({ type: "int_parsing", loc: ["body", 98] });
    expect(violations[99]).toEqual({
      type: "too_many_violations",
      loc: ["body"],
      msg: "100000 values are wrong; the first 99 of them are listed",
      input: null,
      ctx: { total: 100_000 },
    });
  });

  test("of the branches of a union are counted, too", () => {
    const either = Type.Union([List, Type.Array(Type.Boolean())]);
    expect(read(either, Array(5000).fill("x")).violations.at(-1)!.ctx).toEqual({ total: 5000 });
  });

  const long = "x".repeat(1000);
  const deep = parseJson(`${'{"a":['.repeat(5000)}${"]}".repeat(5000)}`);
  for (const [what, input] of [
    ["a text", long],
    ["a list", Array(1000).fill(12)],
    ["a list of long texts", Array(1000).fill(long)],
    ["a list of lists", Array(1000).fill([])],
    ["an object", Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`member ${number}`, number]))],
    ["an object with a long name", { [long]: 1 }],
    ["depth", deep],
    ["an object of objects", Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [number, { a: {} }]))],
  ] as const) {
    test(`show of ${what} no more than a line`, () => {
      const schema = Type.Object({ held: Type.Boolean(), other: Type.Boolean() });
      const { violations } = read(schema, { held: input as Json });
      expect(violations).toHaveLength(2);
      for (const violation of violations) expect(JSON.stringify(violation.input).length).toBeLessThan(220);
    });
  }

  test("a tag of any size or depth is named in short", () => {
    for (const kind of [long, [long], deep]) {
      const { ctx } = read(shape, { kind } as Json).violations[0]!;
      expect(String(ctx!.tag).length).toBeLessThan(220);
    }
  });
});
