// GraphQL types for sums of costs and their kinds of tokens. Amounts are in USD.

import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { type CostEntry, type CostSums, NO_COSTS } from "./costs.schema.ts";

export function dollarsOf(cost: number | null): number | null {
  return cost === null ? null : cost / UNITS_PER_USD;
}

const breakdownType = ({ builder, once }: GraphqlTypes) =>
  once("CostBreakdown", () =>
    builder.objectRef<ReturnType<typeof breakdownOf>>("CostBreakdown").implement({
      fields: (t) => ({
        tokens: t.exposeFloat("tokens", { nullable: true }),
        cost: t.exposeFloat("cost", { nullable: true, description: "US dollars; null where no price is known." }),
      }),
    }),
  );

export function costEntryType(types: GraphqlTypes) {
  const { builder, once } = types;
  return once("SpanCostDetailSummaryEntry", () => {
    const CostBreakdown = breakdownType(types);
    return builder.objectRef<CostEntry>("SpanCostDetailSummaryEntry").implement({
      fields: (t) => ({
        tokenType: t.exposeString("tokenType"),
        isPrompt: t.exposeBoolean("isPrompt"),
        value: t.field({ type: CostBreakdown, resolve: ({ tokens, cost }) => breakdownOf(tokens, cost) }),
      }),
    });
  });
}

/** A summary of these sums; what of it is not known is null. */
export function summaryOf(sums: CostSums | null) {
  const { promptTokens, completionTokens, prompt, completion, total } = sums ?? NO_COSTS;
  const tokens =
    promptTokens === null && completionTokens === null ? null : (promptTokens ?? 0) + (completionTokens ?? 0);
  return {
    prompt: breakdownOf(promptTokens, prompt),
    completion: breakdownOf(completionTokens, completion),
    total: breakdownOf(tokens, total),
  };
}

function breakdownOf(tokens: number | null, cost: number | null) {
  return { tokens, cost: dollarsOf(cost) };
}
