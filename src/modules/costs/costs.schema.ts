// Sums of what calls of models cost.
import type { CostSource } from "../../model/costs/span-cost.ts";

/** Money is in 10^-12 USD. Null: nothing of it is known. */
export interface CostSums {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
}

/** Tokens of one kind, and what they cost. */
export interface CostEntry {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  readonly tokens: number | null;
  readonly cost: number | null;
}

export const NO_COSTS: CostSums = {
  promptTokens: null,
  completionTokens: null,
  prompt: null,
  completion: null,
  total: null,
};

/** Calls by where their amount is from. */
export type CostOrigins = Readonly<Record<CostSource, number>>;

export const NO_ORIGINS: CostOrigins = { price: 0, given: 0, unknown: 0 };
