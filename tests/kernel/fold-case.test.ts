import { describe, expect, test } from "bun:test";
import { containsFolded, foldCase } from "../../src/kernel/fold-case.ts";

/** By definition, without the short cut for letters that lower case folds. */
function foldedByDefinition(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i");
}

function* characters(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

describe("foldCase", () => {
  test.each([
    ["STRASSE straße STRAẞE", "strasse strasse strasse"],
    ["ΟΔΥΣΣΕΎΣ οδυσσεύς", "οδυσσεύσ οδυσσεύσ"],
    ["Iı İi Kelvin ſ", "ii ii kelvin s"],
    ["ﬁnd ﬂow ŉ", "find flow ʼn"],
    ["ПРОЩАЙ МИР", "прощай мир"],
    ["ᾼ ᾳ ΑΙ", "αι αι αι"],
    ["ԵՒ և", "եւ եւ"],
    ["日本語 العربية हिन्दी ไทย", "日本語 العربية हिन्दी ไทย"],
    ["É E\u0301", "é e\u0301"],
  ])("%s becomes %s", (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  test("every character of Unicode folds by the definition, and folding again changes nothing", () => {
    const wrong = characters().filter((character) => {
      const folded = foldCase(character);
      return folded !== foldedByDefinition(character) || foldCase(folded) !== folded;
    });
    expect([...wrong]).toEqual([]);
  });

  test("both cases of every character fold alike", () => {
    const wrong = characters().filter((character) => {
      const folded = foldCase(character);
      return foldCase(character.toUpperCase()) !== folded || foldCase(character.toLowerCase()) !== folded;
    });
    expect([...wrong]).toEqual([]);
  });

  test("a text is found by a part of a letter that folds to two", () => {
    expect(containsFolded("Maß", foldCase("as"))).toBe(true);
    expect(containsFolded("Mass", foldCase("aß"))).toBe(true);
    expect(containsFolded("Mas", foldCase("aß"))).toBe(false);
  });
});
