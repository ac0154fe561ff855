// Patterns of traces: what is one pattern, what is counted of it, and what differs from the good one.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { NamedSpan } from "../../src/analysis/critical-path/instant-steps.ts";
import { StepFolder } from "../../src/analysis/patterns/folded-steps.ts";
import { PatternTally, patternDifferences } from "../../src/analysis/patterns/pattern-tally.ts";
import { Samples } from "../../src/analysis/samples.ts";
import { traces } from "./drawn-traces.ts";

/** Steps one after the other, or in brackets side by side: `plan [a b] answer`; `x(y z)` has steps below it. */
function traceOf(text: string): readonly NamedSpan[] {
  const spans: NamedSpan[] = [];
  let now = 0;
  let isParallel = false;
  const above: string[] = [];
  for (const [token] of `agent(${text})`.matchAll(/\w+\(?|[)[\]]/g)) {
    if (token === "[" || token === "]") {
      isParallel = token === "[";
      now++;
    } else if (token === ")") above.pop();
    else {
      if (!isParallel) now++;
      const spanKey = String(spans.length);
      spans.push({
        spanKey,
        parentKey: above.at(-1) ?? null,
        kind: "CHAIN",
        name: token.replace("(", ""),
        startUs: now,
        endUs: now + 1,
      });
      if (token.endsWith("(")) above.push(spanKey);
    }
  }
  return spans;
}

const patternOf = (text: string) => new StepFolder().fold(traceOf(text)).id;

describe("patterns", () => {
  test.each([
    ["repeats of one step", "plan look answer", "plan look look look answer"],
    ["repeats of a round", "think act answer", "think act think act think act answer"],
    ["repeats inside repeats", "think act end", "think act act think act end"],
    ["repeats below a step", "plan(a b) end", "plan(a a b) plan(a b b b) end"],
    ["another order side by side", "plan [a b c] end", "plan [c a b] end"],
  ])("are equal for %s", (_what, one, other) => {
    expect(patternOf(other)).toBe(patternOf(one));
  });

  test.each([
    ["another order", "a b", "b a"],
    ["a step more", "a b", "a b c"],
    ["another depth", "a(b)", "a b"],
    ["a step before a round", "c a b", "a b c"],
  ])("are different for %s", (_what, one, other) => {
    expect(patternOf(other)).not.toBe(patternOf(one));
  });

  test("are shown as steps with depth and how often each is repeated", () => {
    const steps = new StepFolder().fold(traceOf("think(llm) act think(llm) act act think(llm llm) end")).steps();
    expect(steps.map(({ name, depth, times }) => `${depth} ${name} ${times}`)).toEqual([
      "0 agent 1",
      "1 think 2",
      "2 llm 1",
      "1 act 3",
      "1 think 1",
      "2 llm 2",
      "1 end 1",
    ]);
  });

  test("of any trace are the same in every process, repeated as a whole, and whatever the order of the list", () => {
    const used = new StepFolder();
    fc.assert(
      fc.property(traces({ most: 20 }), fc.integer({ min: 2, max: 4 }), (spans, times) => {
        const root = { spanKey: "root", parentKey: null, kind: "AGENT", name: "root", startUs: 0, endUs: 1000 };
        const repeat = (rounds: number): NamedSpan[] =>
          Array.from({ length: rounds }, (_, round) =>
            spans.map((span) => ({
              ...span,
              spanKey: `${round} ${span.spanKey}`,
              parentKey: span.parentKey === null ? "root" : `${round} ${span.parentKey}`,
              startUs: span.startUs + round * 100,
              endUs: span.endUs + round * 100,
            })),
          ).flat();
        const once = new StepFolder().fold([root, ...repeat(1)]).id;
        expect(used.fold([root, ...repeat(times)]).id).toBe(once);
        expect(used.fold([root, ...repeat(times)]).steps().length).toBe(used.fold([root, ...repeat(1)]).steps().length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("counts of patterns", () => {
  const trace = (traceKey: string, text: string, startUs: number, failed: boolean, cost: number | null = null) => ({
    traceKey,
    spans: traceOf(text),
    startUs,
    durationUs: startUs * 10,
    failed,
    cost,
  });

  test("are traces, failures, times and cost, with the last good trace", () => {
    const tally = new PatternTally();
    const ids = [
      tally.add(trace("1", "a b", 1, false, 5)),
      tally.add(trace("2", "a b b", 3, true)),
      tally.add(trace("3", "a b", 2, false, 7)),
      tally.add(trace("4", "a c", 9, true, 1)),
    ];
    expect(new Set(ids).size).toBe(2);
    const [first, second] = tally.list();
    expect(first).toMatchObject({
      id: ids[0]!,
      traces: 3,
      failed: 1,
      cost: 12,
      priced: 2,
      last: { traceKey: "2" },
      lastGood: { traceKey: "3" },
    });
    expect([first!.durationsUs.percentile(0.5), first!.durationsUs.percentile(0.99)]).toEqual([20, 30]);
    expect(second).toMatchObject({ traces: 1, failed: 1, lastGood: null });
    expect(tally.mostSuccessful()!.id).toBe(ids[0]!);
    expect(new PatternTally().mostSuccessful()).toBeNull();
  });

  test("percentiles are those of the sorted list", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1 }), fc.nat(100), (values, percent) => {
        const samples = new Samples();
        for (const value of values) samples.add(value);
        const found = samples.percentile(percent / 100)!;
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length * 100).toBeGreaterThanOrEqual(percent * values.length);
        expect(values.filter((value) => value < found).length * 100).toBeLessThanOrEqual(
          Math.max(0, percent * values.length),
        );
      }),
    );
    expect(new Samples().percentile(0.5)).toBeNull();
  });

  test("differences are the steps that only one has", () => {
    const folder = new StepFolder();
    const [failing, good] = [
      folder.fold(traceOf("plan look look answer")).steps(),
      folder.fold(traceOf("plan look check(rule) answer")).steps(),
    ];
    const rows = patternDifferences(failing, good);
    expect(rows.map(({ a, b }) => [a === null ? null : failing[a]!.name, b === null ? null : good[b]!.name])).toEqual([
      ["agent", "agent"],
      ["plan", "plan"],
      ["look", "look"],
      [null, "check"],
      [null, "rule"],
      ["answer", "answer"],
    ]);
  });
});
