// How costs are told in GraphQL, for every type that has some. Amounts are in USD.
import type { GraphqlTypes } from "../../graphql/types.ts";
import { type CostEntry, type CostSums, NO_COSTS } from "./costs.schema.ts";

interface Breakdown {
  readonly tokens: number | null;
  readonly cost: number | null;
}

const UNITS_PER_DOLLAR = 1e12;

export function dollarsOf(cost: number | null): number | null {
  return cost === null ? null : cost / UNITS_PER_DOLLAR;
}

const breakdownType = ({ builder, once }: GraphqlTypes) =>
  once("CostBreakdown", () =>
    builder.objectRef<Breakdown>("CostBreakdown").implement({
      fields: (t) => ({
        tokens: t.exposeFloat("tokens", { nullable: true }),
        cost: t.float({ nullable: true, description: "USD.", resolve: ({ cost }) => dollarsOf(cost) }),
      }),
    }),
  );

export function costSummaryType(types: GraphqlTypes) {
  const { builder, once } = types;
  return once("SpanCostSummary", () => {
    const CostBreakdown = breakdownType(types);
    return builder.objectRef<CostSums>("SpanCostSummary").implement({
      fields: (t) => ({
        prompt: t.field({
          type: CostBreakdown,
          resolve: ({ promptTokens, prompt }) => ({ tokens: promptTokens, cost: prompt }),
        }),
        completion: t.field({
          type: CostBreakdown,
          resolve: ({ completionTokens, completion }) => ({ tokens: completionTokens, cost: completion }),
        }),
        total: t.field({
          type: CostBreakdown,
          resolve: ({ promptTokens, completionTokens, total }) => ({
            tokens:
              promptTokens === null && completionTokens === null ? null : (promptTokens ?? 0) + (completionTokens ?? 0),
            cost: total,
          }),
        }),
      }),
    });
  });
}

export function costEntryType(types: GraphqlTypes) {
  const { builder, once } = types;
  return once("SpanCostDetailSummaryEntry", () => {
    const CostBreakdown = breakdownType(types);
    return builder.objectRef<CostEntry>("SpanCostDetailSummaryEntry").implement({
      fields: (t) => ({
        tokenType: t.exposeString("tokenType"),
        isPrompt: t.exposeBoolean("isPrompt"),
        value: t.field({ type: CostBreakdown, resolve: (entry) => entry }),
      }),
    });
  });
}

/** A summary is always there; what of it is not known is null. */
export function summaryOf(sums: CostSums | null): CostSums {
  return sums ?? NO_COSTS;
}
