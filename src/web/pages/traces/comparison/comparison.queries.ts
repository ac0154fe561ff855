// What the comparison of two traces asks: both, and their steps side by side.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const traceComparison = graphql(`
  query TraceComparison($first: ID!, $second: ID!) {
    node(id: $first) {
      __typename
      ... on Trace {
        id
        comparison(with: $second) {
          first { id traceId startTime latencyMs errorCount tokenCountTotal costTotal project { id name } rootSpan { id shownName spanKind } }
          second { id traceId startTime latencyMs errorCount tokenCountTotal costTotal project { id name } rootSpan { id shownName spanKind } }
          steps {
            edit changes latencyDifferenceMs tokenDifference costDifference
            first { spanNodeId name spanKind failed depth latencyMs modelName tokens cost }
            second { spanNodeId name spanKind failed depth latencyMs modelName tokens cost }
          }
        }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof traceComparison>["node"]>;
export type TraceComparison = NonNullable<Extract<Answer, { readonly __typename: "Trace" }>["comparison"]>;
export type StepPair = TraceComparison["steps"][number];
export type ComparedTrace = TraceComparison["first"];
