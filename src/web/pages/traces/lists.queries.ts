// Pages of traces and of spans, what a search finds among them, the words of their languages, and changes of traces.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

const traceRow = graphql(`
  fragment ListedTrace on Trace {
    id traceId startTime latencyMs numSpans errorCount tokenCountTotal costTotal userId
    session { sessionId }
    errorsByType { exceptionType count }
    rootSpan {
      id name shownName spanKind inputSaid outputSaid
      attributeTexts(names: $attributes) { name text }
      verdicts: spanAnnotationSummaries(filter: { include: { names: $rootJudged } }) @include(if: $anyRootJudged) { name labels meanScore }
    }
    verdicts: traceAnnotationSummaries(filter: { include: { names: $judged } }) @include(if: $anyJudged) { name labels meanScore }
  }
`);

const spanRow = graphql(`
  fragment ListedSpan on Span {
    id spanId name shownName spanKind statusCode errorHead startTime latencyMs modelName tokenCountTotal costTotal userId
    inputSaid outputSaid
    trace { id traceId }
    attributeTexts(names: $attributes) { name text }
    verdicts: spanAnnotationSummaries(filter: { include: { names: $judged } }) @include(if: $anyJudged) { name labels meanScore }
  }
`);

export const traceList = graphql(
  `
  query TraceList($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $sort: TraceSort, $condition: String, $attributes: [String!]!, $judged: [String!]!, $anyJudged: Boolean!, $rootJudged: [String!]!, $anyRootJudged: Boolean!) {
    node(id: $id) {
      __typename
      ... on Project {
        list: traces(first: $first, after: $after, timeRange: $timeRange, sort: $sort, filterCondition: $condition) {
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
  query TraceSearch($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $text: String!, $condition: String, $attributes: [String!]!, $judged: [String!]!, $anyJudged: Boolean!, $rootJudged: [String!]!, $anyRootJudged: Boolean!) {
    node(id: $id) {
      __typename
      ... on Project {
        list: searchTraces(first: $first, after: $after, timeRange: $timeRange, text: $text, filterCondition: $condition) {
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
  query SpanList($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $sort: SpanSort, $condition: String, $attributes: [String!]!, $judged: [String!]!, $anyJudged: Boolean!) {
    node(id: $id) {
      __typename
      ... on Project {
        list: spans(first: $first, after: $after, timeRange: $timeRange, sort: $sort, filterCondition: $condition) {
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
  query SpanListSearch($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $text: String!, $condition: String, $attributes: [String!]!, $judged: [String!]!, $anyJudged: Boolean!) {
    node(id: $id) {
      __typename
      ... on Project {
        list: searchSpans(first: $first, after: $after, timeRange: $timeRange, text: $text, filterCondition: $condition) {
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

/** The spans below the root of a trace, level by level. */
export const spansBelow = graphql(
  `
  query SpansBelow($trace: ID!, $first: Int!, $attributes: [String!]!, $judged: [String!]!, $anyJudged: Boolean!) {
    node(id: $trace) {
      __typename
      ... on Trace {
        id
        rootSpan {
          id spanId
          descendants(first: $first, maxDepth: 0) { edges { node { parentId errorType ...ListedSpan } } }
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
      ... on Project { vocabulary: traceFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const spanVocabulary = graphql(`
  query SpanVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { vocabulary: spanFilterVocabulary { name type description category iterableName values } }
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

/** What stands beside the rows, over the same rows; of a search over those that were found so far. */
export const tracesListed = graphql(`
  query TracesListed(
    $id: ID!, $timeRange: TimeRange, $condition: String, $text: String, $period: TimeRange, $bins: TimeBinConfig!
  ) {
    node(id: $id) {
      __typename
      ... on Project {
        listed: listedTraces(timeRange: $timeRange, filterCondition: $condition, text: $text) {
          progress { complete }
          figures { count errorCount latencyMsP50 latencyMsP99 tokenCountTotal costTotal }
          series(timeRange: $period, timeBinConfig: $bins) { timestamp totalCount errorCount }
        }
      }
    }
  }
`);

export const spansListed = graphql(`
  query SpansListed(
    $id: ID!, $timeRange: TimeRange, $condition: String, $text: String, $period: TimeRange, $bins: TimeBinConfig!
  ) {
    node(id: $id) {
      __typename
      ... on Project {
        listed: listedSpans(timeRange: $timeRange, filterCondition: $condition, text: $text) {
          progress { complete }
          figures { count errorCount latencyMsP50 latencyMsP99 tokenCountTotal }
          series(timeRange: $period, timeBinConfig: $bins) { timestamp totalCount errorCount }
        }
      }
    }
  }
`);

/** By itself: it may take longer than the other figures. */
export const spansCost = graphql(`
  query SpansCost($id: ID!, $timeRange: TimeRange, $condition: String, $text: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listed: listedSpans(timeRange: $timeRange, filterCondition: $condition, text: $text) { costSummary { total { cost } } }
      }
    }
  }
`);

export const tracesFacets = graphql(`
  query TracesFacets($id: ID!, $timeRange: TimeRange, $condition: String, $text: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listed: listedTraces(timeRange: $timeRange, filterCondition: $condition, text: $text) {
          progress { complete }
          facets {
            complete countedTraces
            kinds { value count }
            names(first: 10) { value count }
            users(first: 8) { value count }
          }
        }
      }
    }
  }
`);

export const spansFacets = graphql(`
  query SpansFacets($id: ID!, $timeRange: TimeRange, $condition: String, $text: String) {
    node(id: $id) {
      __typename
      ... on Project {
        listed: listedSpans(timeRange: $timeRange, filterCondition: $condition, text: $text) {
          progress { complete }
          facets {
            statuses { value count }
            kinds { value count }
            models(first: 10) { value count }
            names(first: 10) { value count }
            users(first: 8) { value count }
            latencies { minMs maxMs count }
          }
        }
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

type Answered<Document> = Extract<
  ResultOf<Document>["node" & keyof ResultOf<Document>],
  { readonly __typename: "Project" }
>;
export type ListedTraces = Answered<typeof tracesListed>["listed"];
export type TracesFacets = Answered<typeof tracesFacets>["listed"];
export type SpansFacets = Answered<typeof spansFacets>["listed"];
export type TraceRow = ResultOf<typeof traceRow>;
export type SpanListRow = ResultOf<typeof spanRow>;
export { spanRow, traceRow };
