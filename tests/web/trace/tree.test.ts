// The tree of a trace: for any spans, in any order of arrival.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TraceSpan } from "../../../src/web/domain/trace/trace-span.ts";
import { buildTree, type TreeNode } from "../../../src/web/domain/trace/tree.ts";
import { span } from "./spans.ts";

/** `root(child(grandchild) child)`; a placeholder has a question mark. */
function drawn(nodes: readonly TreeNode[]): string {
  return nodes
    .map(({ key, span, children }) => {
      return `${key}${span === null ? "?" : ""}${children.length === 0 ? "" : `(${drawn(children)})`}`;
    })
    .join(" ");
}

describe("a tree", () => {
  test("children stand below their parents by start time, whatever the order of arrival", () => {
    const spans = [
      span("late", "root", { startUs: 30 }),
      span("leaf", "early", { startUs: 6 }),
      span("root", null),
      span("early", "root", { startUs: 5 }),
    ];
    expect(drawn(buildTree(spans, true).roots)).toBe("root(early(leaf) late)");
  });

  test("of two that start together the longer one comes first", () => {
    const spans = [span("root", null), span("short", "root", { endUs: 1 }), span("long", "root", { endUs: 9 })];
    expect(drawn(buildTree(spans, true).roots)).toBe("root(long short)");
  });

  test("a parent that never came is one placeholder for all its children, as long as they are", () => {
    const spans = [span("a", "gone", { startUs: 5, endUs: 8 }), span("b", "gone", { startUs: 6, endUs: 20 })];
    const tree = buildTree(spans, true);
    expect(drawn(tree.roots)).toBe("gone?(a b)");
    expect(tree.roots[0]).toMatchObject({ startUs: 5, endUs: 20 });
    expect(tree.missing).toBe(1);
    expect(tree.spanCount).toBe(2);
  });

  test("while pages are still coming an absent parent is no news", () => {
    const tree = buildTree([span("a", "later")], false);
    expect(drawn(tree.roots)).toBe("a");
    expect(tree.missing).toBe(0);
  });

  test("spans in a circle stand at the top, and what hangs on them stays below", () => {
    const spans = [
      span("a", "b"),
      span("b", "a", { startUs: 1 }),
      span("self", "self", { startUs: 2 }),
      span("c", "b"),
    ];
    const tree = buildTree(spans, true);
    expect(drawn(tree.roots)).toBe("a b(c) self");
    expect(tree.roots.map(({ cyclic }) => cyclic)).toEqual([true, true, true]);
    expect(tree.byKey.get("c")!.cyclic).toBe(false);
  });

  test("the earliest span without a parent, or without a received one, stands for the trace", () => {
    const root = span("root", null, { startUs: 5 });
    expect(buildTree([root, span("other", null, { startUs: 9 })], true).representative?.key).toBe("root");
    expect(buildTree([root, span("orphan", "gone", { startUs: 1 })], true).representative?.key).toBe("orphan");
    expect(buildTree([span("a", "b", { startUs: 4 }), span("b", "a")], true).representative?.key).toBe("b");
    expect(buildTree([], true).representative).toBeNull();
  });

  test("a chain of a hundred thousand spans is a tree like any other", () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => span(`${i}`, i === 0 ? null : `${i - 1}`));
    const tree = buildTree(chain, true);
    expect(tree.roots).toHaveLength(1);
    expect(tree.byKey.get("99999")!.parent!.key).toBe("99998");
  });

  test("every span stands in the tree exactly once, whatever its parent", () => {
    const keys = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
    const anySpan = fc.record({ key: keys, parent: fc.option(keys), start: fc.integer({ min: 0, max: 5 }) });
    const anySpans = fc.uniqueArray(anySpan, { selector: ({ key }) => key });
    fc.assert(
      fc.property(anySpans, fc.boolean(), (given, complete) => {
        const spans: TraceSpan[] = given.map(({ key, parent, start }) => span(key, parent, { startUs: start }));
        const tree = buildTree(spans, complete);
        const seen: string[] = [];
        const waiting = [...tree.roots];
        while (waiting.length > 0) {
          const node = waiting.pop()!;
          seen.push(node.key);
          waiting.push(...node.children);
        }
        expect(seen.sort()).toEqual([...tree.byKey.keys()].sort());
        expect(seen.filter((key) => tree.byKey.get(key)!.span !== null)).toHaveLength(spans.length);
        expect(tree.representative === null).toBe(spans.length === 0);
      }),
    );
  });
});
