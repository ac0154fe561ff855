// Where the money of traces went: by step, and below each span.
import { forestOf } from "../forest.ts";
import type { NamedSpan } from "./instant-steps.ts";

interface PricedSpan extends NamedSpan {
  /** Its own, in 10^-12 USD; null where it is not known. */
  readonly cost: number | null;
  readonly tokens: number | null;
}

interface StepCost {
  readonly kind: string;
  readonly name: string;
  spans: number;
  /** Of those whose cost is known. */
  cost: number;
  tokens: number;
  /** Spans with tokens whose cost is not known. */
  unpriced: number;
}

export class StepCosts {
  private readonly steps = new Map<string, StepCost>();
  cost = 0;

  add(spans: readonly PricedSpan[]): void {
    for (const { kind, name, cost, tokens } of spans) {
      if (cost === null && tokens === null) continue;
      const label = `${kind}:${name}`;
      const step = this.steps.get(label) ?? { kind, name, spans: 0, cost: 0, tokens: 0, unpriced: 0 };
      this.steps.set(label, step);
      step.spans++;
      step.cost += cost ?? 0;
      step.tokens += tokens ?? 0;
      if (cost === null) step.unpriced++;
      this.cost += cost ?? 0;
    }
  }

  /** Those that cost most first. */
  most(count: number): readonly StepCost[] {
    const all = [...this.steps].sort(
      ([a, one], [b, other]) => other.cost - one.cost || other.tokens - one.tokens || (a < b ? -1 : 1),
    );
    return all.slice(0, count).map(([, step]) => step);
  }
}

/** Cost of each span of the list with everything below it, unknown ones as 0. */
export function costsBelow(spans: readonly PricedSpan[]): Float64Array {
  const { preorder, parents } = forestOf(spans);
  const costs = Float64Array.from(spans, ({ cost }) => cost ?? 0);
  for (let position = preorder.length - 1; position >= 0; position--) {
    const at = preorder[position]!;
    if (parents[at]! >= 0) costs[parents[at]!]! += costs[at]!;
  }
  return costs;
}
