// Models with their prices, built-in or entered by people.

import type { PricedModel } from "../../../costs/price-list.ts";
import type { RecomputationStatus } from "../../../costs/recomputation.ts";
import type { TypeWord } from "../../../kernel/ids.ts";

export const GENERATIVE_MODEL: TypeWord<GenerativeModel> = "GenerativeModel";

/** Each of them is tried with every name that is new. */
export const MAX_OWN_MODELS = 1000;

export interface GenerativeModel {
  /** On the wire: the row id, or the number of a built-in model above all of those. */
  readonly id: number;
  readonly priced: PricedModel;
  /** Microseconds UTC; null for built-in models. */
  readonly createdUs: number | null;
  readonly updatedUs: number | null;
}

/** A price as people write it. */
export interface GivenPrice {
  readonly tokenType: string;
  readonly isPrompt: boolean;
  /** USD for a million tokens. */
  readonly perMillion: number;
  readonly tiers: readonly { readonly abovePromptTokens: number; readonly perMillion: number }[];
}

/** A model as people write it. */
export interface GivenModel {
  readonly name: string;
  readonly provider: string | null;
  readonly namePattern: string;
  readonly startUs: number | null;
  readonly prices: readonly GivenPrice[];
}

/** A model as it is stored. */
export type NewModel = Omit<PricedModel, "id" | "isBuiltIn">;

/** Which calls are recomputed; null narrows nothing. */
export interface RecomputationScope {
  readonly projectId: number | null;
  /** As spans say it. */
  readonly modelName: string | null;
  /** Microseconds UTC, the end excluded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
}

/** What a slice of a recomputation has done; amounts are those of the spans that changed, in 10^-12 USD. */
export interface RecomputedSlice {
  readonly examined: number;
  readonly changed: number;
  readonly oldCost: bigint;
  readonly newCost: bigint;
}

/** A recomputation, and what it has done so far. */
export interface CostRecomputation extends RecomputationScope, RecomputedSlice {
  readonly id: number;
  readonly status: RecomputationStatus;
  readonly createdUs: number;
  readonly updatedUs: number;
  /** Spans up to here are done. */
  readonly doneSpanId: number;
  /** The newest span when it was asked for: later ones cost the new prices already. */
  readonly lastSpanId: number;
  /** Ids that the next slice goes through; null for as many as usual. */
  readonly sliceSpans: number | null;
  /** Slices that failed since the last one that did not. */
  readonly failures: number;
  /** Spans whose cost could not be recomputed. */
  readonly failedSpans: number;
  /** Why the last slice failed that did; null before. */
  readonly failure: string | null;
}

/** What a call reports, as it is stored. */
export interface ReportedCall {
  readonly id: number;
  readonly startUs: number;
  /** Messages that came as log records, which change attributes. */
  readonly messages: number;
  /** JSON text. */
  readonly attributes: string;
}
