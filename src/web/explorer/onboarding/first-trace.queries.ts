// The first trace of a project, and its spans as far as a small picture of them needs.
import { graphql } from "../../lib/graphql.ts";

export const newestTrace = graphql(`
  query NewestTrace($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project {
        traces(first: 1, sort: { col: startTime, dir: desc }) { edges { node { id traceId } } }
      }
    }
  }
`);

export const firstSpans = graphql(`
  query FirstSpans($trace: ID!, $first: Int!) {
    node(id: $trace) {
      __typename
      ... on Trace {
        id traceId latencyMs numSpans
        spans(first: $first) {
          edges { node { id spanId parentId name spanKind startTime latencyMs } }
        }
      }
    }
  }
`);
