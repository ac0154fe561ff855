// What the waterfall says beside the times: the chain of spans that determines how long the trace takes, or where its money went.
import type { SpanKind } from "./trace-span.ts";
import type { TraceTree, TreeNode } from "./tree.ts";

export const overlayModes = ["path", "money"] as const;
export type OverlayMode = (typeof overlayModes)[number];

/** What the server says of the trace; spans by their global ids. */
interface Timing {
  readonly durationMs: number;
  readonly segments: readonly {
    readonly spanNodeId: string | null;
    /** Since the start of the trace. */
    readonly startMs: number;
    readonly durationMs: number;
  }[];
  readonly spans: readonly { readonly spanNodeId: string; readonly cumulativeCost: number }[];
  /** The most first, here and below. */
  readonly instantSteps: readonly { readonly spanKind: string; readonly name: string; readonly savedMs: number }[];
  readonly stepCosts: readonly {
    readonly spanKind: string;
    readonly name: string;
    readonly cost: number;
    readonly unpricedSpanCount: number;
  }[];
}

interface Stretch {
  /** Microseconds from the start of the trace. */
  readonly fromUs: number;
  readonly toUs: number;
}

export interface RowOverlay {
  /** Parts of the critical path that the span itself takes. */
  readonly stretches: readonly Stretch[];
  /** By how much the trace would be shorter without the step; of the spans that matter most. */
  readonly savedMs: number | null;
  /** Of the money of the trace, 0 to 1, with all below it. */
  readonly costShare: number | null;
}

interface MattersMost {
  readonly kind: SpanKind;
  readonly name: string;
  /** The span that says it: the one with the largest part. */
  readonly key: string;
  /** Milliseconds that are saved, or US dollars. */
  readonly value: number;
}

export interface Overlay {
  readonly mode: OverlayMode;
  /** By key of the span; what is not in it is drawn faint. */
  readonly rows: ReadonlyMap<string, RowOverlay>;
  readonly most: readonly MattersMost[];
  /** Milliseconds or US dollars. */
  readonly total: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
}

const SHOWN_STEPS = 3;

export function overlayOf(mode: OverlayMode, tree: TraceTree, timing: Timing): Overlay {
  const nodes = new Map<string, TreeNode>();
  for (const node of tree.byKey.values()) if (node.span !== null) nodes.set(node.span.id, node);
  return mode === "path" ? pathOverlay(nodes, timing) : moneyOverlay(nodes, timing);
}

function pathOverlay(nodes: ReadonlyMap<string, TreeNode>, timing: Timing): Overlay {
  const stretches = new Map<TreeNode, Stretch[]>();
  /** Time on the path of each span with all below it. */
  const below = new Map<TreeNode, number>();
  for (const { spanNodeId, startMs, durationMs } of timing.segments) {
    const node = spanNodeId === null ? undefined : nodes.get(spanNodeId);
    if (node === undefined) continue;
    const own = stretches.get(node) ?? [];
    stretches.set(node, own);
    own.push({ fromUs: startMs * 1000, toUs: (startMs + durationMs) * 1000 });
    for (const each of upwards(node)) below.set(each, (below.get(each) ?? 0) + durationMs);
  }
  const most = timing.instantSteps
    .slice(0, SHOWN_STEPS)
    .flatMap(({ savedMs, ...step }) => mattersMost(step, below, savedMs));
  const rows = new Map<string, RowOverlay>();
  for (const node of below.keys()) {
    const savedMs = most.find(({ key }) => key === node.key)?.value ?? null;
    rows.set(node.key, { stretches: stretches.get(node) ?? [], savedMs, costShare: null });
  }
  return { mode: "path", rows, most, total: timing.durationMs, unpriced: 0 };
}

function moneyOverlay(nodes: ReadonlyMap<string, TreeNode>, timing: Timing): Overlay {
  const costs = new Map<TreeNode, number>();
  for (const { spanNodeId, cumulativeCost } of timing.spans) {
    const node = nodes.get(spanNodeId);
    if (node !== undefined && cumulativeCost > 0) costs.set(node, cumulativeCost);
  }
  const total = timing.stepCosts.reduce((sum, { cost }) => sum + cost, 0);
  const most = timing.stepCosts
    .slice(0, SHOWN_STEPS)
    .filter(({ cost }) => cost > 0)
    .flatMap(({ cost, ...step }) => mattersMost(step, costs, cost));
  const rows = new Map<string, RowOverlay>();
  for (const [node, cost] of costs) rows.set(node.key, { stretches: [], savedMs: null, costShare: cost / total });
  return {
    mode: "money",
    rows,
    most,
    total,
    unpriced: timing.stepCosts.reduce((sum, { unpricedSpanCount }) => sum + unpricedSpanCount, 0),
  };
}

/** Each once, also where parents lead in a circle. */
function upwards(node: TreeNode): ReadonlySet<TreeNode> {
  const seen = new Set<TreeNode>();
  for (let each: TreeNode | null = node; each !== null && !seen.has(each); each = each.parent) seen.add(each);
  return seen;
}

function mattersMost(
  { spanKind, name }: { readonly spanKind: string; readonly name: string },
  parts: ReadonlyMap<TreeNode, number>,
  value: number,
): MattersMost[] {
  let found: { readonly node: TreeNode; readonly part: number } | null = null;
  for (const [node, part] of parts) {
    const isStep = node.span?.name === name && node.span.kind === spanKind.toUpperCase();
    if (isStep && (found === null || part > found.part)) found = { node, part };
  }
  if (found === null) return [];
  const { key, span } = found.node;
  return [{ kind: span!.kind, name: span!.shownName || span!.name, key, value }];
}

/** Of a row without money. */
const FREE: RowOverlay = { stretches: [], savedMs: null, costShare: 0 };

/** The overlay of a row; of one that stands for many, of all of them. Null where it is not on the path. */
export function rowOverlayOf(
  { node, repeats }: { readonly node: TreeNode; readonly repeats: { readonly members: readonly TreeNode[] } | null },
  overlay: Overlay,
): RowOverlay | null {
  const nothing = overlay.mode === "money" ? FREE : null;
  if (repeats === null) return overlay.rows.get(node.key) ?? nothing;
  const rows = repeats.members.flatMap(({ key }) => overlay.rows.get(key) ?? []);
  if (rows.length === 0) return nothing;
  return {
    stretches: rows.flatMap(({ stretches }) => stretches),
    savedMs: rows.find(({ savedMs }) => savedMs !== null)?.savedMs ?? null,
    costShare: rows.reduce<number | null>(
      (sum, { costShare }) => (costShare === null ? sum : (sum ?? 0) + costShare),
      null,
    ),
  };
}
