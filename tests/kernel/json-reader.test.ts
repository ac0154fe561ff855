// The parser of JSON that keeps numbers, held against the engine's, and where broken JSON breaks off.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { numberFromSource, parseJson } from "../../src/kernel/json.ts";
import { readJson, syntaxErrorOffset } from "../../src/kernel/json-reader.ts";

const broken: readonly [string, number][] = [
  ["{bad", 1],
  ["", 0],
  ["{", 1],
  ["[1,]", 3],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['{"name":NaN}', 8],
  ["[01]", 2],
  ["[1.]", 2],
  ["[1.5e]", 4],
  ["[-]", 1],
  ["[.5]", 1],
  ["[tru]", 1],
  ["{1:2}", 1],
  ['["\\x"]', 1],
  ['["\\"]', 1],
  ["]", 0],
  ['["a\tb"]', 1],
  ["1 2", 2],
  ["[[[[", 4],
  ['{"a":[1,2}', 9],
];

describe("syntaxErrorOffset", () => {
  for (const [text, offset] of broken) {
    test(`finds ${offset} in ${JSON.stringify(text)}`, () => {
      expect(syntaxErrorOffset(text)).toBe(offset);
    });
  }

  test("passes over everything that is JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(syntaxErrorOffset(text)).toBe(text.length);
      }),
      { numRuns: 200 },
    );
  });

  test("is not stopped by depth", () => {
    expect(syntaxErrorOffset(`${"[".repeat(200_000)}x`)).toBe(200_000);
  });
});

/** As the engine does it: slow, and right. */
function byReviver(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? numberFromSource(context.source) : value) as never);
}

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.constantFrom(
    "1.0",
    "-0",
    "-0.0",
    "0e0",
    "1e2",
    "1E+2",
    "-1.50",
    "100.00",
    "1e400",
    "9007199254740993",
    "123456789012345.0",
  ),
);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "1", '"', "\\", "\u0000", "1.0]"));
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    number,
    text.map((it) => JSON.stringify(it)),
    fc.constantFrom("true", "false", "null", " [ ] ", "{\n}"),
    fc.array(tie("json"), { maxLength: 5 }).map((items) => `[${items.join(" ,")}]`),
    fc
      .array(fc.tuple(text, tie("json")), { maxLength: 5 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:\t${value}`).join(",")}}`),
  ),
}));

describe("readJson", () => {
  const read = (source: string) =>
    readJson(source, { whole: (value) => numberFromSource(`${value}.0`), other: numberFromSource });

  test("reads any JSON as the engine's reviver does", () => {
    fc.assert(
      fc.property(json, (source) => {
        expect(read(source)).toEqual(byReviver(source));
        expect(JSON.stringify(read(source))).toBe(JSON.stringify(byReviver(source)));
      }),
      { numRuns: 500 },
    );
  });

  test("refuses what the engine refuses", () => {
    const damage = fc.tuple(json, fc.nat(), fc.constantFrom("", ",", "]", "}", '"', "0", ".", "e", "\\", "x"));
    fc.assert(
      fc.property(damage, ([source, place, put]) => {
        const at = place % (source.length + 1);
        const damaged = source.slice(0, at) + put + source.slice(at + 1);
        const engine = attempt(() => byReviver(damaged));
        const own = attempt(() => read(damaged));
        expect(own === null).toBe(engine === null);
        if (engine === null) expect(syntaxErrorOffset(damaged)).toBeLessThanOrEqual(damaged.length);
      }),
      { numRuns: 500 },
    );
  });

  test("is not stopped by depth", () => {
    const depth = 100_000;
    expect(() => read(`${"[".repeat(depth)}1.0${"]".repeat(depth)}`)).not.toThrow();
  });

  test("a million equal raw numbers are one", () => {
    const list = parseJson(`[${"1.0,".repeat(1_000_000)}1.0]`) as unknown[];
    expect(new Set(list).size).toBe(1);
    expect(list).toHaveLength(1_000_001);
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch {
    return null;
  }
}
