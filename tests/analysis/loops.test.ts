// Loops against the vectors and brute force, waste against planted loops, paging and polling.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callKey } from "../../src/analysis/loops/call-key.ts";
import { findRepeats } from "../../src/analysis/loops/repeats.ts";
import { type WorkSpan, wasteOf } from "../../src/analysis/loops/waste.ts";
import { drawFrom } from "../../src/demo-data/draw.ts";
import type { Json } from "../../src/kernel/json.ts";
import { vectorRows } from "./vectors.ts";

interface LoopRow {
  readonly name: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: Json }[];
  readonly loops: readonly {
    readonly period: number;
    readonly from: number;
    readonly to: number;
    readonly times: number;
  }[];
}

const loopRows = await vectorRows<LoopRow>("loops");

describe("repeated calls", () => {
  test.each(loopRows.map((row) => [row.name, row] as const))("of the vectors: %s", (_name, { calls, loops }) => {
    const found = findRepeats(calls.map((call) => callKey(call.tool, call.arguments)));
    expect(found.map((loop) => ({ kind: "repeat", ...loop }))).toEqual(loops as never);
  });

  test("are those that trying every period at every place finds", () => {
    const member = fc.constantFrom("a", "b", "c", null);
    fc.assert(
      fc.property(fc.array(member, { maxLength: 24 }), (members) => {
        const expected: unknown[] = [];
        for (let from = 0; from < members.length; from++) {
          const period = [1, 2, 3, 4].find((length) => roundsAt(members, from, length) >= 3);
          if (period === undefined) continue;
          const times = roundsAt(members, from, period);
          expected.push({ period, from, to: from + period * times - 1, times });
          from += period * times - 1;
        }
        expect(findRepeats(members)).toEqual(expected as never);
      }),
      { numRuns: 2000 },
    );
  });

  function roundsAt(members: readonly (string | null)[], from: number, length: number): number {
    const round = members.slice(from, from + length);
    if (round.length < length || round.includes(null)) return 0;
    let times = 0;
    const next = () => members.slice(from + times * length, from + (times + 1) * length);
    while (JSON.stringify(next()) === JSON.stringify(round)) times++;
    return times;
  }
});

describe("arguments", () => {
  test("are equal whatever the order of keys, the spelling of numbers, and as value or as text", () => {
    const one = callKey("f", { a: 1, b: [1.5, { c: "x", d: null }] });
    expect(callKey("f", '{"b": [15e-1, {"d": null, "c": "x"}], "a": 1.0}')).toBe(one);
    expect(callKey("g", { a: 1, b: [1.5, { c: "x", d: null }] })).not.toBe(one);
    expect(callKey("f", { a: "1", b: [1.5, { c: "x", d: null }] })).not.toBe(one);
    expect(callKey("f", '{"id": 1234567890123456788}')).not.toBe(callKey("f", '{"id": 1234567890123456789}'));
  });

  test("that are empty are ignored", () => {
    for (const given of [undefined, null, "", " ", "{}", "[]", {}, [], { args: [], kwargs: {} }])
      expect(callKey("f", given)).toBeNull();
    for (const given of ["x", 0, false, { q: "" }, [null], { cursor: null }])
      expect(callKey("f", given)).not.toBeNull();
  });
});

/** An agent that thinks and calls a tool in turn; each step takes 10 µs, each call of the model 5 tokens that cost 7. */
function agentTrace(
  calls: readonly {
    readonly tool: string;
    readonly given: Json;
    readonly output?: string;
    readonly failure?: string;
  }[],
): WorkSpan[] {
  const base = { arguments: null, messages: null, output: null, failure: null, tokens: null, cost: null };
  const spans: WorkSpan[] = [
    {
      ...base,
      spanKey: "agent",
      parentKey: null,
      kind: "AGENT",
      name: "agent",
      startUs: 0,
      endUs: calls.length * 20 + 10,
    },
  ];
  calls.forEach(({ tool, given, output, failure }, at) => {
    const startUs = at * 20;
    spans.push({
      ...base,
      spanKey: `think ${at}`,
      parentKey: "agent",
      kind: "LLM",
      name: "think",
      startUs,
      endUs: startUs + 10,
      tokens: 5,
      cost: 7,
    });
    spans.push({
      ...base,
      spanKey: `call ${at}`,
      parentKey: "agent",
      kind: "TOOL",
      name: tool,
      startUs: startUs + 10,
      endUs: startUs + 20,
      arguments: given,
      output: output ?? null,
      failure: failure ?? null,
    });
  });
  return spans;
}

