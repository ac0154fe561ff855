// What is shown of a tree: key spans, kinds, what a search found; and how the keyboard walks through the rows.
import { describe, expect, test } from "bun:test";
import { countWrappers, type SpanFilter, shownSpansOf } from "../../../src/web/domain/trace/fold.ts";
import { rowsOf, type Walk, walk } from "../../../src/web/domain/trace/rows.ts";
import { buildTree } from "../../../src/web/domain/trace/tree.ts";
import { span } from "./spans.ts";

const tree = buildTree(
  [
    span("agent", null, { kind: "AGENT", endUs: 100 }),
    span("plan", "agent", { startUs: 1 }),
    span("prompt", "plan", { startUs: 2, kind: "PROMPT" }),
    span("model", "plan", { startUs: 3, kind: "LLM" }),
    span("broken", "agent", { startUs: 4, status: "ERROR" }),
    span("tool", "broken", { startUs: 5, kind: "TOOL" }),
    span("empty", "agent", { startUs: 6 }),
  ],
  true,
);
const everything: SpanFilter = { keyOnly: false, kinds: null, found: null, selected: null };
const none: ReadonlySet<string> = new Set();

/** Rows as `depth name`, with `+n` for folded wrappers and parentheses around what is only context. */
function shown(filter: Partial<SpanFilter>, closed: ReadonlySet<string> = none): string[] {
  return rowsOf(shownSpansOf(tree, { ...everything, ...filter }).top, closed).map(
    ({ node, depth, folded, context }) => {
      return `${depth} ${context ? `(${node.key})` : node.key}${folded > 0 ? ` +${folded}` : ""}`;
    },
  );
}

describe("spans", () => {
  test("all are shown when nothing is folded", () => {
    expect(shown({})).toEqual(["0 agent", "1 plan", "2 prompt", "2 model", "1 broken", "2 tool", "1 empty"]);
  });

  test("key spans only: wrappers are folded into the span above and counted; what failed stays", () => {
    expect(shown({ keyOnly: true })).toEqual(["0 agent +2", "1 prompt", "1 model", "1 broken", "2 tool"]);
    expect(shownSpansOf(tree, { ...everything, keyOnly: true }).shown).toBe(5);
    expect(countWrappers(tree)).toBe(2);
  });

  test("the selected span is shown even as a wrapper", () => {
    expect(shown({ keyOnly: true, selected: "plan" })).toEqual([
      "0 agent +1",
      "1 plan",
      "2 prompt",
      "2 model",
      "1 broken",
      "2 tool",
    ]);
  });

  test("a choice of kinds keeps the way to them as context", () => {
    expect(shown({ kinds: new Set(["TOOL"]) })).toEqual(["0 (agent)", "1 (broken)", "2 tool"]);
  });

  test("a search finds wrappers, too", () => {
    expect(shown({ keyOnly: true, found: new Set(["prompt"]) })).toEqual(["0 (agent) +1", "1 prompt"]);
    expect(shown({ found: none })).toEqual([]);
  });

  test("spans of folded wrappers stand by start time", () => {
    const side = buildTree(
      [
        span("root", null, { endUs: 100 }),
        span("one", "root", { startUs: 1 }),
        span("two", "root", { startUs: 2 }),
        span("c", "one", { startUs: 9, kind: "LLM" }),
        span("b", "two", { startUs: 5, kind: "LLM" }),
      ],
      true,
    );
    const rows = rowsOf(shownSpansOf(side, { ...everything, keyOnly: true }).top, none);
    expect(rows.map(({ node }) => node.key)).toEqual(["root", "b", "c"]);
  });
});

describe("rows", () => {
  test("a closed span hides what is below it and tells how much", () => {
    const rows = rowsOf(shownSpansOf(tree, everything).top, new Set(["plan"]));
    expect(rows.map(({ node }) => node.key)).toEqual(["agent", "plan", "broken", "tool", "empty"]);
    expect(rows[1]).toMatchObject({ open: false, below: 2 });
    expect(rows[0]).toMatchObject({ open: true, below: 6 });
    expect(rows[4]).toMatchObject({ open: null, below: 0 });
  });
});

describe("the keyboard", () => {
  const rows = rowsOf(shownSpansOf(tree, everything).top, new Set(["broken"]));
  const from = (selected: string | null, way: Walk) => walk(rows, selected, way);

  test("walks up and down, and stops at both ends", () => {
    expect(from("agent", "down")).toEqual({ select: "plan" });
    expect(from("plan", "up")).toEqual({ select: "agent" });
    expect(from("agent", "up")).toEqual({});
    expect(from("empty", "down")).toEqual({});
    expect(from("plan", "last")).toEqual({ select: "empty" });
    expect(from("plan", "first")).toEqual({ select: "agent" });
  });

  test("left closes a row, or goes to the one it belongs to", () => {
    expect(from("plan", "left")).toEqual({ toggle: "plan" });
    expect(from("model", "left")).toEqual({ select: "plan" });
    expect(from("broken", "left")).toEqual({ select: "agent" });
  });

  test("right opens a row, or goes to its first child", () => {
    expect(from("broken", "right")).toEqual({ toggle: "broken" });
    expect(from("plan", "right")).toEqual({ select: "prompt" });
    expect(from("model", "right")).toEqual({});
  });

  test("begins at the top when nothing is selected, or what is selected is not shown", () => {
    expect(from(null, "down")).toEqual({ select: "agent" });
    expect(from("tool", "up")).toEqual({ select: "agent" });
    expect(walk([], "agent", "down")).toEqual({});
  });
});
