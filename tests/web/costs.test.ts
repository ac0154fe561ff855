// The parts of a cost, and how amounts are written.
import { expect, test } from "bun:test";
import { costParts, sumOfEntries, unsplitCost } from "../../src/web/domain/costs/cost-parts.ts";
import { costText } from "../../src/web/domain/costs/cost-text.ts";

const entry = (tokenType: string, isPrompt: boolean, tokens: number | null, cost: number | null) => ({
  ...{ tokenType, isPrompt, value: { tokens, cost } },
});

test("an unknown cost is never an amount", () => {
  expect(costText({ cost: null, unknown: true })).toBe("–");
  expect(costText({ cost: null, unknown: false })).toBe("");
  expect(costText({ cost: 0.5, unknown: true })).toBe("$0.50 + ?");
  expect(costText({ cost: 0, unknown: false })).toBe("$0");
});

test("each kind has its word, its hue and its share; kinds of the sender keep their word", () => {
  const parts = costParts(
    [
      entry("input", true, 10, 3),
      entry("image", true, 1, null),
      entry("audio", false, null, 1),
      entry("constructor", false, 2, 0),
    ],
    4,
  );
  expect(parts.map(({ word, share }) => [word, share])).toEqual([
    ["Input", 0.75],
    ["Input, image", 0],
    ["Audio out", 0.25],
    ["Output, constructor", 0],
  ]);
  expect(parts.map(({ hue }) => hue)).toEqual([
    ...["--kind-prompt", "--kind-unknown", "--kind-reranker", "--kind-unknown"],
  ]);
});

test("what the kinds do not say is left over, but not what rounding leaves", () => {
  const sum = (...costs: (number | null)[]) => sumOfEntries(costs.map((cost) => entry("input", true, 1, cost)));
  expect(unsplitCost(sum(0.1, 0.2), 0.1 + 0.2)).toBe(0);
  expect(unsplitCost(sum(0.1, null), 1.1)).toBe(1);
  expect(unsplitCost(sum(null), null)).toBe(0);
});
