// Edges of histograms: round, few, and around every value.
import { expect, test } from "bun:test";
import { evenEdges, growingEdges, histogramBins } from "../../src/kernel/histogram.ts";

test("even edges are round and hold both ends", () => {
  expect(evenEdges(0, 1, 10)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  expect(evenEdges(0.13, 0.87, 4)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(evenEdges(-3, 12, 4)).toEqual([-5, 0, 5, 10, 15]);
  expect(evenEdges(1, 5, 20, true)).toEqual([1, 2, 3, 4, 5]);
  expect(evenEdges(0, 9, 4, true)).toEqual([0, 5, 10]);
});

test("what has no round edges is one bin", () => {
  for (const [lowest, highest] of [
    [7, 7],
    [-1e308, 1e308],
    [1e15, 1e15 + 0.25],
  ] as const) {
    expect(evenEdges(lowest, highest, 20)).toEqual([lowest, highest]);
  }
});

test("growing edges of whole numbers are whole", () => {
  expect(growingEdges(1, 100, 20)).toEqual([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]);
  expect(growingEdges(120, 9000, 20)).toEqual([
    100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10000,
  ]);
  expect(growingEdges(100, 130, 20)).toEqual([
    100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 128, 130,
  ]);
  expect(growingEdges(0, 0, 20)).toEqual([0, 0]);
});

test("any values lie between the edges, in bins that are few enough", () => {
  for (let round = 0; round < 2000; round++) {
    const most = 1 + Math.floor(Math.random() * 40);
    const scale = 10 ** (Math.random() * 24 - 12);
    const [low, high] = [Math.random() - 0.5, Math.random() - 0.5].map((each) => each * scale).sort((a, b) => a - b);
    const whole = [1, 1].map((each) => each + Math.floor(10 ** (Math.random() * 15.9))).sort((a, b) => a - b);
    for (const [[lowest, highest], edges] of [
      [[low!, high!], evenEdges(low!, high!, most)],
      [whole, growingEdges(whole[0]!, whole[1]!, most)],
    ] as const) {
      expect(edges[0]).toBeLessThanOrEqual(lowest!);
      expect(edges.at(-1)).toBeGreaterThanOrEqual(highest!);
      expect(edges.length - 1).toBeLessThanOrEqual(most);
      if (edges.length > 2) expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true);
    }
  }
});

test("bins without values count none", () => {
  expect(histogramBins([0, 1, 2], new Map([[1, 4]]))).toEqual([
    { min: 0, max: 1, count: 0 },
    { min: 1, max: 2, count: 4 },
  ]);
});
