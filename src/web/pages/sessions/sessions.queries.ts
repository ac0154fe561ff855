// Pages of sessions, their figures and facets; one session, its turns, and what a turn says, several turns at a time.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const sessionRow = graphql(`
  fragment ListedSession on ProjectSession {
    id sessionId startTime endTime numTraces numTracesWithError userId
    tokenUsage { total } costTotal
    firstInput { truncatedValue } firstInputSaid lastOutput { truncatedValue } lastOutputSaid
    verdicts: sessionAnnotationSummaries(filter: { include: { names: $judged } }) @include(if: $anyJudged) { name labels meanScore }
  }
`);

export const sessionList = graphql(
  `
  query SessionList($id: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $sort: ProjectSessionSort, $condition: String, $judged: [String!]!, $anyJudged: Boolean!) {
    node(id: $id) {
      __typename
      ... on Project {
        list: sessions(first: $first, after: $after, timeRange: $timeRange, sort: $sort, sessionFilterCondition: $condition) {
          edges { node { ...ListedSession } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`,
  [sessionRow],
);

export const sessionFigures = graphql(`
  query SessionFigures($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        sessionFacets(timeRange: $timeRange, sessionFilterCondition: $condition) { count errorCount }
        averageTracesPerSession(timeRange: $timeRange, sessionFilterCondition: $condition)
        p50: sessionDurationMsQuantile(probability: 0.5, timeRange: $timeRange, sessionFilterCondition: $condition)
      }
    }
  }
`);

/** By itself: it may take longer than the other figures. */
export const sessionsCost = graphql(`
  query SessionsCost($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        costSummary(timeRange: $timeRange, sessionFilterCondition: $condition) { total { cost } }
      }
    }
  }
`);

export const sessionFacets = graphql(`
  query SessionFacets($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        sessionFacets(timeRange: $timeRange, sessionFilterCondition: $condition) {
          count errorCount
          turns { min max count }
          durations { min max count }
        }
      }
    }
  }
`);

/** Traces over time, not sessions: a session has no one time. */
export const sessionTraffic = graphql(`
  query SessionTraffic($id: ID!, $period: TimeRange!, $bins: TimeBinConfig!, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        sessionTurnTimeSeries(timeRange: $period, timeBinConfig: $bins, sessionFilterCondition: $condition) {
          data { timestamp totalCount errorCount }
        }
      }
    }
  }
`);

export const anySession = graphql(`
  query AnySession($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { sessions(first: 1) { edges { node { id } } } }
    }
  }
`);

export const sessionVocabulary = graphql(`
  query SessionVocabulary($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { vocabulary: sessionFilterVocabulary { name type description category iterableName values } }
    }
  }
`);

export const checkSessions = graphql(`
  query CheckSessionCondition($id: ID!, $condition: String!) {
    node(id: $id) {
      __typename
      ... on Project {
        validation: validateSessionFilterCondition(condition: $condition) { isValid errorMessage errorStart errorEnd }
      }
    }
  }
`);

export const sessionHead = graphql(`
  query SessionHead($project: ID!, $session: ID!) {
    node(id: $project) {
      __typename
      ... on Project {
        id
        session(sessionId: $session) {
          id sessionId startTime endTime numTraces numTracesWithError userId
          tokenUsage { total } costTotal costOrigins { unknown }
          traceLatencyMsQuantile(probability: 0.5)
        }
      }
    }
  }
`);

/** The turns with the beginning of what was asked. */
export const sessionTurns = graphql(`
  query SessionTurns($session: ID!, $first: Int!, $after: String) {
    node(id: $session) {
      __typename
      ... on ProjectSession {
        id
        traces(first: $first, after: $after) {
          edges {
            cursor
            node {
              id traceId projectId startTime latencyMs numSpans errorCount tokenCountTotal costTotal
              rootSpan { id input { truncatedValue } }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

/** The contents of consecutive turns: the payload of each root span, and its key spans. */
export const turnContents = graphql(`
  query TurnContents($session: ID!, $first: Int!, $after: String, $spans: Int!) {
    node(id: $session) {
      __typename
      ... on ProjectSession {
        id
        traces(first: $first, after: $after) {
          edges {
            node {
              id
              errorsByType { exceptionType count }
              spans(first: 1, rootSpansOnly: true) {
                edges { node { id name parentId spanKind statusCode errorHead payload { attributes cut { path bytes items } } } }
              }
              keySpans: keySteps(first: $spans) {
                count
                spans {
                  id name spanKind statusCode errorHead latencyMs modelName
                  input { truncatedValue } output { truncatedValue }
                }
              }
            }
          }
        }
      }
    }
  }
`);

/** Which traces of a condition hold a text, in any of their spans. */
export const turnHits = graphql(`
  query TurnHits($project: ID!, $first: Int!, $after: String, $timeRange: TimeRange, $text: String!, $condition: String!) {
    node(id: $project) {
      __typename
      ... on Project {
        id
        searchTraces(first: $first, after: $after, timeRange: $timeRange, text: $text, filterCondition: $condition) {
          edges { node { id } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

type Answered<Document, Type extends string> = Extract<
  ResultOf<Document>["node" & keyof ResultOf<Document>],
  { readonly __typename: Type }
>;
export type SessionRow = ResultOf<typeof sessionRow>;
export type SessionFiguresAnswer = Answered<typeof sessionFigures, "Project">;
export type SessionFacetAnswer = NonNullable<Answered<typeof sessionFacets, "Project">["sessionFacets"]>;
export type SessionHead = NonNullable<Answered<typeof sessionHead, "Project">["session"]>;
export type TurnEdge = Answered<typeof sessionTurns, "ProjectSession">["traces"]["edges"][number];
export type TurnAnswer = Answered<typeof turnContents, "ProjectSession">["traces"]["edges"][number]["node"];
