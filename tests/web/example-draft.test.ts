// What is written by hand: why it is no JSON, where, and what a part of an example says.
import { describe, expect, test } from "bun:test";
import {
  changedParts,
  draftLike,
  draftOf,
  objectOf,
  oneTextOf,
  problemOf,
  withText,
} from "../../src/web/domain/datasets/editor/example-draft.ts";
import { jsonProblem } from "../../src/web/kit/editor/json-problem.ts";

describe("the problem of a JSON text", () => {
  test.each([
    ['{"a": 1}', null],
    ["", [0, "JSON is expected here."]],
    ['{"a": 1', [7, "Line 1, column 8: the text ends too early. A bracket, a quote or a value lacks."]],
    ['{\n  "a": 1,\n}', [12, "Line 3, column 1: “}” cannot stand here."]],
    [
      '{"a": "b\n}',
      [6, "Line 1, column 7: the text that begins here lacks its end, or holds what JSON writes otherwise."],
    ],
    ["{'a': 1}", [1, "Line 1, column 2: “'” cannot stand here."]],
  ])("of %p is reported with its place", (source, problem) => {
    const found = jsonProblem(source);
    expect(found && [found.offset, found.message]).toEqual(problem as never);
  });
});

describe("a part of an example", () => {
  test("must be an object", () => {
    expect(problemOf("[1]")).toBe("An object is expected here, in braces.");
    expect(problemOf("{}")).toBeNull();
  });

  test("keeps numbers as they were written", () => {
    expect(JSON.stringify(objectOf('{"id": 1234567890123456789, "share": 1.0}'))).toBe(
      '{"id":1234567890123456789,"share":1.0}',
    );
  });

  test("that holds one text only is written as plain text", () => {
    const one = oneTextOf('{"question": "Where\\nis it?"}');
    expect(one).toEqual({ name: "question", value: "Where\nis it?" });
    expect(objectOf(withText(one!.name, 'in "quotes"'))).toEqual({ question: 'in "quotes"' });
    for (const source of ['{"a": 1}', '{"a": "", "b": ""}', "{}", '{"a": "']) expect(oneTextOf(source)).toBeNull();
  });

  test("is changed when it says something else", () => {
    const before = draftOf({ input: { a: 1 }, output: {}, metadata: {} });
    expect(changedParts(before, { ...before, input: '{"a":1}' })).toEqual([]);
    expect(changedParts(before, { ...before, input: '{"a":2}', metadata: "{" })).toEqual(["input", "metadata"]);
  });

  test("of a new example has the names of another one", () => {
    const draft = draftLike({ input: { question: "Why?" }, output: { answer: "So." }, metadata: { by: "mail" } });
    expect(objectOf(draft.input)).toEqual({ question: "" });
    expect(objectOf(draft.output)).toEqual({ answer: "" });
    expect(objectOf(draft.metadata)).toEqual({});
  });
});
