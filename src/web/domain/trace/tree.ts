// The tree of a trace out of its flat list of spans. It takes any list: late parents, parents that never came, parents in a
// circle, several roots. Nothing here recurses, because a chain may be ten thousand spans deep.
import type { TraceSpan } from "./trace-span.ts";

export interface TreeNode {
  /** Key of the span, or of the span that was not received. */
  readonly key: string;
  /** Null for a parent that was named but not received. */
  readonly span: TraceSpan | null;
  readonly children: TreeNode[];
  readonly parent: TreeNode | null;
  /** Its parents form a circle, so it stands at the top. */
  readonly cyclic: boolean;
  /** Of a placeholder: what its children span. */
  readonly startUs: number;
  readonly endUs: number;
}

export interface TraceTree {
  /** By start time. */
  readonly roots: readonly TreeNode[];
  readonly byKey: ReadonlyMap<string, TreeNode>;
  /** Shown as the root of the trace: the earliest span without a parent or whose parent was not received; if there is none, the earliest of
   *  all. Null for a trace without spans. */
  readonly representative: TreeNode | null;
  readonly spanCount: number;
  /** Parents that were named but not received. */
  readonly missing: number;
}

interface Growing {
  key: string;
  span: TraceSpan | null;
  children: Growing[];
  parent: Growing | null;
  cyclic: boolean;
  startUs: number;
  endUs: number;
}

/** `complete` is false while pages are still coming: an absent parent may still come, so no placeholder is drawn. */
export function buildTree(spans: readonly TraceSpan[], complete: boolean): TraceTree {
  const byKey = new Map<string, Growing>();
  for (const span of spans) {
    if (byKey.has(span.spanKey)) continue;
    const { spanKey: key, startUs, endUs } = span;
    byKey.set(key, { key, span, children: [], parent: null, cyclic: false, startUs, endUs: Math.max(startUs, endUs) });
  }
  const received = [...byKey.values()];
  const inCircle = keysInCircles(byKey);
  const roots: Growing[] = [];
  for (const node of received) {
    const parentKey = node.span?.parentKey ?? null;
    if (parentKey === null || inCircle.has(node.key)) {
      node.cyclic = inCircle.has(node.key);
      roots.push(node);
      continue;
    }
    const parent = byKey.get(parentKey) ?? (complete ? placeholder(parentKey, byKey, roots) : null);
    if (parent === null) {
      roots.push(node);
      continue;
    }
    node.parent = parent;
    parent.children.push(node);
    if (parent.span === null) {
      parent.startUs = Math.min(parent.startUs, node.startUs);
      parent.endUs = Math.max(parent.endUs, node.endUs);
    }
  }
  for (const node of byKey.values()) node.children.sort(byStart);
  roots.sort(byStart);
  return {
    roots,
    byKey,
    representative: representativeOf(received),
    spanCount: received.length,
    missing: byKey.size - received.length,
  };
}

function placeholder(key: string, byKey: Map<string, Growing>, roots: Growing[]): Growing {
  const node: Growing = {
    key,
    span: null,
    children: [],
    parent: null,
    cyclic: false,
    startUs: Number.POSITIVE_INFINITY,
    endUs: Number.NEGATIVE_INFINITY,
  };
  byKey.set(key, node);
  roots.push(node);
  return node;
}

/** The spans whose links to their parents lead back to themselves. */
function keysInCircles(byKey: ReadonlyMap<string, Growing>): Set<string> {
  const found = new Set<string>();
  const settled = new Set<string>();
  for (const start of byKey.keys()) {
    const path: string[] = [];
    const positions = new Map<string, number>();
    let key: string | null = start;
    while (key !== null && byKey.has(key) && !settled.has(key) && !positions.has(key)) {
      positions.set(key, path.length);
      path.push(key);
      key = byKey.get(key)!.span?.parentKey ?? null;
    }
    const begin = key === null ? undefined : positions.get(key);
    if (begin !== undefined) for (const member of path.slice(begin)) found.add(member);
    for (const member of path) settled.add(member);
  }
  return found;
}

function representativeOf(received: readonly Growing[]): Growing | null {
  const isTop = (node: Growing) => !node.cyclic && (node.parent === null || node.parent.span === null);
  const earliest = (nodes: readonly Growing[]) =>
    nodes.reduce<Growing | null>((best, node) => (best === null || byStart(node, best) < 0 ? node : best), null);
  return earliest(received.filter(isTop)) ?? earliest(received);
}

/** By start; of two that start together the longer one first, because it more likely holds the other. */
function byStart(one: Growing, other: Growing): number {
  return one.startUs - other.startUs || other.endUs - one.endUs;
}
