// Sums of what calls of models cost.
import type { CostSource } from "../../../costs/span-cost.ts";

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

/** Dimensions by which costs are grouped. */
export const costDimensions = ["model", "user", "kind"] as const;
export type CostDimension = (typeof costDimensions)[number];

export interface CostGroupSums {
  /** Name of the model or id of the user, as sent; `in ` or `out ` and the kind of token. Null where the sender names none. */
  readonly key: string | null;
  readonly cost: number | null;
  readonly tokens: number | null;
  /** Calls, or counts of a kind, whose cost is unknown. */
  readonly unknown: number;
}

export interface CostGroup extends CostGroupSums {
  /** For each bin of the period; null where nothing is known. Read when they are asked for, here and below. */
  readonly costs: () => Promise<readonly (number | null)[]>;
}

export interface CostGroups {
  readonly beginsUs: readonly number[];
  readonly groups: readonly CostGroup[];
  /** Over all groups, also those that are not named here. */
  readonly all: () => Promise<readonly (number | null)[]>;
}
