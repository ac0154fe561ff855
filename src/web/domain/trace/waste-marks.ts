// Which spans repeat what was done before, as marks of their rows.
import type { Repeats } from "./shown-span.ts";
import type { TraceTree, TreeNode } from "./tree.ts";

export interface FoundWaste {
  readonly kind: "LOOP" | "RETRY" | "CONTEXT";
  readonly times: number;
  readonly spanNodeIds: readonly string[];
  readonly newAnswers: number | null;
  readonly wasted: { readonly timeMs: number; readonly tokens: number; readonly cost: number };
}

/** By key of the span. */
export type WasteMarks = ReadonlyMap<string, FoundWaste>;
export const noWaste: WasteMarks = new Map();

export function wasteMarksOf(tree: TraceTree, found: readonly FoundWaste[]): WasteMarks {
  const byId = new Map<string, FoundWaste>();
  for (const waste of found) for (const id of waste.spanNodeIds) byId.set(id, waste);
  const marks = new Map<string, FoundWaste>();
  for (const { key, span } of tree.byKey.values()) {
    const waste = span === null ? undefined : byId.get(span.id);
    if (waste !== undefined) marks.set(key, waste);
  }
  return marks;
}

/** Of a row that stands for many, that of the first that has one. */
export function wasteOfRow(
  { node, repeats }: { readonly node: TreeNode; readonly repeats: Repeats | null },
  marks: WasteMarks,
): FoundWaste | null {
  for (const { key } of repeats?.members ?? [node]) {
    const mark = marks.get(key);
    if (mark !== undefined) return mark;
  }
  return null;
}