describe("waste", () => {
  test("of a loop is all that ran after its first round, with the calls of models between", () => {
    const search = { tool: "search", given: { q: "x" }, output: "none" };
    const { all, hasLoop, wasted } = wasteOf(
      agentTrace([{ tool: "plan", given: { g: 1 } }, search, search, search, { tool: "end", given: { z: 1 } }]),
    );
    expect(hasLoop).toBe(true);
    expect(all).toEqual([
      {
        kind: "loop",
        agentKey: "agent",
        period: 1,
        times: 3,
        spanKeys: ["call 1", "call 2", "call 3"],
        newAnswers: 0,
        // Two calls of the model lie between the three calls of the tool.
        took: { timeUs: 50, tokens: 10, cost: 14 },
        wasted: { timeUs: 40, tokens: 10, cost: 14 },
      },
    ]);
    expect(wasted).toEqual({ timeUs: 40, tokens: 10, cost: 14 });
  });

  test("of calls side by side is what they call, without time that another one takes anyway", () => {
    const base = {
      kind: "TOOL",
      name: "f",
      arguments: { a: 1 },
      messages: null,
      output: null,
      failure: null,
      tokens: 1,
      cost: 1,
    };
    const spans: WorkSpan[] = [
      { ...base, spanKey: "r", parentKey: null, kind: "AGENT", startUs: 0, endUs: 100 },
      ...[0, 1, 2].map((at) => ({ ...base, spanKey: `f${at}`, parentKey: "r", startUs: at, endUs: 50 })),
    ];
    expect(wasteOf(spans).wasted).toEqual({ timeUs: 0, tokens: 2, cost: 2 });
  });

  test("of a retry that fails as before is the second call; one that then works is no retry", () => {
    const failing = { tool: "mail", given: { to: "a" }, failure: "E" };
    const { all, hasLoop } = wasteOf(agentTrace([failing, failing, { ...failing, given: { to: "b" } }]));
    expect(hasLoop).toBe(false);
    expect(all.map(({ kind, times, wasted }) => ({ kind, times, ...wasted }))).toEqual([
      { kind: "retry", times: 2, timeUs: 20, tokens: 5, cost: 7 },
    ]);
    expect(wasteOf(agentTrace([failing, { tool: "mail", given: { to: "a" } }])).all).toEqual([]);
    expect(wasteOf(agentTrace([failing, { ...failing, failure: "F" }])).all).toEqual([]);
  });

  test("of a context that only repeats are the calls to which nothing new was given", () => {
    const model = (at: number, messages: readonly string[]): WorkSpan => ({
      spanKey: `m${at}`,
      parentKey: "r",
      kind: "LLM",
      name: "think",
      startUs: at * 10,
      endUs: at * 10 + 5,
      arguments: null,
      messages,
      output: null,
      failure: null,
      tokens: 3,
      cost: 2,
    });
    const root: WorkSpan = {
      ...model(0, []),
      spanKey: "r",
      parentKey: null,
      kind: "AGENT",
      name: "agent",
      endUs: 100,
      messages: null,
      tokens: null,
      cost: null,
    };
    const [s, u, a] = ["system", "user", "answer"];
    const { all } = wasteOf([
      root,
      model(0, [s, u]),
      model(1, [s, u, a]),
      model(2, [s, u, a, u, a]),
      model(3, [s, u, a, u, a]),
      model(4, [s, u, a, u, a, "new"]),
    ]);
    expect(all.map(({ kind, spanKeys, wasted }) => ({ kind, spanKeys, wasted }))).toEqual([
      { kind: "context", spanKeys: ["m1", "m2", "m3"], wasted: { timeUs: 20, tokens: 6, cost: 4 } },
    ]);
    expect(wasteOf([root, model(0, [s]), model(1, [s, u]), model(2, [s, u, a])]).all).toEqual([]);
  });

  test("counts calls of one agent only, and a call that two libraries recorded once", () => {
    const base = {
      name: "f",
      arguments: { a: 1 },
      messages: null,
      output: null,
      failure: null,
      tokens: null,
      cost: null,
    };
    const agents = [0, 1, 2].flatMap((at): WorkSpan[] => [
      { ...base, spanKey: `a${at}`, parentKey: "r", kind: "AGENT", startUs: at * 10, endUs: at * 10 + 9 },
      { ...base, spanKey: `f${at}`, parentKey: `a${at}`, kind: "TOOL", startUs: at * 10, endUs: at * 10 + 9 },
      { ...base, spanKey: `g${at}`, parentKey: `f${at}`, kind: "TOOL", startUs: at * 10, endUs: at * 10 + 9 },
    ]);
    const twice = [0, 1].flatMap((at): WorkSpan[] => [
      { ...base, spanKey: `t${at}`, parentKey: "r", kind: "TOOL", startUs: at * 10, endUs: at * 10 + 9 },
      { ...base, spanKey: `u${at}`, parentKey: `t${at}`, kind: "TOOL", startUs: at * 10, endUs: at * 10 + 9 },
    ]);
    const root: WorkSpan = { ...base, spanKey: "r", parentKey: null, kind: "AGENT", startUs: 0, endUs: 30 };
    expect(wasteOf([root, ...agents]).all).toEqual([]);
    expect(wasteOf([root, ...twice]).all).toEqual([]);
    // An agent that a tool runs makes calls of its own.
    const inside = [0, 1, 2].map(
      (at): WorkSpan => ({ ...base, spanKey: `i${at}`, parentKey: "a", kind: "TOOL", startUs: at, endUs: at + 1 }),
    );
    const runs: WorkSpan[] = [
      { ...base, spanKey: "t", parentKey: "r", kind: "TOOL", startUs: 0, endUs: 9 },
      { ...base, spanKey: "a", parentKey: "t", kind: "AGENT", startUs: 0, endUs: 9 },
    ];
    expect(wasteOf([root, ...runs, ...inside]).all.map(({ agentKey, times }) => [agentKey, times])).toEqual([["a", 3]]);
    expect(wasteOf([]).all).toEqual([]);
  });
});

