// Which verdicts of people mean that an answer is bad, and where the corrected output of an annotation stands.
import { describe, expect, test } from "bun:test";
import type { AnnotationConfig } from "../../../../src/modules/evaluation/annotation-configs/annotation-configs.schema.ts";
import {
  correctedOutput,
  correctionNames,
} from "../../../../src/modules/evaluation/datasets/from-spans/corrected-output.rules.ts";
import { isNegative } from "../../../../src/modules/evaluation/datasets/from-spans/negative-annotation.rules.ts";

const about = { id: 1, name: "q", description: null } as const;
const stars: AnnotationConfig = {
  ...about,
  ...{ type: "CONTINUOUS", optimizationDirection: "MAXIMIZE", lowerBound: 1, upperBound: 5 },
};
const risk: AnnotationConfig = {
  ...about,
  ...{ type: "CATEGORICAL", optimizationDirection: "MINIMIZE" },
  values: [
    { label: "no", score: 0 },
    { label: "yes", score: 1 },
  ],
};
const plain: AnnotationConfig = {
  ...about,
  ...{ type: "CATEGORICAL", optimizationDirection: "NONE" },
  values: [{ label: "no", score: 0 }],
};
const text: AnnotationConfig = {
  ...about,
  ...{ type: "FREEFORM", optimizationDirection: null, lowerBound: null, upperBound: null, threshold: null },
};

describe("a verdict is negative", () => {
  const verdict = (
    label: string | null,
    score: number | null,
    kind: "HUMAN" | "LLM" | "CODE" = "HUMAN",
    name = "q",
  ) => ({
    ...{ name, label, score },
    annotatorKind: kind,
  });
  test.each([
    ["by its label", verdict(" Incorrect", null), undefined, true],
    ["by a score of 0", verdict(null, 0), undefined, true],
    ["not by a score without bounds", verdict(null, 0.2), undefined, false],
    ["not without a label or a score", verdict(null, null), undefined, false],
    ["not by another label", verdict("correct", null), undefined, false],
    ["not where a model said it", verdict("incorrect", 0, "LLM"), undefined, false],
    ["not where a program said it", verdict("incorrect", 0, "CODE"), undefined, false],
    ["not as a note", verdict(null, 0, "HUMAN", "note"), undefined, false],
    ["in the lower half where higher is better", verdict(null, 2.9), stars, true],
    ["not in the middle", verdict(null, 3), stars, false],
    ["in the upper half where lower is better", verdict("yes", null), risk, true],
    ["not by a label that its configuration calls good", verdict("no", null), risk, false],
    ["not where neither end is better", verdict("no", 0), plain, false],
    ["by a label of no configuration", verdict("wrong", null), plain, true],
    ["by a label beside a text", verdict("bad", null), text, true],
  ] as const)("%s", (_name, annotation, config, negative) => {
    expect(isNegative(annotation, config)).toBe(negative);
  });
});

describe("a corrected output", () => {
  const said = (explanation: string | null, metadata: object, updatedUs: number, kind: "HUMAN" | "LLM" = "HUMAN") => ({
    ...{ name: "fix", annotatorKind: kind, explanation, updatedUs },
    metadata: JSON.stringify(metadata),
  });
  const answer = { output: "old" };
  test.each([
    ["is the newest of people", [said("first", {}, 1), said("second", {}, 2)], answer, { output: "second" }],
    ["is the metadata before the explanation", [said("why", { correction: "new" }, 1)], answer, { output: "new" }],
    [
      "of a person goes before a program's",
      [said("person", {}, 1), said(null, { expected: "x" }, 2, "LLM")],
      answer,
      { output: "person" },
    ],
    ["of a program is its metadata", [said("reason", { expected_output: { a: 1 } }, 1, "LLM")], answer, { a: 1 }],
    ["keeps the name of the only text", [said("new", {}, 1)], { reply: "old" }, { reply: "new" }],
    [
      "is a message where the answer is one",
      [said("new", {}, 1)],
      { messages: [] },
      { messages: [{ role: "assistant", content: "new" }] },
    ],
    ["may be a number", [said(null, { corrected_output: 7 }, 1)], { rows: [] }, { output: 7 }],
    ["is not the reason of a program", [said("reason", {}, 1, "LLM")], answer, null],
    ["is not blank", [said(" ", { correction: "" }, 1)], answer, null],
  ] as const)("%s", (_name, annotations, answered, expected) => {
    expect(correctedOutput(annotations, "fix", answered as never)).toEqual(expected as never);
    expect(correctionNames(annotations)).toEqual(expected === null ? [] : ["fix"]);
    expect(correctedOutput(annotations, "other", answered as never)).toBeNull();
  });
});
