import { describe, expect, test } from "bun:test";
import {
  headOf,
  integerOf,
  keyTextOf,
  lifetimeUsOf,
  sessionKeyOf,
  spanKindOf,
  tokenCountOf,
} from "../../src/ingest/span-columns.ts";
import { doubleToJson, integerToJson, type Json, parseJson, stringifyJson } from "../../src/kernel/json.ts";
import { storableText } from "../../src/kernel/validation-scalars.ts";
import { limitDepth, MAX_VALUE_DEPTH } from "../../src/model/attributes/depth.ts";
import { parseEmbeddedJson } from "../../src/model/attributes/embedded-json.ts";
import { separateLargeValues } from "../../src/model/attributes/large-values.ts";
import { pythonJson, pythonText } from "../../src/model/attributes/python-text.ts";
import { headOfBytes, headOfCharacters, storableJson } from "../../src/model/attributes/text.ts";

describe("lifetimes", () => {
  test.each<[Json | undefined, number | null]>([
    [30, 30 * 86_400_000_000],
    ["0.5", 43_200_000_000],
    [doubleToJson(7), 7 * 86_400_000_000],
    [1e-9, 87],
    [36_525, 36_525 * 86_400_000_000],
    [36_525.1, null],
    [0, null],
    [-1, null],
    ["", null],
    [" ", null],
    ["a week", null],
    ["Infinity", null],
    [true, null],
    [[30], null],
    [undefined, null],
  ])("of %p", (value, lifetime) => {
    expect(lifetimeUsOf(value)).toBe(lifetime);
  });
});

describe("session keys", () => {
  test.each<[Json, string | null]>([
    [" A ", "A"],
    ["   ", null],
    ["", null],
    [null, null],
    [12, "12"],
    [0, "0"],
    [true, "True"],
    [3.25, "3.25"],
    [doubleToJson(3), "3.0"],
    [doubleToJson(1e20), "1e+20"],
    [0.00001, "1e-05"],
    [integerToJson(2n ** 63n - 1n), "9223372036854775807"],
    [[1, "2"], "[1, '2']"],
    [[], "[]"],
    [{ a: 1, b: null }, "{'a': 1, 'b': None}"],
    [["it's", 'say "x"', "both ' \""], `["it's", 'say "x"', 'both \\' "']`],
  ])("of %p", (value, key) => {
    expect(keyTextOf(value)).toBe(key);
  });

  test("a long id is shortened in a repeatable way that never splits a character", () => {
    const id = "é".repeat(2000);
    const key = sessionKeyOf(` ${id} `)!;
    expect(key).toBe(sessionKeyOf(id)!);
    expect(key).toMatch(/^é{450}…sha256:[0-9a-f]{64}$/);
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
    expect(sessionKeyOf(`${id}x`)).not.toBe(key);
    expect(sessionKeyOf("x".repeat(1024))).toBe("x".repeat(1024));
  });
});

describe("token counts", () => {
  test.each<[Json | undefined, number]>([
    [undefined, 0],
    ["x", 0],
    [" 12 ", 12],
    ["1_000", 1000],
    ["+7", 7],
    ["3.5", 0],
    [3.9, 3],
    [-2.7, -2],
    [-0.4, 0],
    [true, 1],
    [Number.NaN, 0],
    [[1], 0],
    [doubleToJson(1e300), 2 ** 40],
    [-5, -5],
    [integerToJson(-(2n ** 63n)), -(2 ** 40)],
    ["9".repeat(100_000), 0],
  ])("of %p", (value, count) => {
    expect(Object.is(tokenCountOf(value), count)).toBe(true);
  });

  test("an integer beyond 64 bits stays a number", () => {
    expect(stringifyJson(integerOf(doubleToJson(1e300))!)).toBe("1e+300");
  });
});

test("kinds are read in any case of ASCII letters only", () => {
  expect(["llm", "Agent", "DECISION", "guardraıl", " LLM", "", "FOO"].map(spanKindOf)).toEqual([
    "LLM",
    "AGENT",
    "DECISION",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
    "UNKNOWN",
  ]);
});

