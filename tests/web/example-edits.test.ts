// What is changed in examples before they are added, and the rule that holds for the others.
import { describe, expect, test } from "bun:test";
import {
  correctedBy,
  hasProblem,
  noEdits,
  ruleOf,
  sentEdits,
  textsOf,
  withEdit,
  withoutEdits,
} from "../../src/web/domain/datasets/addition/example-edits.ts";

const example = {
  span: { id: "one", shownName: "answer" },
  input: { input: "Hello" },
  output: {},
  answer: { output: "Go away" },
  missingOutputReason: "FAILED" as const,
  missingOutputNote: null,
  correctionNames: [],
};

describe("edits of examples", () => {
  test("win over what the rule says, part by part", () => {
    const edits = withEdit(noEdits, "one", "output", '{"output": "Hi"}');
    const { rule, answered, now } = textsOf(example, edits);
    expect(JSON.parse(now.output)).toEqual({ output: "Hi" });
    expect(now.input).toBe(rule.input);
    expect(JSON.parse(rule.output)).toEqual({});
    expect(JSON.parse(answered)).toEqual({ output: "Go away" });
  });

  test("are taken back one by one, or all of an example", () => {
    const both = withEdit(withEdit(noEdits, "one", "input", "{}"), "one", "output", "{}");
    expect(withEdit(both, "one", "input", undefined).get("one")).toEqual({ output: "{}" });
    expect(withEdit(withEdit(both, "one", "input", undefined), "one", "output", undefined).size).toBe(0);
    expect(withoutEdits(withEdit(both, "two", "input", "{}"), "one").size).toBe(1);
    expect(noEdits.size).toBe(0);
  });

  test("are sent with every digit, unless one cannot be", () => {
    const edits = withEdit(noEdits, "one", "output", '{"id": 1234567890123456789}');
    expect(JSON.stringify(sentEdits(edits))).toBe(
      '[{"spanId":"one","input":null,"output":{"id":1234567890123456789}}]',
    );
    expect(hasProblem(edits)).toBe(false);
    expect(hasProblem(withEdit(edits, "two", "input", "[]"))).toBe(true);
    expect(hasProblem(withEdit(edits, "two", "input", "{"))).toBe(true);
  });

  test("the rule of a choice", () => {
    expect(ruleOf("EMPTY")).toEqual({ rule: "EMPTY", annotationName: null });
    expect(ruleOf(correctedBy("better answer"))).toEqual({
      rule: "CORRECTED_OUTPUT",
      annotationName: "better answer",
    });
  });
});
