// Comparison of traces against the vectors, brute force and single cases.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { alignSteps, type StepKeys, worthOf } from "../../src/analysis/compare/alignment.ts";
import type { ComparedSpan } from "../../src/analysis/compare/compared-trace.ts";
import { textDifferences } from "../../src/analysis/compare/text-differences.ts";
import { type ComparedStep, compareTraces } from "../../src/analysis/compare/trace-comparison.ts";
import { vectorRows } from "./vectors.ts";

interface VectorSpan {
  readonly id: string;
  readonly parent: string | null;
  readonly kind: string;
  readonly name: string;
  readonly output: string;
}

interface CompareRow {
  readonly a: readonly VectorSpan[];
  readonly b: readonly VectorSpan[];
  readonly edits: readonly { readonly edit: string; readonly a?: string; readonly b?: string }[];
}

const PLAIN: ComparedSpan = {
  spanKey: "",
  parentKey: null,
  kind: "TOOL",
  name: "",
  startUs: 0,
  endUs: 0,
  status: "OK",
  input: null,
  output: null,
  model: null,
  parameters: null,
  promptVersion: null,
  tokens: null,
  cost: null,
};

test("the vectors of comparisons", async () => {
  const rows = await vectorRows<CompareRow>("compare");
  expect(rows.length).toBe(40);
  for (const { a, b, edits } of rows) {
    const read = (spans: readonly VectorSpan[]) =>
      spans.map(({ id, parent, ...span }, at) => ({
        ...PLAIN,
        ...span,
        spanKey: id,
        parentKey: parent,
        startUs: at,
        endUs: at + 1,
      }));
    const steps = compareTraces(read(a), read(b));
    const found = steps
      .filter(({ edit }) => edit !== "equal")
      .map((step) => ({
        edit: step.edit,
        a: step.a === null ? undefined : a[step.a]!.id,
        b: step.b === null ? undefined : b[step.b]!.id,
      }));
    const byText = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort();
    expect(byText(found)).toEqual(byText(edits.map(({ edit, a: inA, b: inB }) => ({ edit, a: inA, b: inB }))));
    // Every other span is matched with the one of the same number.
    const equal = steps
      .filter(({ edit }) => edit === "equal")
      .map((step) => [a[step.a!]!.id.slice(1), b[step.b!]!.id.slice(1)]);
    expect(equal.every(([inA, inB]) => inA === inB)).toBe(true);
  }
});

describe("alignment", () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(1), fc.nat(2), fc.nat(2)), { maxLength: 9 });
  const keysOf = (drawn: readonly (readonly [number, number, number, number])[]): StepKeys => {
    const [label, path, input, output] = [0, 1, 2, 3].map((at) => Int32Array.from(drawn, (each) => each[at]!));
    return { label: label!, path: path!, input: input!, output: output! };
  };

  function best(a: StepKeys, b: StepKeys, atA = 0, atB = 0): number {
    if (atA === a.label.length || atB === b.label.length) return 0;
    const worth = worthOf(a, b, atA, atB);
    const match = worth === 0 ? 0 : worth + best(a, b, atA + 1, atB + 1);
    return Math.max(match, best(a, b, atA + 1, atB), best(a, b, atA, atB + 1));
  }

  test("is worth as much as the best of all", () => {
    fc.assert(
      fc.property(steps, steps, (drawnA, drawnB) => {
        const [a, b] = [keysOf(drawnA), keysOf(drawnB)];
        const pairs = alignSteps(a, b);
        expect(pairs.reduce((sum, [inA, inB]) => sum + worthOf(a, b, inA, inB), 0)).toBe(best(a, b));
        expectAscending(pairs);
      }),
      { numRuns: 500 },
    );
  });

  test("of sequences that are too long to try everything keeps the order, pairs equal labels only, and finds what is there once", () => {
    fc.assert(
      fc.property(steps, steps, fc.nat(4), (drawnA, drawnB, mostCells) => {
        const [a, b] = [keysOf(drawnA), keysOf(drawnB)];
        const pairs = alignSteps(a, b, mostCells);
        expectAscending(pairs);
        for (const [inA, inB] of pairs) expect(worthOf(a, b, inA, inB)).toBeGreaterThan(0);
      }),
    );
    const numbered = (from: readonly number[]) => keysOf(from.map((label) => [label, 0, label, label]));
    const [one, other] = [
      Array.from({ length: 400 }, (_, at) => at),
      Array.from({ length: 400 }, (_, at) => (at % 10 === 0 ? 1000 + at : at)),
    ];
    expect(alignSteps(numbered(one), numbered(other), 10).length).toBe(360);
  });

  function expectAscending(pairs: readonly (readonly [number, number])[]): void {
    pairs.slice(1).forEach(([a, b], at) => {
      expect(a).toBeGreaterThan(pairs[at]![0]);
      expect(b).toBeGreaterThan(pairs[at]![1]);
    });
  }
});

