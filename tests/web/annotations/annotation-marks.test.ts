// The annotations of a span on the rows of the tree.
import { expect, test } from "bun:test";
import { annotationMarks } from "../../../src/web/domain/annotations/annotation-marks.ts";
import type { Annotation, Question } from "../../../src/web/domain/annotations/verdicts.ts";

const annotation = (name: string, rest: Partial<Annotation>): Annotation => ({
  ...{ id: "1", name, annotatorKind: "LLM", label: null, score: null, explanation: null, identifier: "" },
  ...{ updatedAt: "", user: null, ...rest },
});
const question: Question = {
  ...{ name: "quality", type: "CONTINUOUS", lowerBound: 0, upperBound: 1, description: null },
  optimizationDirection: "MINIMIZE",
};
const marks = (...annotations: Annotation[]) => annotationMarks(annotations, [question], (kind) => `a ${kind}`);

test("one mark a name, in their order", () => {
  expect(marks(annotation("z", { label: "yes" }), annotation("a", { explanation: "because" }))).toEqual([
    { name: "a", goodness: null, value: "", hint: "a: because (a LLM)" },
    { name: "z", goodness: null, value: "yes", hint: "z: yes (a LLM)" },
  ]);
});

test("where answers differ, the mean score stands for them", () => {
  const user = { id: "u", username: "priya" };
  expect(
    marks(annotation("quality", { score: 0 }), annotation("quality", { score: 0.5, annotatorKind: "HUMAN", user })),
  ).toEqual([{ name: "quality", goodness: 0.75, value: "0.25", hint: "quality: 0 (a LLM), 0.5 (priya)" }]);
  expect(marks(annotation("q", { label: "yes" }), annotation("q", { label: "no" }))[0]).toMatchObject({ value: "" });
  expect(marks(annotation("q", { label: "yes" }), annotation("q", { label: "yes" }))[0]).toMatchObject({
    value: "yes",
  });
});
