// The list of prompts, and a call of a model that one is begun from.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const promptList = graphql(`
  query Prompts($first: Int!, $after: String, $filter: PromptFilter, $labelIds: [ID!]) {
    prompts(first: $first, after: $after, filter: $filter, labelIds: $labelIds) {
      edges {
        node {
          id name description updatedAt
          labels { id name color }
          updatedBy { username }
          versionTags { id name promptVersionId }
          version { id sequenceNumber modelName }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
export type ListedPrompt = ResultOf<typeof promptList>["prompts"]["edges"][number]["node"];

/** A call of a model that a prompt is begun from. */
export const calledSpan = graphql(`
  query CalledSpan($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span { id payload { attributes events cut { path bytes items } } }
    }
  }
`);

/** With a custom provider, which REST does not name. */
export const createPromptFor = graphql(`
  mutation CreatePromptForProvider($input: CreateChatPromptInput!) {
    createChatPrompt(input: $input) { id version { id } }
  }
`);

export const addVersionFor = graphql(`
  mutation AddVersionForProvider($input: CreateChatPromptVersionInput!) {
    createChatPromptVersion(input: $input) { id version { id } }
  }
`);
