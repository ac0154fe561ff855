// The model call before another one: the newest that began before it below the same parent, else anywhere in the trace.
import type { TraceSpan } from "./trace-span.ts";
import type { TraceTree, TreeNode } from "./tree.ts";

export function previousCall(tree: TraceTree, node: TreeNode): TraceSpan | null {
  let beside: TreeNode | null = null;
  let anywhere: TreeNode | null = null;
  for (const each of tree.byKey.values()) {
    if (each.span?.kind !== "LLM" || each === node || each.startUs >= node.startUs) continue;
    if (anywhere === null || each.startUs > anywhere.startUs) anywhere = each;
    if (each.parent === node.parent && (beside === null || each.startUs > beside.startUs)) beside = each;
  }
  return (beside ?? anywhere)?.span ?? null;
}
