// What the trace panel asks: the structure without payloads, page by page; then the payload of what is selected.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

const spanFields = graphql(`
  fragment TraceSpanFields on Span {
    id spanId parentId name shownName spanKind statusCode errorHead startTime latencyMs modelName tokenCountTotal costTotal isCountedInChild hasContent
  }
`);

/** The trace with its newest spans: the root is among them where it arrived last, as it does. */
export const traceStructure = graphql(
  `
  query TraceStructure($project: ID!, $trace: ID!, $first: Int!) {
    node(id: $project) {
      __typename
      ... on Project {
        id
        name
        trace(traceId: $trace) {
          id traceId startTime endTime latencyMs numSpans errorCount tokenCountTotal costTotal userId
          errorsByType { exceptionType }
          session { id sessionId }
          spans(first: $first) {
            edges { node { ...TraceSpanFields } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    }
  }
`,
  [spanFields],
);

/** Also how a trace is asked whether more has come. */
export const traceSpans = graphql(
  `
  query TraceSpans($trace: ID!, $first: Int!, $after: String) {
    node(id: $trace) {
      __typename
      ... on Trace {
        id startTime endTime latencyMs numSpans errorCount tokenCountTotal costTotal
        spans(first: $first, after: $after) {
          edges { node { ...TraceSpanFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`,
  [spanFields],
);

export const spanPayload = graphql(`
  query SpanPayload($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span {
        id statusMessage cumulativeTokenCountTotal isCountedInChild costSource
        payload { attributes events cut { path bytes items } }
      }
    }
  }
`);

export const spanSearch = graphql(`
  query SpanSearch($trace: ID!, $first: Int!, $condition: String!) {
    node(id: $trace) {
      __typename
      ... on Trace {
        id
        spans(first: $first, filterCondition: $condition) {
          edges { node { id spanId } }
          pageInfo { hasNextPage }
        }
      }
    }
  }
`);

type StructureAnswer = NonNullable<ResultOf<typeof traceStructure>["node"]>;
export type FoundTrace = NonNullable<Extract<StructureAnswer, { readonly __typename: "Project" }>["trace"]>;
export { spanFields };
