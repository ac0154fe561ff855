// Equal spans as one row, where a failure began, and the lanes of the strip of a whole trace.
import { describe, expect, test } from "bun:test";
import { failureWords, firstFailure } from "../../../src/web/domain/trace/failures.ts";
import { countWrappers, shownSpansOf } from "../../../src/web/domain/trace/fold.ts";
import { strokesOf } from "../../../src/web/domain/trace/overview.ts";
import { rowsOf } from "../../../src/web/domain/trace/rows.ts";
import type { TraceSpan } from "../../../src/web/domain/trace/trace-span.ts";
import { buildTree } from "../../../src/web/domain/trace/tree.ts";
import { span } from "./spans.ts";

const everything = { keyOnly: true, kinds: null, found: null, selected: null };
const none: ReadonlySet<string> = new Set();
const root = span("root", null, { kind: "AGENT", endUs: 10_000 });

/** Children of the root, one after the other, each as long as its place. */
function treeOf(names: readonly string[], given: (at: number) => Partial<TraceSpan> = () => ({})) {
  return buildTree(
    [
      root,
      ...names.map((name, at) =>
        span(String(at), "root", { name, kind: "TOOL", startUs: at * 10, endUs: at * 10 + at, ...given(at) }),
      ),
    ],
    true,
  );
}

function rowsIn(tree: ReturnType<typeof treeOf>, turned = none, selected: string | null = null) {
  const chosen = selected === null ? null : tree.byKey.get(selected)!;
  return rowsOf(shownSpansOf(tree, everything).top, turned, chosen).map(({ node, repeats }) =>
    repeats === null ? (node.span?.name ?? node.key) : `${repeats.name} × ${repeats.times}`,
  );
}

describe("repeated spans", () => {
  test("five in a row are one, four are four", () => {
    expect(rowsIn(treeOf(["a", "b", "b", "b", "b", "b", "c"]))).toEqual(["root", "a", "b × 5", "c"]);
    expect(rowsIn(treeOf(["a", "b", "b", "b", "b", "c"]))).toEqual(["root", "a", "b", "b", "b", "b", "c"]);
  });

  test("many are one also where others stand between them; few keep their order", () => {
    // No sequence of at most four spans is repeated.
    const loop = (times: number) => Array.from({ length: times }, (_, at) => ["ask", "read", `step ${at}`]).flat();
    expect(rowsIn(treeOf(loop(30))).slice(0, 4)).toEqual(["root", "ask × 30", "read × 30", "step 0"]);
    expect(rowsIn(treeOf(loop(29)))).toHaveLength(1 + 3 * 29);
  });

  test("a repeated sequence is one, the shortest one that covers most", () => {
    const loop = (times: number, ...names: string[]) => Array.from({ length: times }, () => names).flat();
    expect(rowsIn(treeOf(loop(40, "read", "ask")))).toEqual(["root", "read → ask × 40"]);
    expect(rowsIn(treeOf(["plan", ...loop(5, "a", "b", "b"), "a", "end"]))).toEqual([
      "root",
      "plan",
      "a → b → b × 5",
      "a",
      "end",
    ]);
    expect(rowsIn(treeOf(loop(4, "read", "ask")))).toHaveLength(9);
    const tree = treeOf(loop(6, "read", "ask"), (at) => (at === 3 ? { status: "ERROR" } : {}));
    const { repeats } = rowsOf(shownSpansOf(tree, everything).top, none)[1]!;
    // From the start of the first to the end of the last of each time.
    expect(repeats).toMatchObject({ times: 6, p50Us: 15 });
    expect(repeats!.members).toHaveLength(12);
    expect(repeats!.failed.map(({ key }) => key)).toEqual(["3"]);
    expect(rowsIn(tree, new Set(["×0"])).slice(0, 4)).toEqual(["root", "read → ask × 6", "read", "ask"]);
  });

  test("of a sequence, agents are no part", () => {
    const names = Array.from({ length: 10 }, () => ["helper", "ask"]).flat();
    expect(rowsIn(treeOf(names, (at) => (at % 2 === 0 ? { kind: "AGENT" } : {})))).toHaveLength(21);
  });

  test("agents keep their rows", () => {
    expect(rowsIn(treeOf(new Array(12).fill("helper"), () => ({ kind: "AGENT" })))).toHaveLength(13);
  });

  test("tell how long half of them took, and which failed", () => {
    const tree = treeOf(new Array(7).fill("read"), (at) => (at === 4 ? { status: "ERROR" } : {}));
    const { repeats } = rowsOf(shownSpansOf(tree, everything).top, none)[1]!;
    expect(repeats).toMatchObject({ kind: "TOOL", p50Us: 3 });
    expect(repeats!.failed.map(({ key }) => key)).toEqual(["4"]);
  });

  test("open when they are turned; folded they show the selected one", () => {
    const tree = treeOf(new Array(6).fill("read"));
    expect(rowsIn(tree)).toEqual(["root", "read × 6"]);
    expect(rowsIn(tree, none, "3")).toEqual(["root", "read × 6", "read"]);
    expect(rowsIn(tree, new Set(["×0"]))).toHaveLength(8);
  });

  test("what is searched for is shown one by one", () => {
    const tree = treeOf(new Array(6).fill("read"));
    const found = new Set(["1", "2", "3", "4", "5"]);
    expect(rowsOf(shownSpansOf(tree, { ...everything, found }).top, none)).toHaveLength(6);
  });
});

