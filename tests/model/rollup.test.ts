// The roll-ups against brute force: generated traces, orders of arrival, batch cuts, repeats, cycles and deletions go
// through the simulated store, and after every batch every sum must be what the slow way says.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SumVector } from "../../src/model/summaries/rollups/rollup.ts";
import { type AncestorRow, climb } from "../../src/model/summaries/rollups/rollup-climb.ts";
import { type FoldSpan, fold } from "../../src/model/summaries/rollups/rollup-fold.ts";
import { recompute } from "../../src/model/summaries/rollups/rollup-recompute.ts";
import { countsOf, liesOnCycle, sessionCounts, sumBelow } from "../support/rollup-brute-force.ts";
import { batches } from "../support/rollup-forests.ts";
import { RollupSimulator, recomputed, type SimulatedSpan } from "../support/rollup-simulator.ts";

const NONE: SumVector = { errors: 0, prompt: 0, completion: 0 };
const ONE_ERROR: SumVector = { errors: 1, prompt: 0, completion: 0 };

function expectSumsOfEverySpan(store: RollupSimulator): void {
  for (const traceId of store.traces.keys()) {
    const trace = store.spansOf(traceId);
    for (const span of trace) {
      const expected = sumBelow(span, trace);
      expect({ span: `${traceId}/${span.spanKey}`, ...span.sums }).toEqual({
        span: `${traceId}/${span.spanKey}`,
        ...expected,
      });
    }
  }
}

function expectMarksOfCycles(store: RollupSimulator): void {
  for (const traceId of store.traces.keys()) {
    const trace = store.spansOf(traceId);
    for (const span of trace) {
      const onCycle = liesOnCycle(span, trace);
      // A cycle in which nothing counts may be marked later.
      if (span.sums.errors + span.sums.prompt + span.sums.completion > 0) expect(span.onCycle).toBe(onCycle);
      else if (span.onCycle) expect(onCycle).toBe(true);
    }
  }
}

function expectTotals(store: RollupSimulator): void {
  for (const [traceId, { totals }] of store.traces) expect(totals).toMatchObject(countsOf(store.spansOf(traceId)));
  for (const [sessionId, counts] of sessionCounts(store)) expect(store.sessions.get(sessionId)).toMatchObject(counts);
}

function expectBounds(store: RollupSimulator): void {
  for (const [traceId, { totals }] of store.traces) {
    const spans = store.spansOf(traceId);
    expect(totals.startUs).toBe(Math.min(...spans.map((span) => span.startUs)));
    expect(totals.endUs).toBe(Math.max(...spans.map((span) => span.endUs)));
  }
  for (const [sessionId, session] of store.sessions) {
    const traces = [...store.traces.values()].filter((trace) => trace.sessionId === sessionId);
    expect(session.startUs).toBe(Math.min(...traces.map((trace) => trace.totals.startUs)));
    expect(session.endUs).toBe(Math.max(...traces.map((trace) => trace.totals.endUs)));
  }
}

function ingestAndCompare(arriving: readonly (readonly SimulatedSpan[])[]): RollupSimulator {
  const store = new RollupSimulator();
  for (const batch of arriving) {
    store.ingest(batch);
    expectSumsOfEverySpan(store);
    expectMarksOfCycles(store);
    expectTotals(store);
    expectBounds(store);
  }
  expect(store.pending.size).toBe(0);
  return store;
}

