// The spans as a list of rows, and how the keyboard walks through them.
import type { ShownSpan } from "./fold.ts";
import type { TreeNode } from "./tree.ts";

export interface Row {
  readonly node: TreeNode;
  readonly depth: number;
  /** Null for a row without children. */
  readonly open: boolean | null;
  /** Rows below it, at any depth, that folding hides. */
  readonly below: number;
  readonly folded: number;
  readonly context: boolean;
}

/** The rows from top to bottom; what is below a closed span is left out. */
export function rowsOf(top: readonly ShownSpan[], closed: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const below = countBelow(top);
  const waiting: [ShownSpan, number][] = [...top].reverse().map((span) => [span, 0]);
  while (waiting.length > 0) {
    const [span, depth] = waiting.pop()!;
    const { node, folded, context, children } = span;
    const open = children.length === 0 ? null : !closed.has(node.key);
    rows.push({ node, depth, open, below: below.get(span)!, folded, context });
    if (open === true) for (let i = children.length - 1; i >= 0; i--) waiting.push([children[i]!, depth + 1]);
  }
  return rows;
}

function countBelow(top: readonly ShownSpan[]): Map<ShownSpan, number> {
  const order = [...top];
  for (let i = 0; i < order.length; i++) order.push(...order[i]!.children);
  const counts = new Map<ShownSpan, number>();
  for (let i = order.length - 1; i >= 0; i--) {
    let count = 0;
    for (const child of order[i]!.children) count += 1 + counts.get(child)!;
    counts.set(order[i]!, count);
  }
  return counts;
}

export type Walk = "up" | "down" | "first" | "last" | "left" | "right";

interface Walked {
  /** Key to select. */
  readonly select?: string;
  /** Key whose row opens or closes. */
  readonly toggle?: string;
}

/** What a key does to the selected row. Left closes the row, or goes to the one it belongs to; right opens it, or goes to its
 *  first child (the tree pattern of WAI-ARIA). */
export function walk(rows: readonly Row[], selected: string | null, way: Walk): Walked {
  if (rows.length === 0) return {};
  const at = rows.findIndex(({ node }) => node.key === selected);
  const to = (position: number): Walked => {
    const bounded = Math.max(0, Math.min(rows.length - 1, position));
    return bounded === at ? {} : { select: rows[bounded]!.node.key };
  };
  if (way === "first") return to(0);
  if (way === "last") return to(rows.length - 1);
  if (at < 0) return to(0);
  const row = rows[at]!;
  switch (way) {
    case "up":
      return to(at - 1);
    case "down":
      return to(at + 1);
    case "left": {
      if (row.open === true) return { toggle: row.node.key };
      for (let i = at - 1; i >= 0; i--) if (rows[i]!.depth < row.depth) return to(i);
      return {};
    }
    case "right":
      if (row.open === false) return { toggle: row.node.key };
      return row.open === true ? to(at + 1) : {};
  }
}
