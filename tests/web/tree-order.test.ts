// Spans that came level by level, put in the order of their tree.
import { describe, expect, test } from "bun:test";
import { inTreeOrder } from "../../src/web/pages/traces/tree-order.ts";

const order = (...spans: [key: string, parentKey: string | null][]) =>
  inTreeOrder(
    spans.map(([key, parentKey]) => ({ key, parentKey })),
    "root",
  ).map(({ key, depth }) => `${key} ${depth}`);

describe("the order of a tree", () => {
  test("puts each span before those below it, siblings as they came", () => {
    expect(order(["a", "root"], ["b", "root"], ["a1", "a"], ["b1", "b"], ["a2", "a"], ["a11", "a1"])).toEqual([
      "a 1",
      "a1 2",
      "a11 3",
      "a2 2",
      "b 1",
      "b1 2",
    ]);
  });

  test("leaves out what does not lead to the root, and ends in a circle", () => {
    expect(order(["a", "root"], ["lost", "gone"], ["x", "y"], ["y", "x"], ["root", "a"])).toEqual(["a 1", "root 2"]);
    expect(order()).toEqual([]);
  });
});
