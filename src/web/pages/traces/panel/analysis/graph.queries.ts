// What the graph of a trace asks, once it is looked at.
import { graphql } from "../../../../lib/graphql.ts";

export const traceGraphs = graphql(`
  query TraceGraphs($id: ID!) {
    node(id: $id) {
      __typename
      ... on Trace {
        id
        agentGraphs {
          key name spanKind isAgent runCount nodeCount
          nodes { key name spanKind column graph spanCount errorCount cost latencyMsP50 spanNodeIds }
          edges { from to times isBack spanCount errorCount cost latencyMsP50 }
        }
      }
    }
  }
`);