describe("texts", () => {
  test("NUL and lone surrogates become U+FFFD, in keys too", () => {
    expect(storableText("a\0b\ud83d")).toBe("a\ufffdb\ufffd");
    expect(storableText("😀")).toBe("😀");
    expect(stringifyJson(storableJson({ "k\0": ["\udc00"] }))).toBe('{"k\ufffd":["\ufffd"]}');
  });

  test("heads end between characters", () => {
    expect(headOfCharacters(`${"x".repeat(99)}😀y`, 100)).toBe(`${"x".repeat(99)}😀`);
    expect(headOf("😀".repeat(200))).toBe("😀".repeat(101));
    expect(headOfBytes("aé😀", 2)).toBe("a");
    expect(headOfBytes("aé😀", 6)).toBe("aé");
    expect(headOfBytes("aé😀", 7)).toBe("aé😀");
  });

  test("heads of values that are no text are their text", () => {
    expect(headOf({ a: 1 })).toBe("{'a': 1}");
    expect(headOf(null)).toBeNull();
  });
});

describe("Python's spelling", () => {
  test("of JSON has blanks and, on demand, escapes", () => {
    const value: Json = { a: [1, doubleToJson(2), null, true, "é\n"], n: Number.NaN, i: Number.NEGATIVE_INFINITY };
    expect(pythonJson(value, true)).toBe('{"a": [1, 2.0, null, true, "\\u00e9\\n"], "n": NaN, "i": -Infinity}');
    expect(pythonJson("é", false)).toBe('"é"');
  });

  test("of doubles changes to exponents where Python does", () => {
    expect([1e16, 123456789012345680, 1e-7, 0.0001].map((value) => pythonText(doubleToJson(value)))).toEqual([
      "1e+16",
      "1.2345678901234568e+17",
      "1e-07",
      "0.0001",
    ]);
  });
});

describe("large values", () => {
  test("are cut where they stand and kept whole apart", () => {
    const long = "é".repeat(40_000);
    const tree: Json = { input: { value: long }, list: [{ text: "short" }, long], limit: "x".repeat(65_536) };
    expect(separateLargeValues(tree)).toEqual([
      { path: '["input","value"]', text: long },
      { path: '["list",1]', text: long },
    ]);
    expect(tree).toEqual({
      input: { value: "é".repeat(2048) },
      list: [{ text: "short" }, "é".repeat(2048)],
      limit: "x".repeat(65_536),
    });
  });
});

describe("JSON inside text", () => {
  test.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    [" [1] ", [1]],
    ["plain", undefined],
    ["{bad", undefined],
    ["null", null],
    ["Infinity", Number.POSITIVE_INFINITY],
    ['{"a":NaN,"b":"NaN \\" NaN"}', { a: null, b: 'NaN " NaN' }],
    ['{"a":"\\ud83d"}', { a: "\ufffd" }],
    ["[".repeat(MAX_VALUE_DEPTH + 1) + "]".repeat(MAX_VALUE_DEPTH + 1), undefined],
    [`${'"\\"'.repeat(100_000)}NaN`, undefined],
    ["9".repeat(1_000_000), "9".repeat(1_000_000)],
  ])("%.30p", (text, value) => {
    expect(parseEmbeddedJson(text) as unknown).toEqual(value);
  });

  test("members named __proto__ are members", () => {
    expect(stringifyJson(parseEmbeddedJson('{"__proto__":{"a":"\\u0000"}}')!)).toBe('{"__proto__":{"a":"\ufffd"}}');
  });

  test("what lies too deep becomes text", () => {
    const depth = MAX_VALUE_DEPTH + 3;
    const limited = stringifyJson(limitDepth(parseJson("[".repeat(depth) + "]".repeat(depth))));
    expect(limited).toBe(`${"[".repeat(MAX_VALUE_DEPTH)}"[[[]]]"${"]".repeat(MAX_VALUE_DEPTH)}`);
    const shallow: Json = [[1]];
    expect(limitDepth(shallow)).toBe(shallow);
  });
});
