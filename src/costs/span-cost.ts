// What one span costs, as its row and the rows of its cost hold it. Money is an integer of 10^-12 USD, so that sums are exact in any
// order of arrival.

/** Where an amount is from; the position is the code in column `span_costs.source`: append, never reorder. Unknown: there was no
 *  price, and the row only counts tokens. */
export const costSources = ["unknown", "price", "given"] as const;
export type CostSource = (typeof costSources)[number];

/** Tokens of one kind, and what they cost; null where no price is known. */
export interface CostDetail {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number | null;
  readonly cost: number | null;
}

export interface SpanCost {
  readonly source: CostSource;
  /** Row id of the model whose prices were used. */
  readonly modelId: number | null;
  readonly total: number | null;
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** What the sender says, kept beside ours. */
  readonly given: number | null;
  /** One a side and kind of token. */
  readonly details: readonly CostDetail[];
}

export function costSourceCode(source: CostSource): number {
  return costSources.indexOf(source);
}
