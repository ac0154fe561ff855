// A span as the tree shows it, which may stand for many.
import type { SpanKind } from "./trace-span.ts";
import type { TreeNode } from "./tree.ts";

/** A span as it is shown, below the nearest span above it that is shown, too. */
export interface ShownSpan {
  readonly node: TreeNode;
  readonly children: readonly ShownSpan[];
  /** Wrappers that were folded into this span. */
  readonly folded: number;
  /** It is shown for what is below it, not because it was searched for. */
  readonly context: boolean;
  /** Of a row that stands for equal spans, which are its children; null for a span. */
  readonly repeats: Repeats | null;
}

export interface Repeats {
  readonly name: string;
  readonly kind: SpanKind;
  /** How often the span, or the sequence of spans, is repeated. */
  readonly times: number;
  /** Microseconds of one time: half of them took longer. */
  readonly p50Us: number;
  /** By start. */
  readonly members: readonly TreeNode[];
  readonly failed: readonly TreeNode[];
}