describe("a store that ingests by fold, climb and recompute", () => {
  test("has exact sums after every batch of trees, stars and chains in any order", () => {
    fc.assert(
      fc.property(batches(["chain", "star", "tree"], 16), (arriving) => void ingestAndCompare(arriving)),
      { numRuns: 400 },
    );
  });

  test("has exact sums after every batch of graphs with cycles and self-parents in any order", () => {
    fc.assert(
      fc.property(batches(["graph"], 9), (arriving) => void ingestAndCompare(arriving)),
      { numRuns: 600 },
    );
  });

  test("never marks or recomputes a trace without cycles", () => {
    fc.assert(
      fc.property(batches(["chain", "star", "tree"], 12), (arriving) => {
        const store = new RollupSimulator();
        for (const batch of arriving) store.ingest(batch);
        expect([...store.spans.values()].some((span) => span.onCycle)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  test("ends with the sums that recompute finds, whatever the cuts", () => {
    fc.assert(
      fc.property(batches(["tree", "graph"], 12), (arriving) => {
        const store = new RollupSimulator();
        for (const batch of arriving) store.ingest(batch);
        for (const traceId of store.traces.keys()) {
          const rows = store.spansOf(traceId);
          const { sums } = recompute(rows.map(recomputed));
          for (const row of rows) expect(row.sums).toEqual(sums.get(row.id)!);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("has exact sums after every deletion, also when spans arrive again", () => {
    fc.assert(
      fc.property(batches(["chain", "tree", "graph"], 9), fc.array(fc.nat(), { maxLength: 6 }), (arriving, victims) => {
        const store = new RollupSimulator();
        for (const batch of arriving) {
          store.ingest(batch);
          const stored = [...store.spans.values()];
          const victim = stored[(victims.pop() ?? 0) % Math.max(1, stored.length)];
          if (victim !== undefined) store.delete(victim);
          expectSumsOfEverySpan(store);
          expectTotals(store);
        }
        store.ingest(arriving.flat());
        expectSumsOfEverySpan(store);
        expectMarksOfCycles(store);
        expectTotals(store);
      }),
      { numRuns: 300 },
    );
  });

  test("puts off climbs that are too long, and is exact again once settled", () => {
    fc.assert(
      fc.property(batches(["chain", "tree", "graph"], 16), (arriving) => {
        const store = new RollupSimulator(3);
        for (const [position, batch] of arriving.entries()) {
          store.ingest(batch);
          if (position % 2 === 0) continue;
          store.settle();
          expectSumsOfEverySpan(store);
        }
        store.settle();
        expectSumsOfEverySpan(store);
      }),
      { numRuns: 200 },
    );
  });

  test("climbs through nothing when children come before their parents", () => {
    const chain = Array.from({ length: 30 }, (_, depth) => span(`s${depth}`, depth === 0 ? null : `s${depth - 1}`));
    const store = new RollupSimulator();
    for (const leaf of chain.toReversed()) store.ingest([leaf]);
    expectSumsOfEverySpan(store);
    expect(store.climbedRows).toBe(0);
  });
});

function span(spanKey: string, parentKey: string | null): SimulatedSpan {
  const counts = { kind: "LLM", status: "ERROR", promptTokens: 1, completionTokens: 1, cost: 1 } as const;
  return { traceId: 1, spanKey, parentKey, sessionId: null, ...counts, startUs: 0, endUs: 1 };
}

function folding(spanKey: string, parentKey: string | null, own: SumVector = ONE_ERROR, traceId = 1): FoldSpan {
  return { traceId, spanKey, parentKey, own };
}

describe("fold", () => {
  test("merges what leaves for the same missing parent and sends no zeros", () => {
    const { outgoing } = fold(
      [
        folding("a", "gone"),
        folding("b", "gone"),
        folding("c", "quiet", NONE),
        folding("d", null),
        folding("e", "gone", ONE_ERROR, 2),
      ],
      new Map([[0, { errors: 2, prompt: 3, completion: 4 }]]),
    );
    expect(outgoing).toEqual([
      { traceId: 1, parentKey: "gone", delta: { errors: 4, prompt: 3, completion: 4 } },
      { traceId: 2, parentKey: "gone", delta: ONE_ERROR },
    ]);
  });

  test("reports self-parents and cycles, and lets nothing leave a trace with a cycle", () => {
    const { sums, outgoing, selfParents, cyclic } = fold(
      [
        folding("self", "self"),
        folding("child", "self"),
        folding("a", "b", ONE_ERROR, 2),
        folding("b", "a", ONE_ERROR, 2),
        folding("c", "gone", ONE_ERROR, 2),
      ],
      new Map(),
    );
    expect(selfParents).toEqual([0]);
    expect(sums[0]).toEqual({ errors: 2, prompt: 0, completion: 0 });
    expect(cyclic).toEqual([2]);
    expect(outgoing).toEqual([]);
  });

  test("answers an empty batch with nothing", () => {
    expect(fold([], new Map())).toEqual({ sums: [], outgoing: [], selfParents: [], cyclic: [] });
  });
});

function row(id: number, spanKey: string, parentKey: string | null, onCycle = false, traceId = 1): AncestorRow {
  return { id, traceId, spanKey, parentKey, onCycle };
}

describe("climb", () => {
  const start = (parentKey: string, errors = 1, traceId = 1) => ({ traceId, parentKey, delta: { ...NONE, errors } });

  test("changes a shared ancestor once", () => {
    const rows = [row(1, "root", null), row(2, "left", "root"), row(3, "right", "root")];
    expect(climb([start("left"), start("right", 2), start("root", 4), start("not stored")], rows).updates).toEqual([
      { id: 1, delta: { ...NONE, errors: 7 } },
      { id: 2, delta: { ...NONE, errors: 1 } },
      { id: 3, delta: { ...NONE, errors: 2 } },
    ]);
  });

  test("ends at a row on a cycle, which keeps the difference", () => {
    const rows = [row(1, "a", "b", true), row(2, "b", "a", true), row(3, "c", "a")];
    expect(climb([start("c")], rows)).toEqual({
      updates: [
        { id: 1, delta: ONE_ERROR },
        { id: 3, delta: ONE_ERROR },
      ],
      newCycles: [],
      tooDeep: [],
    });
  });

  test("reports a new cycle and leaves its trace alone, but not other traces with equal keys", () => {
    const rows = [
      row(1, "a", "b"),
      row(2, "b", "a"),
      row(3, "c", "a"),
      row(4, "a", "b", false, 2),
      row(5, "b", null, false, 2),
    ];
    expect(climb([start("c"), start("a", 1, 2)], rows)).toEqual({
      updates: [
        { id: 4, delta: ONE_ERROR },
        { id: 5, delta: ONE_ERROR },
      ],
      newCycles: [1],
      tooDeep: [],
    });
  });

  test("changes nothing in a trace with more ancestors than allowed", () => {
    const rows = [row(1, "a", null), row(2, "b", "a"), row(3, "c", "b"), row(4, "a", null, false, 2)];
    expect(climb([start("c"), start("a", 1, 2)], rows, 2)).toEqual({
      updates: [{ id: 4, delta: ONE_ERROR }],
      newCycles: [],
      tooDeep: [1],
    });
  });

  test("writes no row whose differences cancel out", () => {
    const rows = [row(1, "root", null), row(2, "left", "root"), row(3, "right", "root")];
    expect(climb([start("left", -1), start("right", 1)], rows).updates.map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe("recompute", () => {
  const counts = { own: { errors: 1, prompt: 2, completion: 3 }, call: null, cost: 0n };

  test("sums a chain of a million spans", () => {
    const length = 1_000_000;
    const rows = Array.from({ length }, (_, depth) => ({
      id: depth,
      spanKey: `s${depth}`,
      parentKey: depth === 0 ? null : `s${depth - 1}`,
      ...counts,
    }));
    const { sums, onCycle } = recompute(rows);
    expect(sums.get(0)).toEqual({ errors: length, prompt: 2 * length, completion: 3 * length });
    expect(sums.get(length - 1)).toEqual(counts.own);
    expect(onCycle.size).toBe(0);
  });

  test("sums a star of 200,000 spans and finds a cycle of as many", () => {
    const length = 200_000;
    const star = Array.from({ length }, (_, id) => ({
      id,
      spanKey: `s${id}`,
      parentKey: id === 0 ? "gone" : "s0",
      ...counts,
    }));
    expect(recompute(star).sums.get(0)?.errors).toBe(length);
    const circle = star.map((spanRow, id) => ({ ...spanRow, parentKey: `s${(id + 1) % length}` }));
    const { sums, onCycle } = recompute(circle);
    expect(onCycle.size).toBe(length);
    expect(sums.get(length >> 1)).toEqual(counts.own);
  });

  test("keeps what hangs below a cycle and drops only the links on it", () => {
    const rows = [
      { id: 1, spanKey: "a", parentKey: "b", ...counts },
      { id: 2, spanKey: "b", parentKey: "a", ...counts },
      { id: 3, spanKey: "c", parentKey: "a", ...counts },
      { id: 4, spanKey: "d", parentKey: "d", ...counts },
    ];
    const { sums, onCycle } = recompute(rows);
    expect([...sums.values()].map(({ errors }) => errors)).toEqual([2, 1, 1, 1]);
    expect([...onCycle]).toEqual([4, 1, 2]);
  });
});
