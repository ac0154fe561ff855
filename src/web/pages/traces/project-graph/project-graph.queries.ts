// What the graph of the traces of a project asks.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const projectGraph = graphql(`
  query ProjectGraph($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        id
        traceAnalysis(timeRange: $timeRange, filterCondition: $condition) {
          traceCount isComplete durationMs
          agentGraphs {
            key name spanKind isAgent runCount nodeCount
            nodes { key name spanKind column graph spanCount errorCount cost latencyMsP50 }
            edges { from to times isBack spanCount errorCount cost latencyMsP50 }
          }
          instantSteps { name spanKind traceCount spanCount savedMs }
        }
      }
    }
  }
`);

export const graphVocabulary = graphql(`
  query GraphVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { vocabulary: traceFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const checkGraphed = graphql(`
  query CheckGraphedCondition($id: ID!, $condition: String!) {
    node(id: $id) {
      __typename
      ... on Project {
        validation: validateTraceFilterCondition(condition: $condition) { isValid errorMessage errorStart errorEnd }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof projectGraph>["node"]>;
export type TraceAnalysis = Extract<Answer, { readonly __typename: "Project" }>["traceAnalysis"];
