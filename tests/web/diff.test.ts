// What the comparison of two texts and of two JSON values finds.
import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/kernel/json.ts";
import { jsonChanges } from "../../src/web/kit/diff/json-changes.ts";
import { haveLittleInCommon, wordChanges } from "../../src/web/kit/diff/word-changes.ts";

describe("words of two texts", () => {
  test("only what differs went or came, and each text is all there", () => {
    const [before, after] = ["Never promise refunds.\nBe short.", "Never promise refunds above 20 EUR.\nBe short."];
    const changes = wordChanges(before, after);
    const textOf = (...kinds: string[]) => changes.filter(({ kind }) => kinds.includes(kind)).map(({ value }) => value);
    expect(textOf("same", "gone").join("")).toBe(before);
    expect(textOf("same", "come").join("")).toBe(after);
    expect(textOf("gone")).toEqual([]);
    expect(textOf("come").join("")).toBe(" above 20 EUR");
  });

  test("equal texts have no changes, and an empty one is wholly gone or come", () => {
    expect(wordChanges("the same", "the same")).toEqual([{ kind: "same", value: "the same" }]);
    expect(wordChanges("", "new")).toEqual([{ kind: "come", value: "new" }]);
    expect(wordChanges("old", "")).toEqual([{ kind: "gone", value: "old" }]);
    expect(wordChanges("", "")).toEqual([]);
  });

  test("texts with little in common are one that went and one that came", () => {
    const words = (prefix: string) => Array.from({ length: 2_000 }, (_, position) => `${prefix}${position}`).join(" ");
    const [before, after] = [words("a"), words("b")];
    expect(wordChanges(before, after)).toEqual([
      { kind: "gone", value: before },
      { kind: "come", value: after },
    ]);
  });

  test("have little in common when most of the longer one is not in the other", () => {
    const common = (before: string, after: string) => !haveLittleInCommon(wordChanges(before, after));
    expect(common("It is on its way.", "It is on its way and takes five days.")).toBe(true);
    expect(common("It is on its way.", "Soon.")).toBe(false);
    expect(common("", "Soon.")).toBe(false);
    expect(common("", "")).toBe(true);
  });
});

describe("keys of two JSON values", () => {
  test("each value that differs is named by its path, whatever the order of the keys", () => {
    const before = parseJson('{"a": {"b": 1, "gone": true}, "list": [1, 2], "same": "x"}');
    const after = parseJson('{"same": "x", "list": [1, 3], "a": {"b": "1", "come": null}}');
    expect(jsonChanges(before, after)).toEqual([
      { path: "a.b", before: 1, after: "1" },
      { path: "a.gone", before: true, after: undefined },
      { path: "a.come", before: undefined, after: null },
      { path: "list.1", before: 2, after: 3 },
    ]);
  });

  test("names that every object has by itself are members like others, and every digit counts", () => {
    const changes = (before: string, after: string) => jsonChanges(parseJson(before), parseJson(after));
    expect(changes('{"constructor": 1}', "{}")).toEqual([{ path: "constructor", before: 1, after: undefined }]);
    expect(changes("{}", '{"toString": 1}')).toEqual([{ path: "toString", before: undefined, after: 1 }]);
    expect(changes('{"a": 90071992547409931}', '{"a": 90071992547409932}').map(({ path }) => path)).toEqual(["a"]);
    expect(changes('{"a": 90071992547409931}', '{"a": 90071992547409931}')).toEqual([]);
    expect(changes('{"a": null}', "{}")).toEqual([{ path: "a", before: null, after: undefined }]);
  });

  test("lists of different lengths and values of different kinds differ as wholes", () => {
    expect(jsonChanges(parseJson("[1]"), parseJson("[1, 2]"))).toEqual([{ path: "", before: [1], after: [1, 2] }]);
    expect(jsonChanges(parseJson('{"a": 1}'), "a")).toEqual([{ path: "", before: { a: 1 }, after: "a" }]);
    expect(jsonChanges(undefined, parseJson("1"))).toEqual([{ path: "", before: undefined, after: 1 }]);
  });
});
