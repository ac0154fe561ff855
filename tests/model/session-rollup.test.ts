// What a session gains and loses when its traces change; tests/model/rollup.test.ts holds the same against brute
// force over generated batches.
import { describe, expect, test } from "bun:test";
import {
  addTotals,
  noTotals,
  subtractTotals,
  type TraceTotals,
  traceTotals,
} from "../../src/model/summaries/rollups/rollup-totals.ts";
import { sessionDifferences } from "../../src/model/summaries/rollups/session-rollup.ts";

const totals = (changed: Partial<TraceTotals> = {}): TraceTotals => ({
  ...noTotals,
  spanCount: 2,
  llmCount: 1,
  toolCount: 1,
  prompt: 10,
  completion: 20,
  cost: 30n,
  startUs: 100,
  endUs: 200,
  ...changed,
});
const EMPTY = totals({ spanCount: 0, llmCount: 0, toolCount: 0, prompt: 0, completion: 0, cost: 0n });

describe("sessionDifferences", () => {
  test("a trace linked only now brings all it holds", () => {
    const before = { sessionId: null, totals: totals({ errorCount: 1 }) };
    const after = { sessionId: 7, totals: totals({ errorCount: 1, spanCount: 3, prompt: 11, endUs: 250 }) };
    expect(sessionDifferences([{ before, after }])).toMatchObject([
      {
        sessionId: 7,
        traceCount: 1,
        errorTraceCount: 1,
        spanCount: 3,
        llmCount: 1,
        toolCount: 1,
        prompt: 11,
        completion: 20,
        cost: 30n,
        startUs: 100,
        endUs: 250,
      },
    ]);
  });

  test("only the first error of a trace makes it a trace with errors", () => {
    const state = (errorCount: number) => ({ sessionId: 7, totals: totals({ errorCount }) });
    expect(sessionDifferences([{ before: state(0), after: state(1) }])).toMatchObject([
      { errorTraceCount: 1, traceCount: 0 },
    ]);
    expect(sessionDifferences([{ before: state(1), after: state(5) }])).toMatchObject([{ errorTraceCount: 0 }]);
    expect(sessionDifferences([{ before: state(1), after: state(0) }])).toMatchObject([{ errorTraceCount: -1 }]);
  });

  test("a trace counts from its first span, not from its row", () => {
    const empty = { sessionId: 7, totals: EMPTY };
    const filled = { sessionId: 7, totals: totals() };
    expect(sessionDifferences([{ before: null, after: empty }])).toEqual([]);
    expect(sessionDifferences([{ before: empty, after: filled }])).toMatchObject([{ traceCount: 1, spanCount: 2 }]);
    expect(sessionDifferences([{ before: filled, after: empty }])).toMatchObject([{ traceCount: -1, spanCount: -2 }]);
  });

  test("a deleted trace takes away what it held and leaves finite bounds", () => {
    const before = { sessionId: 7, totals: totals({ errorCount: 2 }) };
    expect(sessionDifferences([{ before, after: null }])).toMatchObject([
      { traceCount: -1, errorTraceCount: -1, spanCount: -2, prompt: -10, cost: -30n, startUs: 100, endUs: 200 },
    ]);
  });

  test("gathers the traces of a session, in the order of session ids, without those that stay the same", () => {
    const same = { sessionId: 5, totals: totals() };
    const differences = sessionDifferences([
      { before: same, after: { ...same } },
      { before: null, after: { sessionId: 20, totals: totals() } },
      { before: null, after: { sessionId: 3, totals: totals({ startUs: 50 }) } },
      { before: null, after: { sessionId: 3, totals: totals({ endUs: 900 }) } },
      { before: null, after: { sessionId: null, totals: totals() } },
    ]);
    expect(differences.map(({ sessionId, traceCount }) => [sessionId, traceCount])).toEqual([
      [3, 2],
      [20, 1],
    ]);
    expect(differences[0]).toMatchObject({ startUs: 50, endUs: 900 });
  });
});

describe("traceTotals", () => {
  const span = {
    traceId: 1,
    kind: "LLM",
    status: "OK",
    promptTokens: 1,
    completionTokens: 2,
    repeatsChild: false,
    cost: 3,
    startUs: 5,
    endUs: 6,
  } as const;

  test("counts each trace by itself", () => {
    const found = traceTotals([
      span,
      { ...span, kind: "TOOL", status: "ERROR", promptTokens: null, completionTokens: null, cost: null, startUs: 2 },
      { ...span, traceId: 2, kind: "CHAIN", endUs: 9 },
    ]);
    expect([...found]).toMatchObject([
      [
        1,
        {
          spanCount: 2,
          errorCount: 1,
          llmCount: 1,
          toolCount: 1,
          prompt: 1,
          completion: 2,
          cost: 3n,
          startUs: 2,
          endUs: 6,
        },
      ],
      [
        2,
        {
          spanCount: 1,
          errorCount: 0,
          llmCount: 0,
          toolCount: 0,
          prompt: 1,
          completion: 2,
          cost: 3n,
          startUs: 5,
          endUs: 9,
        },
      ],
    ]);
  });

  test("what is added and taken away again leaves the counts as they were, and the bounds widened", () => {
    const added = traceTotals([{ ...span, startUs: 1, endUs: 900 }]).get(1)!;
    const before = totals();
    expect(subtractTotals(addTotals(before, added), added)).toEqual({ ...before, startUs: 1, endUs: 900 });
  });
});
