// Regular expressions of users: Python's meaning in both engines, and a time limit where one is needed.
import { afterAll, describe, expect, test } from "bun:test";
import { parseJson } from "../../../../src/kernel/json.ts";
import { createBuiltInJudge } from "../../../../src/modules/evaluation/evaluators/built-in/built-in-judge.rules.ts";
import { compilePattern } from "../../../../src/modules/evaluation/evaluators/built-in/pattern.rules.ts";
import { needsGoingBack } from "../../../../src/modules/evaluation/evaluators/built-in/pattern-syntax.rules.ts";
import { evaluationWorker } from "../../../../src/threads.ts";

const thread = evaluationWorker((what) => console.error(what));
afterAll(() => thread.stop());

/** Looks ahead for nothing, so that the other engine runs it. */
const native = (pattern: string) =>
  pattern.startsWith("(?") ? pattern.replace(/^(\(\?[a-z]+\))?/, "$1(?=)") : `(?=)${pattern}`;

describe("meaning, in both engines", () => {
  test.each<[string, string, boolean, boolean]>([
    // pattern, text, found somewhere, matches the whole
    ["b.", "abc", true, false],
    ["^b", "a\nb", false, false],
    ["a$", "a\nb", false, false],
    ["(?m)^b$", "a\nb", true, false],
    ["a.b", "a\nb", false, false],
    ["(?s)a.b", "a\nb", true, true],
    ["(?i)ABC", "abc", true, true],
    ["\\w+", "Ünïcode_1", true, true],
    ["^\\w$", "-", false, false],
    ["\\d", "٣", true, true],
    ["\\s", "\u00a0", true, true],
    ["\\S", "\u00a0", false, false],
    ["[\\w.]+", "ä.ö", true, true],
    ["[^\\d]", "٣", false, false],
    ["[]a]+", "]a", true, true],
    ["[[]", "[", true, true],
    ["[^]]", "]", false, false],
    ["x\\Z", "x", true, true],
    ["x\\Z", "xy", false, false],
    ["\\u00e9", "é", true, true],
    ["\\x41", "A", true, true],
    ["^.$", "😀", true, true],
    ["\\-\\.\\/", "-./", true, true],
    ["(?P<n>a)b", "ab", true, true],
    ["(?<=a)b", "ab", true, false],
    ["(?<!a)b", "ab", false, false],
    ["a{2,3}?b", "aaab", true, true],
    ["(a|ab)(c|bcd)", "abcd", true, true],
  ])("%s on %j", (pattern, text, found, whole) => {
    for (const each of [pattern, native(pattern)]) {
      const compiled = compilePattern(each);
      expect([each, compiled.matches(text, false), compiled.matches(text, true)]).toEqual([each, found, whole]);
    }
  });

  test.each([
    ["(?P<n>a)(?P=n)", "aa", "ab"],
    ["(a)\\1", "aa", "ab"],
    ["^(?!.*secret).*$", "nothing", "a secret"],
    ["a(?=b)", "ab", "ac"],
    ["\\Aab(?!c)", "abd", "abc"],
  ])("%s goes back", (pattern, match, other) => {
    expect(needsGoingBack(pattern)).toBe(true);
    expect([compilePattern(pattern).matches(match, false), compilePattern(pattern).matches(other, false)]).toEqual([
      true,
      false,
    ]);
  });

  test.each(["[(?=]", "\\(\\?=", "(?<=a)b", "(?:a)", "[\\1]", "\\\\1"])("%s does not", (pattern) => {
    expect(needsGoingBack(pattern)).toBe(false);
  });

  test.each(["(", "[a", "a{2,1}", "(?P<n>a", "*", "\\", "(?P=n)", "(?=", "x".repeat(10_001), "(?=)[b-a]"])(
    "%p is invalid",
    (pattern) => {
      expect(() => compilePattern(pattern)).toThrow("Invalid regex pattern: ");
    },
  );
});

describe("time", () => {
  const judge = createBuiltInJudge(thread);
  const regex = (pattern: string, text: string) => judge("regex", { pattern, text, full_match: false });

  test("a pattern that would go back for ever is ended, and the next one is answered", async () => {
    const text = `${"a".repeat(60)}!`;
    // The limit of the judge is longer than a test should take.
    const ended = thread.call(
      "judge",
      { key: "regex", inputs: JSON.stringify({ pattern: "(?=a)(a+)+$", text, full_match: false }) },
      0.2,
    );
    const next = regex("(?=a)a", "a");
    expect(ended).rejects.toThrow("time limit of 0.2 seconds");
    expect((await next).type).toBe("match");
  });

  test("what takes long runs beside the event loop", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const long = "ab".repeat(20_000);
    const distance = await judge("levenshtein_distance", {
      expected: long,
      actual: `x${"ba".repeat(20_000)}`,
      case_sensitive: true,
    });
    clearInterval(counting);
    expect(distance).toMatchObject({ type: "distance" });
    expect(turns).toBeGreaterThan(0);
  });

  test("numbers cross as they are", async () => {
    const text = JSON.stringify({ a: "x".repeat(200_000) });
    expect(
      await judge("json_distance", { expected: text, actual: parseJson('{"a":1.0}'), parse_strings: true }),
    ).toMatchObject({
      distance: 1,
    });
  });

  test("an error of the thread is told as it is", async () => {
    expect(regex(`(?=)${"(".repeat(600)}`, "")).rejects.toThrow("Invalid regex pattern: ");
  });
});
