// The failure groups of a project, and what people decide about them.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const failureGroups = graphql(`
  query FailureGroups(
    $id: ID!
    $states: [FailureGroupState!]
    $first: Int!
    $after: String
    $trendRange: TimeRange!
  ) {
    node(id: $id) {
      __typename
      ... on Project {
        id
        failureGroups(first: $first, after: $after, states: $states) {
          edges {
            node {
              id kind type message httpStatus code toolName spanName
              state resolvedVersion reopenedVersion isNew lastSeenAt
              spanCount traceCount userCount
              versions { version }
              trend(timeRange: $trendRange, unit: DAY) { timestamp spanCount }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export const failureGroupCounts = graphql(`
  query FailureGroupCounts($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project {
        id
        failureGroupCounts { open new reopened resolved ignored }
      }
    }
  }
`);

export const failureGroup = graphql(`
  query FailureGroup($id: ID!, $trendRange: TimeRange!) {
    node(id: $id) {
      __typename
      ... on FailureGroup {
        id key kind type message httpStatus code toolName spanName frames
        state resolvedVersion reopenedVersion isNew firstSeenAt lastSeenAt
        spanCount traceCount userCount
        versions { version environment spanCount firstSeenAt }
        trend(timeRange: $trendRange, unit: DAY) { timestamp spanCount }
        examples: spans(first: 3) {
          edges {
            node {
              id name statusMessage startTime latencyMs inputSaid outputSaid
              trace { id traceId }
            }
          }
        }
      }
    }
  }
`);

export const changeFailureGroup = graphql(`
  mutation ChangeFailureGroup($input: PatchFailureGroupInput!) {
    patchFailureGroup(input: $input) { failureGroup { id state } }
  }
`);

export const joinFailureGroups = graphql(`
  mutation MergeFailureGroups($input: MergeFailureGroupsInput!) {
    mergeFailureGroups(input: $input) { failureGroup { id } }
  }
`);

type Listed = Extract<ResultOf<typeof failureGroups>["node"], { readonly __typename: "Project" }>;
export type ListedGroup = Listed["failureGroups"]["edges"][number]["node"];
export type OpenGroup = Extract<ResultOf<typeof failureGroup>["node"], { readonly __typename: "FailureGroup" }>;
