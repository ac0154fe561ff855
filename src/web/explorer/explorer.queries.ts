// What lists of a project ask beside their rows: the project, and figures of its traces.
import { graphql, type ResultOf } from "../lib/graphql.ts";

export const projectHead = graphql(`
  query ProjectHead($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project {
        id name startTime endTime hasTraces
        startView { id tab query }
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
          count errorCount latencyMsP50 latencyMsP99 tokenCountTotal costTotal
        }
      }
    }
  }
`);

export type TraceFigures = NonNullable<
  ReturnType<typeof projectOf<ResultOf<typeof traceFigures>["node"]>>
>["traceFigures"];

/** The part of an answer about a project. For a malformed id the request fails instead. */
export function projectOf<Node extends { readonly __typename: string }>(
  answer: { readonly node: Node } | undefined,
): Extract<Node, { readonly __typename: "Project" }> | undefined {
  return answer?.node.__typename === "Project"
    ? (answer.node as Extract<Node, { readonly __typename: "Project" }>)
    : undefined;
}
