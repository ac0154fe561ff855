// Splits that several examples are put into and taken out of at once.
import { expect, test } from "bun:test";
import { shareOf, splitChanges } from "../../src/web/pages/datasets/editor/split-changes.ts";

const member = (id: string, ...splits: string[]) => ({ id, datasetSplits: splits.map((split) => ({ id: split })) });
const examples = [member("a", "train"), member("b", "train", "hard"), member("c")];

test("a split holds all of the examples, some of them or none", () => {
  expect(["train", "hard", "other"].map((id) => shareOf(id, examples))).toEqual(["some", "some", "none"]);
  expect(shareOf("train", examples.slice(0, 2))).toBe("all");
});

test("a split that was not changed stays as it is for each", () => {
  expect(splitChanges(examples, {})).toEqual([]);
  expect(splitChanges(examples, { train: true })).toEqual([{ splitIds: ["train"], exampleIds: ["c"] }]);
  expect(splitChanges(examples, { train: false, test: true })).toEqual([
    { splitIds: ["test"], exampleIds: ["a", "c"] },
    { splitIds: ["hard", "test"], exampleIds: ["b"] },
  ]);
});
