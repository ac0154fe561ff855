// What a trace, a session or a span costs, by kinds of tokens, and where the amounts are from.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const costSplit = graphql(`
  query CostSplit($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span {
        own: costSummary { total { tokens cost } }
        entries: costDetailSummaryEntries { tokenType isPrompt value { tokens cost } }
        costSource givenCost
      }
      ... on Trace {
        total: costSummary { total { tokens cost } }
        entries: costDetailSummaryEntries { tokenType isPrompt value { tokens cost } }
        costOrigins { price given unknown }
      }
      ... on ProjectSession {
        total: costSummary { total { tokens cost } }
        entries: costDetailSummaryEntries { tokenType isPrompt value { tokens cost } }
        costOrigins { price given unknown }
      }
    }
  }
`);

export type CostSplitNode = Extract<
  NonNullable<ResultOf<typeof costSplit>["node"]>,
  { readonly __typename: "Span" | "Trace" | "ProjectSession" }
>;
