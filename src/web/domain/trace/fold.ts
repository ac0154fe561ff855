// Which spans of a trace are shown: all but wrappers, which are folded into their parents; or those that a search or a choice of
// kinds leaves, with the way to them.
import { collapseRepeats } from "./repeats.ts";
import type { ShownSpan } from "./shown-span.ts";
import type { SpanKind, TraceSpan } from "./trace-span.ts";
import type { TraceTree, TreeNode } from "./tree.ts";

export interface SpanFilter {
  readonly keyOnly: boolean;
  /** Null shows every kind. */
  readonly kinds: ReadonlySet<SpanKind> | null;
  /** Keys of the spans that a search found; null is no search. */
  readonly found: ReadonlySet<string> | null;
  /** Shown even as a wrapper: the selected span. */
  readonly selected: string | null;
}

interface ShownSpans {
  readonly top: readonly ShownSpan[];
  /** Received spans that are shown and that the filter asked for. */
  readonly shown: number;
}

export function isKeySpan(node: TreeNode): boolean {
  if (node.span === null || node.parent === null || node.parent.span === null) return true;
  return node.span.status === "ERROR" || !isWrapper(node.span);
}

/** Frameworks make a span of each of their layers: it says what is below it, not what was done. */
function isWrapper({ kind, hasContent, model, tokens }: TraceSpan): boolean {
  return kind === "CHAIN" || (kind === "UNKNOWN" && !hasContent && model === null && tokens === null);
}

/** Spans that "key spans only" hides. */
export function countWrappers(tree: TraceTree): number {
  let wrappers = 0;
  for (const node of tree.byKey.values()) if (!isKeySpan(node)) wrappers++;
  return wrappers;
}

interface Growing extends ShownSpan {
  folded: number;
  /** Its children before repeated ones are put together. */
  readonly below: Growing[];
  children: readonly ShownSpan[];
}

export function shownSpansOf(tree: TraceTree, filter: SpanFilter): ShownSpans {
  const narrowed = filter.kinds !== null || filter.found !== null;
  const wanted = (node: TreeNode) =>
    (filter.kinds === null || (node.span !== null && filter.kinds.has(node.span.kind))) &&
    (filter.found === null || filter.found.has(node.key));
  const leadsToWanted = narrowed ? waysTo(tree, wanted) : null;
  const top: Growing[] = [];
  const all: Growing[] = [];
  let shown = 0;
  // Pairs of a node and the span it goes below, the last pushed first.
  const waiting: [TreeNode, Growing | null][] = [...tree.roots].reverse().map((root) => [root, null]);
  while (waiting.length > 0) {
    const [node, above] = waiting.pop()!;
    const isWanted = wanted(node);
    const isContext = narrowed && !isWanted;
    if (leadsToWanted !== null && !leadsToWanted.has(node)) continue;
    // What was searched for is shown even where it is a wrapper; a wrapper on the way to it is not.
    const isShown =
      !filter.keyOnly || isKeySpan(node) || node.key === filter.selected || (filter.found !== null && isWanted);
    let below = above;
    if (isShown) {
      below = { node, below: [], children: [], folded: 0, context: isContext, repeats: null };
      (above?.below ?? top).push(below);
      all.push(below);
      if (node.span !== null && !isContext) shown++;
    } else if (above !== null) {
      above.folded++;
    }
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push([node.children[i]!, below]);
  }
  // Folded wrappers leave the spans of several parents side by side.
  if (filter.keyOnly) for (const siblings of [top, ...all.map((each) => each.below)]) siblings.sort(byStart);
  // What was asked for is shown one by one.
  const listed = (siblings: readonly Growing[]) => (narrowed ? siblings : collapseRepeats(siblings));
  for (const each of all) each.children = listed(each.below);
  return { top: listed(top), shown };
}

/** Every node that is wanted or has such a one below it. */
function waysTo(tree: TraceTree, wanted: (node: TreeNode) => boolean): Set<TreeNode> {
  const ways = new Set<TreeNode>();
  for (const node of tree.byKey.values()) {
    if (!wanted(node)) continue;
    for (let each: TreeNode | null = node; each !== null && !ways.has(each); each = each.parent) ways.add(each);
  }
  return ways;
}

function byStart(one: ShownSpan, other: ShownSpan): number {
  return one.node.startUs - other.node.startUs || other.node.endUs - one.node.endUs;
}
