// What the pages of prompts ask and change. What a version says comes over REST (version-content.ts), in the words that clients send.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const labelList = graphql(`
  query PromptLabels {
    promptLabels(first: 1000) { edges { node { id name color } } }
  }
`);

export const promptById = graphql(`
  query PromptById($id: ID!) {
    node(id: $id) {
      ... on Prompt {
        id name description metadata createdAt
        labels { id name color }
        sourcePrompt { id name }
      }
    }
  }
`);
export type ShownPrompt = NonNullable<ReturnType<typeof promptOf>>;

/** Null for what is no prompt. */
export function promptOf(answer: ResultOf<typeof promptById>) {
  return answer.node !== null && "name" in answer.node ? answer.node : null;
}

export const versionList = graphql(`
  query PromptVersions($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      ... on Prompt {
        id
        promptVersions(first: $first, after: $after) {
          edges {
            node { id sequenceNumber description createdAt user { username } tags { id name description } }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export function versionsOf(answer: ResultOf<typeof versionList>) {
  return answer.node !== null && "promptVersions" in answer.node ? answer.node.promptVersions : null;
}
export type ListedVersion = NonNullable<ReturnType<typeof versionsOf>>["edges"][number]["node"];

export const tagHistory = graphql(`
  query PromptTagHistory($id: ID!) {
    node(id: $id) {
      ... on Prompt {
        id
        tagMoves { name movedAt user { username } version { id sequenceNumber } }
      }
    }
  }
`);

export function tagMovesOf(answer: ResultOf<typeof tagHistory>) {
  return answer.node !== null && "tagMoves" in answer.node ? answer.node.tagMoves : [];
}

export const patchPrompt = graphql(`
  mutation PatchPrompt($id: ID!, $description: String) {
    patchPrompt(input: { promptId: $id, description: $description }) { id }
  }
`);

export const clonePrompt = graphql(`
  mutation ClonePrompt($id: ID!, $name: Identifier!) {
    clonePrompt(input: { promptId: $id, name: $name }) { id }
  }
`);

export const deletePrompt = graphql(`
  mutation DeletePrompt($id: ID!) {
    deletePrompt(input: { promptId: $id }) { __typename }
  }
`);

export const setTag = graphql(`
  mutation SetPromptVersionTag($versionId: ID!, $name: Identifier!, $description: String) {
    setPromptVersionTag(input: { promptVersionId: $versionId, name: $name, description: $description }) { __typename }
  }
`);

export const removeTag = graphql(`
  mutation DeletePromptVersionTag($id: ID!) {
    deletePromptVersionTag(input: { promptVersionTagId: $id }) { __typename }
  }
`);

export const createLabel = graphql(`
  mutation CreatePromptLabel($name: String!, $color: String!) {
    createPromptLabel(input: { name: $name, color: $color }) { promptLabels { id } }
  }
`);

export const setLabels = graphql(`
  mutation SetPromptLabels($id: ID!, $labelIds: [ID!]!) {
    setPromptLabels(input: { promptId: $id, promptLabelIds: $labelIds }) { __typename }
  }
`);
