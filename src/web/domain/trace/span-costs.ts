// What each span of a tree costs together with everything below it, each call of a model once.
import type { TreeNode } from "./tree.ts";

export interface SpanCost {
  /** US dollars; null where nothing of it is known. */
  readonly cost: number | null;
  /** It includes a call of unknown cost. */
  readonly unknown: boolean;
}

/** By key of the span. Empty for a tree that calls no model. */
export function spanCostsOf(roots: readonly TreeNode[]): ReadonlyMap<string, SpanCost> {
  const order = [...roots];
  for (let at = 0; at < order.length; at++) order.push(...order[at]!.children);
  const costs = new Map<string, SpanCost>();
  for (const { key, span, children } of order.toReversed()) {
    const own = span === null || span.isCountedInChild ? [] : [ownCostOf(span)];
    const sum = sumOfCosts([...own, ...children.map((child) => costs.get(child.key))]);
    if (sum !== undefined) costs.set(key, sum);
  }
  return costs;
}

/** Undefined where none of them calls a model. */
export function sumOfCosts(costs: readonly (SpanCost | undefined)[]): SpanCost | undefined {
  let sum: SpanCost | undefined;
  for (const each of costs) {
    if (each === undefined) continue;
    const cost = sum === undefined || sum.cost === null ? each.cost : sum.cost + (each.cost ?? 0);
    sum = { cost, unknown: each.unknown || sum?.unknown === true };
  }
  return sum;
}

function ownCostOf({ cost, tokens }: NonNullable<TreeNode["span"]>): SpanCost | undefined {
  // Tokens without a cost mean a call of unknown cost.
  return cost === null && tokens === null ? undefined : { cost, unknown: cost === null };
}
