// What the versions of a dataset ask: how two of them differ.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const differenceCounts = graphql(`
  query DatasetDifferenceCounts($id: ID!, $from: ID!, $to: ID!) {
    node(id: $id) {
      ... on Dataset {
        versionDifference(fromVersionId: $from, toVersionId: $to) { counts { added changed removed } }
      }
    }
  }
`);

/** Null for what is no dataset. */
export function countsOf({ node }: ResultOf<typeof differenceCounts>) {
  return node !== null && "versionDifference" in node ? node.versionDifference.counts : null;
}

/** Of one kind: added examples have no content before, and removed ones none after. */
export const differingExamples = graphql(`
  query DifferingExamples(
    $id: ID!, $from: ID!, $to: ID!, $first: Int!, $after: String
    $kinds: [DatasetDifferenceKind!]!, $withBefore: Boolean!, $withAfter: Boolean!
  ) {
    node(id: $id) {
      ... on Dataset {
        versionDifference(fromVersionId: $from, toVersionId: $to) {
          examples(first: $first, after: $after, kinds: $kinds) {
            edges {
              node {
                example {
                  id externalId
                  before: revision(datasetVersionId: $from) @include(if: $withBefore) { input output metadata }
                  after: revision(datasetVersionId: $to) @include(if: $withAfter) { input output metadata }
                }
              }
            }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    }
  }
`);

export function differingOf({ node }: ResultOf<typeof differingExamples>) {
  return node !== null && "versionDifference" in node ? node.versionDifference.examples : null;
}
export type DifferingExample = NonNullable<ReturnType<typeof differingOf>>["edges"][number]["node"];
