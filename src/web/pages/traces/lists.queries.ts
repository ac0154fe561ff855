// Pages of traces and of spans, what a search finds among them, the words of their languages, and changes of traces.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

const traceRow = graphql(`
  fragment ListedTrace on Trace {
    id traceId startTime latencyMs numSpans errorCount tokenCountTotal userId
    session { sessionId }
    errorsByType { exceptionType count }
    rootSpan { id name spanKind inputSaid outputSaid }
  }
`);

const spanRow = graphql(`
  fragment ListedSpan on Span {
    id spanId name spanKind statusCode errorHead startTime latencyMs modelName tokenCountTotal userId
    inputSaid outputSaid
    trace { id traceId }
  }
`);

export const traceList = graphql(
  `
  query TraceList($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $sort: TraceSort, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        traces(first: $first, after: $after, timeRange: $timeRange, sort: $sort, filterCondition: $condition) {
          edges { node { ...ListedTrace } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`,
  [traceRow],
);

export const traceSearch = graphql(
  `
  query TraceSearch($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $text: String!, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        searchTraces(first: $first, after: $after, timeRange: $timeRange, text: $text, filterCondition: $condition) {
          edges { node { ...ListedTrace } }
          pageInfo { hasNextPage endCursor }
          progress { complete fraction scannedUntil }
        }
      }
    }
  }
`,
  [traceRow],
);

export const spanList = graphql(
  `
  query SpanList($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $sort: SpanSort, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        spans(first: $first, after: $after, timeRange: $timeRange, sort: $sort, filterCondition: $condition) {
          edges { node { ...ListedSpan } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`,
  [spanRow],
);

export const spanSearch = graphql(
  `
  query SpanListSearch($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $text: String!, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        searchSpans(first: $first, after: $after, timeRange: $timeRange, text: $text, filterCondition: $condition) {
          edges { node { ...ListedSpan } }
          pageInfo { hasNextPage endCursor }
          progress { complete fraction scannedUntil }
        }
      }
    }
  }
`,
  [spanRow],
);

export const traceVocabulary = graphql(`
  query TraceVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { traceFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const spanVocabulary = graphql(`
  query SpanVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { spanFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const checkTraces = graphql(`
  query CheckTraceCondition($id: ID!, $condition: String!) {
    node(id: $id) {
      __typename
      ... on Project {
        validation: validateTraceFilterCondition(condition: $condition) { isValid errorMessage errorStart errorEnd }
      }
    }
  }
`);

export const checkSpans = graphql(`
  query CheckSpanCondition($id: ID!, $condition: String!) {
    node(id: $id) {
      __typename
      ... on Project {
        validation: validateSpanFilterCondition(condition: $condition) { isValid errorMessage errorStart errorEnd }
      }
    }
  }
`);

export const spanFigures = graphql(`
  query SpanFigures($id: ID!, $timeRange: TimeRange, $condition: String, $failed: String!) {
    node(id: $id) {
      __typename
      ... on Project {
        recordCount(timeRange: $timeRange, filterCondition: $condition)
        failed: recordCount(timeRange: $timeRange, filterCondition: $failed)
        p50: spanLatencyMsQuantile(probability: 0.5, timeRange: $timeRange, filterCondition: $condition)
        p99: spanLatencyMsQuantile(probability: 0.99, timeRange: $timeRange, filterCondition: $condition)
        tokenCountTotal(timeRange: $timeRange, filterCondition: $condition)
      }
    }
  }
`);

export const deleteTraces = graphql(`
  mutation DeleteTraces($ids: [ID!]!) {
    deleteTraces(traceIds: $ids) { __typename }
  }
`);

export const moveTraces = graphql(`
  mutation MoveTraces($ids: [ID!]!, $project: ID!) {
    transferTracesToProject(traceIds: $ids, projectId: $project) { __typename }
  }
`);

export const projectChoices = graphql(`
  query ProjectChoices($first: Int!) {
    projects(first: $first, sort: { col: name, dir: asc }) {
      edges { node { id name } }
    }
  }
`);

export type TraceRow = ResultOf<typeof traceRow>;
export type SpanListRow = ResultOf<typeof spanRow>;
export { spanRow, traceRow };
