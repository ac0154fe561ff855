// Annotations of the rows of a list: counted after the list is loaded.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

const figures = graphql(`
  fragment VerdictFigures on AnnotationFigures {
    name count labelledCount meanScore disputedCount
    labels { label count fraction }
    scores { min max count }
  }
`);

export const spanVerdicts = graphql(
  `
  query SpanVerdicts($id: ID!, $timeRange: TimeRange, $condition: String, $text: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listedSpans(timeRange: $timeRange, filterCondition: $condition, text: $text) { annotations { ...VerdictFigures } }
      }
    }
  }
`,
  [figures],
);

export const traceVerdicts = graphql(
  `
  query TraceVerdicts($id: ID!, $timeRange: TimeRange, $condition: String, $text: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listedTraces(timeRange: $timeRange, filterCondition: $condition, text: $text) {
          annotations { ...VerdictFigures }
          rootSpanAnnotations { ...VerdictFigures }
        }
      }
    }
  }
`,
  [figures],
);

export const sessionVerdicts = graphql(
  `
  query SessionVerdicts($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listedSessionAnnotations(timeRange: $timeRange, sessionFilterCondition: $condition) { ...VerdictFigures }
      }
    }
  }
`,
  [figures],
);

export { figures as verdictFigures };
export type VerdictFigures = ResultOf<typeof figures>;
