import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Json, type JsonObject, stringifyJson } from "../../src/kernel/json.ts";
import { flatten } from "../../src/model/attributes/flatten.ts";
import { keyPath, MAX_KEY_SEGMENTS } from "../../src/model/attributes/key-path.ts";
import { unflatten } from "../../src/model/attributes/unflatten.ts";

/** Rows of ingestion 21.1 that no vector file repeats are covered by tests/otlp/ingestion-vectors.test.ts. */
const rows: [string, [string, Json][], unknown][] = [
  [
    "gaps are closed",
    [
      ["docs.0.x", 1],
      ["docs.5.x", 2],
    ],
    { docs: [{ x: 1 }, { x: 2 }] },
  ],
  [
    "a list wins over names",
    [
      ["a.0.c", 1],
      ["a.1.d", 2],
      ["a.b", 3],
    ],
    { a: [{ c: 1 }, { d: 2 }], "a.b": 3 },
  ],
  [
    "positions sort as numbers",
    [
      ["a.10.x", 2],
      ["a.9.x", 1],
    ],
    { a: [{ x: 1 }, { x: 2 }] },
  ],
  [
    "positions of any size",
    [
      ["a.99999999999999999999.x", 2],
      ["a.3.x", 1],
    ],
    { a: [{ x: 1 }, { x: 2 }] },
  ],
  [
    "values close their path",
    [
      ["a", 1],
      ["a.b", 2],
      ["a.b.c", 3],
    ],
    { a: 1, "a.b": 2, "a.b.c": 3 },
  ],
  [
    "a value turns a position into a key",
    [
      ["a.0", "x"],
      ["a.0.x", "y"],
    ],
    { a: { "0": "x", "0.x": "y" } },
  ],
  [
    "below a closed path lists are lists",
    [
      ["a.0.1.d", 3],
      ["a.0.0.c", 2],
      ["a", 1],
    ],
    { a: 1, "a.0": [{ c: 2 }, { d: 3 }] },
  ],
  [
    "null adds nothing",
    [
      ["a", 1],
      ["a.b", null],
    ],
    { a: 1 },
  ],
  ["empty segments vanish", [["..e..f..", 4]], { e: { f: { "": 4 } } }],
  ["only dots mean the empty key", [["...", 1]], { "": 1 }],
  [
    "objects are values",
    [
      ["x", { "p.q": 1 }],
      ["x.y", 2],
    ],
    { x: { "p.q": 1 }, "x.y": 2 },
  ],
];

describe("unflatten", () => {
  test.each(rows)("%s", (_name, pairs, expected) => {
    expect(JSON.parse(stringifyJson(unflatten(pairs)))).toEqual(expected);
  });

  test("the order of different keys does not matter", () => {
    const segment = fc.constantFrom("a", "b", "0", "1", "2", "", " ");
    const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
    const pairs = fc.uniqueArray(fc.tuple(key, fc.integer()), {
      selector: ([each]) => keyPath(each).names.join("."),
      maxLength: 8,
    });
    fc.assert(
      fc.property(pairs, (given) => {
        expect(unflatten([...given].reverse())).toEqual(unflatten(given));
      }),
      { numRuns: 300 },
    );
  });

  test("flattening gives the keys back when positions have no gaps", () => {
    const key = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join("."));
    fc.assert(
      fc.property(fc.dictionary(key, fc.string()), (given) => {
        expect({ ...flatten(unflatten(Object.entries(given))) }).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  test("keys named like members of objects are ordinary", () => {
    const tree = unflatten([
      ["__proto__.polluted", 1],
      ["constructor.prototype", 2],
      ["a.__proto__", 3],
      ["toString", 4],
    ]);
    expect(stringifyJson(tree)).toBe(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":2},"a":{"__proto__":3},"toString":4}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(flatten(tree)).sort()).toEqual([
      "__proto__.polluted",
      "a.__proto__",
      "constructor.prototype",
      "toString",
    ]);
  });

  test("a key of 10,000 segments nests to the limit and keeps the rest as one key", () => {
    const key = new Array(10_000).fill("s").join(".");
    const text = stringifyJson(unflatten([[key, 1]]));
    expect(text.match(/\{/g)).toHaveLength(MAX_KEY_SEGMENTS);
    expect(flatten(unflatten([[key, 1]]))[key]).toBe(1);
  });

  test("a flood of segments is cut only up to a bound, and nothing is lost", () => {
    const pairs = Array.from({ length: 6000 }, (_, i): [string, Json] => [`${"k.".repeat(100)}n${i}`, i]);
    const tree = unflatten(pairs);
    expect(Object.keys(tree).length).toBeGreaterThan(1);
    expect(Object.keys(flatten(tree))).toHaveLength(pairs.length);
  });
});

describe("flatten", () => {
  test("walks objects and lists of objects, drops nulls, empty objects and scalars of mixed lists", () => {
    const stored: JsonObject = {
      a: { b: 1, c: {} },
      d: [],
      e: [1, 2],
      g: [{ x: 1 }, { y: [{ z: 2 }] }],
      h: [1, { x: 2 }],
      i: null,
    };
    expect({ ...flatten(stored) }).toEqual({ "a.b": 1, d: [], e: [1, 2], "g.0.x": 1, "g.1.y.0.z": 2, "h.1.x": 2 });
  });

  test("keeps whole doubles apart from integers", () => {
    const raw = (JSON as unknown as { rawJSON(text: string): Json }).rawJSON("1.0");
    expect(stringifyJson(flatten({ a: { b: raw } }))).toBe('{"a.b":1.0}');
  });
});
