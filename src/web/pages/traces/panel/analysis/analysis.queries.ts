// What the analysis of a trace asks, once it is looked at.
import { graphql } from "../../../../lib/graphql.ts";

export const traceTiming = graphql(`
  query TraceTiming($id: ID!) {
    node(id: $id) {
      __typename
      ... on Trace {
        id
        criticalPath {
          durationMs
          segments { spanNodeId startMs durationMs }
          spans { spanNodeId cumulativeCost }
          instantSteps { spanKind name savedMs }
          stepCosts { spanKind name cost unpricedSpanCount }
        }
      }
    }
  }
`);

export const traceWaste = graphql(`
  query TraceWaste($id: ID!) {
    node(id: $id) {
      __typename
      ... on Trace {
        id
        waste {
          wasted { timeMs tokens cost }
          found { kind times spanNodeIds newAnswers wasted { timeMs tokens cost } }
        }
      }
    }
  }
`);
