// What histograms show, worked out before anything is drawn.
import { expect, test } from "bun:test";
import { countOf, edgeLabels, highestBin } from "../../src/web/kit/charts/histogram-data.ts";
import { scoreSpread, spreadOf } from "../../src/web/pages/metrics/histograms.ts";

const binsOf = (...counts: number[]) => counts.map((count, at) => ({ min: at, max: at + 1, count }));

test("the fullest bin holds all of its series", () => {
  const data = scoreSpread({ bins: binsOf(3, 5, 5), humanCounts: [3, 1, 0] });
  expect(data.series.map(({ label, counts }) => [label, counts])).toEqual([
    ["People", [3, 1, 0]],
    ["Programs", [0, 4, 5]],
  ]);
  expect([countOf(data, 1), highestBin(data)]).toEqual([5, 1]);
});

test("who gave no score is left out", () => {
  const labels = (humanCounts: number[]) =>
    scoreSpread({ bins: binsOf(1, 2), humanCounts }).series.map((each) => each.label);
  expect([labels([1, 2]), labels([0, 0])]).toEqual([["People"], ["Programs"]]);
  expect(spreadOf(binsOf(1, 2), "--ink").series.map(({ counts }) => counts)).toEqual([[1, 2]]);
});

test("few edges are labelled, the first among them, and a single value in the middle", () => {
  expect(edgeLabels([])).toEqual([]);
  expect(edgeLabels([{ min: 7, max: 7 }])).toEqual([{ place: 0.5, value: 7 }]);
  expect(edgeLabels(binsOf(1, 1))).toEqual([
    { place: 0, value: 0 },
    { place: 0.5, value: 1 },
    { place: 1, value: 2 },
  ]);
  for (let count = 1; count <= 41; count++) {
    const labels = edgeLabels(binsOf(...Array.from({ length: count }, () => 1)));
    expect(labels.length).toBeLessThanOrEqual(6);
    expect(labels[0]).toEqual({ place: 0, value: 0 });
  }
});
