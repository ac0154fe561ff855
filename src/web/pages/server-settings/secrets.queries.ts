// Secrets: names, who stored them and when. No answer holds a value.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const secretList = graphql(`
  query Secrets($first: Int!, $after: String) {
    secrets(first: $first, after: $after) {
      edges {
        node {
          id
          key
          updatedAt
          user { id username }
          value {
            __typename
            ... on DecryptedSecret { value }
            ... on UnparsableSecret { parseError }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const changeSecrets = graphql(`
  mutation ChangeSecrets($input: UpsertOrDeleteSecretsMutationInput!) {
    upsertOrDeleteSecrets(input: $input) { deletedIds }
  }
`);

export type ListedSecret = ResultOf<typeof secretList>["secrets"]["edges"][number]["node"];