describe("planted traces", () => {
  test("with loops are all found, with paging, polling and different work none", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        const tools = ["search", "lookup", "read_page", "list_orders"];
        // Arguments with their number in it are never equal.
        const work = (from: number, count: number) =>
          Array.from({ length: count }, (_, at) => ({
            tool: draw.pick(tools),
            given: { q: `step ${from + at}` } as Json,
          }));
        const round = Array.from({ length: 1 + Math.floor(draw.between(0, 4)) }, (_, at) => ({
          tool: draw.pick(tools),
          given: { id: at, q: draw.hex(3) } as Json,
        }));
        const times = 3 + Math.floor(draw.between(0, 4));
        const repeated = Array.from({ length: times }, () => round).flat();
        const before = work(0, Math.floor(draw.between(0, 6)));
        const found = wasteOf(agentTrace([...before, ...repeated, ...work(100, 3)])).all;
        expect(found.map(({ kind, period, times: rounds, spanKeys }) => [kind, period, rounds, spanKeys[0]])).toEqual([
          ["loop", round.length, times, `call ${before.length}`],
        ]);

        const paging = Array.from({ length: 8 }, (_, page) => ({ tool: "list_orders", given: { page } as Json }));
        const cursors = Array.from({ length: 8 }, () => ({
          tool: "list_orders",
          given: { cursor: draw.hex(8) } as Json,
        }));
        const polling = Array.from({ length: 8 }, () => ({
          tool: "status",
          given: draw.pick<Json>([{}, null, "{}", { args: [], kwargs: {} }]),
        }));
        const waiting = Array.from({ length: 8 }, (_, at) => ({
          tool: "status",
          given: { job: 5, attempt: at } as Json,
        }));
        for (const calls of [paging, cursors, polling, waiting, work(0, 20)])
          expect(wasteOf(agentTrace(calls)).all).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
