// The spans as a list of rows, and how the keyboard walks through them.
import type { Repeats, ShownSpan } from "./shown-span.ts";
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
  readonly repeats: Repeats | null;
}

/** The rows from top to bottom; what is below a closed span is left out. Spans are open and repeated ones folded, unless they are
 *  among those that were turned; of folded ones the one that leads to the selected span is shown. */
export function rowsOf(
  top: readonly ShownSpan[],
  turned: ReadonlySet<string>,
  selected: TreeNode | null = null,
): Row[] {
  const onTheWay = new Set<TreeNode>();
  for (let each = selected; each !== null && !onTheWay.has(each); each = each.parent) onTheWay.add(each);
  const rows: Row[] = [];
  const below = countBelow(top);
  const waiting: [ShownSpan, number][] = [...top].reverse().map((span) => [span, 0]);
  while (waiting.length > 0) {
    const [span, depth] = waiting.pop()!;
    const { node, folded, context, children, repeats } = span;
    const open = children.length === 0 ? null : turned.has(node.key) === (repeats !== null);
    rows.push({ node, depth, open, below: below.get(span)!, folded, context, repeats });
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i]!;
      if (open === true || (repeats !== null && onTheWay.has(child.node))) waiting.push([child, depth + 1]);
    }
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
