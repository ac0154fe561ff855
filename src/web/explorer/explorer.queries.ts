// What every list of a project asks beside its rows: the project, the strip of its traffic, facets, words of the filter language.
import { graphql, type ResultOf } from "../lib/graphql.ts";

export const projectHead = graphql(`
  query ProjectHead($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { id name startTime endTime hasTraces }
    }
  }
`);

export const projectTraffic = graphql(`
  query ProjectTraffic($id: ID!, $timeRange: TimeRange!, $bins: TimeBinConfig!) {
    node(id: $id) {
      __typename
      ... on Project {
        traceCountByStatusTimeSeries(timeRange: $timeRange, timeBinConfig: $bins) {
          data { timestamp totalCount errorCount }
        }
      }
    }
  }
`);

export const traceFigures = graphql(`
  query TraceFigures($id: ID!, $timeRange: TimeRange, $condition: String) {
    node(id: $id) {
      __typename
      ... on Project {
        traceFigures(timeRange: $timeRange, filterCondition: $condition) {
          count errorCount latencyMsP50 latencyMsP99 tokenCountTotal
        }
      }
    }
  }
`);

export const projectFacets = graphql(`
  query ProjectFacets($id: ID!, $timeRange: TimeRange) {
    node(id: $id) {
      __typename
      ... on Project {
        spanFacets(timeRange: $timeRange) {
          statuses { value count }
          kinds { value count }
          models(first: 10) { value count }
          names(first: 10) { value count }
          errorTypes(first: 8) { value count }
          users(first: 8) { value count }
          latencies { minMs maxMs count }
        }
      }
    }
  }
`);

export type FacetAnswer = Extract<
  ResultOf<typeof projectFacets>["node"],
  { readonly __typename: "Project" }
>["spanFacets"];
export type TrafficBin = Extract<
  ResultOf<typeof projectTraffic>["node"],
  { readonly __typename: "Project" }
>["traceCountByStatusTimeSeries"]["data"][number];

/** The part of an answer about a project. For a malformed id the request fails instead. */
export function projectOf<Node extends { readonly __typename: string }>(
  answer: { readonly node: Node } | undefined,
): Extract<Node, { readonly __typename: "Project" }> | undefined {
  return answer?.node.__typename === "Project"
    ? (answer.node as Extract<Node, { readonly __typename: "Project" }>)
    : undefined;
}
