// Where broken JSON breaks off.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { syntaxErrorOffset } from "../../src/kernel/json-syntax.ts";

const broken: readonly [string, number][] = [
  ["{bad", 1],
  ["", 0],
  ["{", 1],
  ["[1,]", 3],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['{"name":NaN}', 8],
  ["[01]", 2],
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
