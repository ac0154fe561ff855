// What can be grouped by the values of an attribute.

/** Counts of traces, their latency of which 95 % are not slower, their tokens, what they cost, and counts of spans. */
export const groupMeasures = ["traces", "latency", "tokens", "cost", "spans"] as const;
export type GroupMeasure = (typeof groupMeasures)[number];

/** An amount for each bin; null where there is nothing. */
type Amounts = readonly (number | null)[];

export interface AttributeGroups {
  readonly beginsUs: readonly number[];
  /** Those with most first; a null value is that of everything without the attribute. */
  readonly groups: readonly { readonly value: string | null; readonly amounts: Amounts }[];
  /** The sum of all other groups; null without any. */
  readonly others: Amounts | null;
}
