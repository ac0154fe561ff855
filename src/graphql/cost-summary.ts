// What calls of models took, in tokens and in US dollars: the shape that spans, traces, sessions, projects and experiments share.
import type { GraphqlTypes } from "./types.ts";

interface CostBreakdown {
  /** Null where the tokens are unknown. */
  readonly tokens: number | null;
  /** US dollars; null where no price is known. */
  readonly cost: number | null;
}

interface CostSummary {
  readonly prompt: CostBreakdown;
  readonly completion: CostBreakdown;
  readonly total: CostBreakdown;
}

export function costSummaryType(types: GraphqlTypes) {
  return types.once("SpanCostSummary", () => {
    const Breakdown = costBreakdownType(types);
    return types.builder.objectRef<CostSummary>("SpanCostSummary").implement({
      fields: (t) => ({
        prompt: t.field({ type: Breakdown, resolve: ({ prompt }) => prompt }),
        completion: t.field({ type: Breakdown, resolve: ({ completion }) => completion }),
        total: t.field({ type: Breakdown, resolve: ({ total }) => total }),
      }),
    });
  });
}

function costBreakdownType(types: GraphqlTypes) {
  return types.once("CostBreakdown", () =>
    types.builder.objectRef<CostBreakdown>("CostBreakdown").implement({
      fields: (t) => ({
        tokens: t.exposeFloat("tokens", { nullable: true }),
        cost: t.exposeFloat("cost", { nullable: true, description: "US dollars; null where no price is known." }),
      }),
    }),
  );
}