test("wrappers are chains and what says nothing of its own; agents, prompts and calls of a model are none", () => {
  const kinds: readonly Partial<TraceSpan>[] = [
    { kind: "CHAIN", hasContent: true },
    { kind: "UNKNOWN" },
    { kind: "UNKNOWN", hasContent: true },
    { kind: "UNKNOWN", model: "gpt-4o" },
    { kind: "AGENT" },
    { kind: "PROMPT" },
    { kind: "CHAIN", status: "ERROR" },
  ];
  const tree = treeOf(
    kinds.map((_, at) => `span ${at}`),
    (at) => kinds[at]!,
  );
  expect(countWrappers(tree)).toBe(2);
  expect(rowsIn(tree)).toEqual(["root", "span 2", "span 3", "span 4", "span 5", "span 6"]);
});

describe("a failure", () => {
  const failed = { status: "ERROR" } as const;

  test("began at the deepest failed span that ended first", () => {
    const tree = buildTree(
      [
        span("root", null, { ...failed, endUs: 100 }),
        span("late", "root", { ...failed, startUs: 5, endUs: 90 }),
        span("chain", "root", { ...failed, startUs: 10, endUs: 60 }),
        span("kept", "chain", { startUs: 11, endUs: 20 }),
        span("tool", "chain", { ...failed, startUs: 12, endUs: 50 }),
      ],
      true,
    );
    expect(firstFailure(tree)?.key).toBe("tool");
    expect(firstFailure(treeOf(["fine"]))).toBe(null);
  });

  test("has the same words in every place", () => {
    const types = (...names: readonly (string | null)[]) => names.map((exceptionType) => ({ exceptionType }));
    expect(failureWords({ errorCount: 0, errorsByType: [] })).toBe(null);
    expect(failureWords({ errorCount: 2, errorsByType: types("Timeout") })).toBe("Timeout");
    expect(failureWords({ errorCount: 2, errorsByType: types("Timeout", "Refused") })).toMatch(/^Timeout.*1/);
    expect(failureWords({ errorCount: 1, errorsByType: types(null) })).not.toBe("");
  });
});

test("in the strip, spans of the same time lie in lanes of their own as long as there are some", () => {
  const tree = buildTree(
    [
      span("root", null, { startUs: 0, endUs: 100 }),
      span("a", "root", { startUs: 1, endUs: 40 }),
      span("b", "root", { startUs: 2, endUs: 50 }),
      span("c", "root", { startUs: 40, endUs: 60 }),
      span("d", "root", { startUs: 45, endUs: 70 }),
    ],
    true,
  );
  const lanes = (most: number) =>
    Object.fromEntries(strokesOf(tree, most).map(({ span, lane }) => [span.spanKey, lane]));
  expect(lanes(8)).toEqual({ root: 0, a: 1, b: 2, c: 1, d: 3 });
  // Without a free one it is the one that is free soonest.
  expect(lanes(3)).toEqual({ root: 0, a: 1, b: 2, c: 1, d: 2 });
});