/** Steps as `name`, `name=output`, `name@start-end`, each with those below it; by default one after the other. */
type Tree = readonly (string | readonly [string, Tree])[];
function traceOf(tree: Tree): ComparedSpan[] {
  const spans: ComparedSpan[] = [];
  const add = (below: Tree, parentKey: string | null): void => {
    for (const each of below) {
      const [text, children] = typeof each === "string" ? [each, []] : each;
      const [, name = "", output, from, to] = /^([^=@]+)(?:=([^@]*))?(?:@(\d+)-(\d+))?$/.exec(text)!;
      const startUs = from === undefined ? spans.length * 100 : Number(from);
      const spanKey = `${spans.length}`;
      const kind = children.length > 0 ? "CHAIN" : "TOOL";
      spans.push({
        ...PLAIN,
        spanKey,
        parentKey,
        kind,
        name,
        output: output ?? null,
        startUs,
        endUs: to === undefined ? startUs + 10 : Number(to),
      });
      add(children, spanKey);
    }
  };
  add(tree, null);
  return spans;
}

/** Rows as `edit name` with the parts that changed, without the equal ones. */
function editsOf(a: Tree, b: Tree): readonly string[] {
  const [spansA, spansB] = [traceOf(a), traceOf(b)];
  const rows = compareTraces(spansA, spansB);
  expectWhole(rows, spansA.length, spansB.length);
  return rows
    .filter(({ edit }) => edit !== "equal")
    .map(({ a: inA, b: inB, edit, changes }) =>
      [edit, inA === null ? spansB[inB!]!.name : spansA[inA]!.name, ...changes].join(" "),
    );
}

function expectWhole(rows: readonly ComparedStep[], inA: number, inB: number): void {
  const positions = (list: readonly (number | null)[]) =>
    list.filter((at) => at !== null).sort((one, other) => one - other);
  expect(positions(rows.map(({ a }) => a))).toEqual(Array.from({ length: inA }, (_, at) => at));
  expect(positions(rows.map(({ b }) => b))).toEqual(Array.from({ length: inB }, (_, at) => at));
}

