// What a selection of traces or spans has in common.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const explanationOf = graphql(`
  query Explanation(
    $id: ID!
    $of: ExplainedItems!
    $timeRange: TimeRange
    $condition: String
    $selectedTimeRange: TimeRange
  ) {
    node(id: $id) {
      __typename
      ... on Project {
        id
        explanation(
          of: $of
          timeRange: $timeRange
          filterCondition: $condition
          selectedTimeRange: $selectedTimeRange
        ) {
          selectedCount restCount isComplete isTooFew valueCount
          values(first: 40) { name value minimum maximum selectedCount restCount lift isSignificant only without }
          notDistinguishing tooRare incomplete
        }
      }
    }
  }
`);

type Project = Extract<ResultOf<typeof explanationOf>["node"], { readonly __typename: "Project" }>;
export type FoundExplanation = Project["explanation"];
export type ExplainedValue = FoundExplanation["values"][number];
