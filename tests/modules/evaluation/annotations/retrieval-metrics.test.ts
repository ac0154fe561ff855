// Figures of a retrieval, against numbers worked out by hand.
import { describe, expect, test } from "bun:test";
import {
  documentScores,
  hit,
  meanOf,
  ndcg,
  precision,
  reciprocalRank,
} from "../../../../src/modules/evaluation/annotations/summaries/retrieval-metrics.rules.ts";

describe("figures of a retrieval", () => {
  test("NDCG compares with the best order of the scores", () => {
    expect(ndcg([1, 0, 1], null)).toBeCloseTo((1 + 1 / 2) / (1 + 1 / Math.log2(3)), 12);
    expect(ndcg([0, 1], 1)).toBe(0);
    expect(ndcg([3, 2, 1], null)).toBe(1);
    expect(ndcg([0.5], null)).toBe(1);
    expect(ndcg([0, 0], null)).toBe(0);
    expect(ndcg([-1, 1], null)).toBeCloseTo(1 / Math.log2(3), 12);
    expect(ndcg([1, 1], 0)).toBe(0);
    expect(ndcg([1, null], null)).toBeNull();
  });

  test("precision is the share of hits among the first", () => {
    expect(precision([1, 0, 0.1, 0], null)).toBe(0.5);
    expect(precision([1, 0, 1], 2)).toBe(0.5);
    expect(precision([1], 4)).toBe(0.25);
    expect(precision([1], 0)).toBe(0);
    expect(precision([-1, 1], null)).toBe(0.5);
    expect(precision([null, 1], 1)).toBeNull();
  });

  test("the first hit tells the reciprocal rank, unless something unknown comes before it", () => {
    expect(reciprocalRank([0, 0, 1])).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank([1, null])).toBe(1);
    expect(reciprocalRank([null, 1])).toBeNull();
    expect(reciprocalRank([0, 0])).toBe(0);
  });

  test("one hit is enough", () => {
    expect(hit([null, 1])).toBe(1);
    expect(hit([0, null])).toBeNull();
    expect(hit([0, -1])).toBe(0);
  });

  test("of several scores of one document the mean counts", () => {
    expect(
      documentScores(3, [
        { position: 1, score: 1 },
        { position: 1, score: 0 },
        { position: 2, score: 2 },
      ]),
    ).toEqual([null, 0.5, 2]);
  });

  test("means are over what is known", () => {
    expect(meanOf([1, null, 0])).toEqual({ mean: 0.5, count: 2 });
    expect(meanOf([null])).toEqual({ mean: null, count: 0 });
  });
});