describe("steps of two traces", () => {
  test("wrapped into a new step are not moved", () => {
    expect(
      editsOf([["agent", ["plan", "act", "answer"]]], [["agent", ["plan", ["retry", ["act"]], "answer"]]]),
    ).toEqual(["inserted retry"]);
  });

  test("that lie elsewhere are moved, and what is below them goes along", () => {
    const moved = editsOf(
      [["agent", [["check", ["rule", "score"]], "a", "b", "c", "d"]]],
      [["agent", ["a", "b", "c", "d", ["check", ["rule", "score"]]]]],
    );
    expect(moved).toEqual(["moved check"]);
    expect(
      editsOf(
        [
          ["x", ["f=1", "g"]],
          ["y", ["h"]],
        ],
        [
          ["x", ["g"]],
          ["y", ["h", "f=1"]],
        ],
      ),
    ).toEqual(["moved f"]);
  });

  test("that ran side by side and started in another order are equal", () => {
    expect(editsOf([["agent", ["a@0-50", "b@1-50", "c@2-50"]]], [["agent", ["c@0-50", "b@1-50", "a@2-50"]]])).toEqual(
      [],
    );
    expect(editsOf([["agent", ["a@0-50", "b@1-50"]]], [["agent", ["b@0-50", "a@60-90"]]]).length).toBe(1);
  });

  test("with the same content or the same steps below and another name are renamed; others are not", () => {
    expect(editsOf([["agent", ["a", "search=found", "b"]]], [["agent", ["a", "lookup=found", "b"]]])).toEqual([
      "renamed search",
    ]);
    expect(editsOf([["agent", [["step one", ["a", "b"]]]]], [["agent", [["step two", ["a", "b=new"]]]]])).toEqual([
      "renamed step one",
      "changed b output",
    ]);
    const few = editsOf([["agent", [["x", ["a", "b", "c", "d"]]]]], [["agent", [["y", ["a", "p", "q", "r"]]]]]);
    expect(few.filter((edit) => / [xy]$/.test(edit))).toEqual(["removed x", "inserted y"]);
    expect(editsOf([["agent", ["a", "search=found"]]], [["agent", ["a", "lookup=none"]]])).toEqual([
      "removed search",
      "inserted lookup",
    ]);
  });

  test("of one name are paired by what they hold", () => {
    expect(editsOf([["agent", ["get=1", "get=2", "get=3"]]], [["agent", ["get=2"]]])).toEqual([
      "removed get",
      "removed get",
    ]);
    const rows = compareTraces(traceOf([["agent", ["get=1", "get=2", "get=3"]]]), traceOf([["agent", ["get=3"]]]));
    expect(rows.find(({ b }) => b === 1)!.a).toBe(3);
  });

  test("of one name are paired below the step where they are", () => {
    expect(
      editsOf(
        [
          ["x", ["get"]],
          ["y", ["get", "end"]],
        ],
        [["y", ["get", "end"]]],
      ),
    ).toEqual(["removed x", "removed get"]);
    const rows = compareTraces(traceOf([["x", ["get"]], "get"]), traceOf(["get"]));
    expect(rows.find(({ b }) => b === 0)!.a).toBe(2);
  });

  test("that changed their order below a renamed step are moved", () => {
    const [one, other] = [
      ["f=1", "g=2", "h=3"],
      ["g=2", "h=3", "f=1"],
    ];
    expect(editsOf([["run one", one]], [["run two", other]])).toEqual(["renamed run one", "moved f"]);
  });

  test("say which parts changed, and the difference of time, tokens and cost", () => {
    const a: ComparedSpan = {
      ...PLAIN,
      spanKey: "a",
      name: "m",
      endUs: 10,
      model: "x",
      parameters: "{}",
      promptVersion: "1",
      input: "i",
      tokens: 5,
      cost: 7,
    };
    const b: ComparedSpan = {
      ...a,
      spanKey: "b",
      endUs: 25,
      model: "y",
      parameters: '{"t":1}',
      promptVersion: "2",
      status: "ERROR",
      tokens: 9,
      cost: null,
    };
    expect(compareTraces([a], [b])).toEqual([
      {
        a: 0,
        b: 0,
        edit: "changed",
        changes: ["status", "model", "parameters", "promptVersion"],
        durationUs: 15,
        tokens: 4,
        cost: null,
      },
    ]);
  });

  test("are whole for any two traces, and equal for a trace and itself", () => {
    const tree = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.array(
        fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom("a", "b", "a=1", "b=2@0-90", "c=1@5-60"),
          fc.tuple(fc.constantFrom("x", "y"), tie("tree")),
        ),
        { maxLength: 4 },
      ) as fc.Arbitrary<Tree>,
    })).tree;
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        editsOf(one, other);
        expect(editsOf(one, one)).toEqual([]);
        // Nothing that only one has is said to be in both.
        const names = (of: Tree) => traceOf(of).length;
        const rows = compareTraces(traceOf(one), traceOf(other));
        expect(rows.length).toBeLessThanOrEqual(names(one) + names(other));
      }),
      { numRuns: 300 },
    );
  });
});

describe("texts", () => {
  test("of JSON differ by keys, whatever was inserted into a list", () => {
    expect(textDifferences('{"a": 1, "b": [1, 2, 3], "c": "x"}', '{"b": [1, 9, 2, 3], "c": "y", "d": null}')).toEqual({
      kind: "keys",
      changes: [
        { path: "a", before: 1, after: undefined },
        { path: "b.1", before: undefined, after: 9 },
        { path: "c", before: "x", after: "y" },
        { path: "d", before: undefined, after: null },
      ],
    });
    expect(textDifferences('[{"id": 1, "n": 1}, 5]', '[{"id": 1, "n": 2}]')).toEqual({
      kind: "keys",
      changes: [
        { path: "0.n", before: 1, after: 2 },
        { path: "1", before: 5, after: undefined },
      ],
    });
    expect(textDifferences('{"a":1}', '{ "a": 1 }')).toEqual({ kind: "same" });
  });

  test("of words differ by words", () => {
    const found = textDifferences("Never promise refunds.", "Never promise large refunds at all.");
    expect(found).toMatchObject({ kind: "words", addedWords: 3, removedWords: 0 });
    const parts = found.kind === "words" ? found.parts : [];
    expect(
      parts
        .filter(({ change }) => change !== "removed")
        .map(({ text }) => text)
        .join(""),
    ).toBe("Never promise large refunds at all.");
    expect(textDifferences("x", "x")).toEqual({ kind: "same" });
  });

  test("that are absent, too long or too different are whole", () => {
    expect(textDifferences(null, "x")).toEqual({ kind: "whole" });
    expect(textDifferences("a".repeat(300_000), "b".repeat(300_000))).toEqual({ kind: "whole" });
    const words = (prefix: string) => Array.from({ length: 900 }, (_, at) => `${prefix}${at}`).join(" ");
    expect(textDifferences(words("a"), words("b"))).toEqual({ kind: "whole" });
  });
});
