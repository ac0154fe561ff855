import { describe, expect, test } from "bun:test";
import { highestLatency, lowestLatency } from "../../../../src/modules/tracing/traces/latency.rules.ts";

describe("bounds of a latency", () => {
  for (const [milliseconds, lowest, highest] of [
    [0, 0, 0],
    [0.04, 40, 40],
    [0.0400001, 41, 40],
    [0.3, 300, 300],
    [500.1, 500_100, 500_100],
    [123456.789, 123_456_789, 123_456_789],
    [1e-7, 1, 0],
    [5e-324, 1, 0],
    [1e21, 1e24, 1e24],
    [Infinity, Infinity, Infinity],
  ] as const) {
    test(`${milliseconds} ms`, () => {
      expect([lowestLatency(milliseconds), highestLatency(milliseconds)]).toEqual([lowest, highest]);
    });
  }
});
