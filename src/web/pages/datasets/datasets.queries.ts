// What the pages of datasets ask and change.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const datasetList = graphql(`
  query Datasets($first: Int!, $after: String, $filter: DatasetFilter, $sort: DatasetSort) {
    datasets(first: $first, after: $after, filter: $filter, sort: $sort) {
      edges {
        node {
          id name description createdAt updatedAt exampleCount
          labels { id name }
          updatedBy { username }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
export type ListedDataset = ResultOf<typeof datasetList>["datasets"]["edges"][number]["node"];

export const labelList = graphql(`
  query DatasetLabels {
    datasetLabels(first: 1000) { edges { node { id name } } }
  }
`);

export const datasetById = graphql(`
  query DatasetById($id: ID!) {
    node(id: $id) {
      ... on Dataset {
        id name description exampleCount
        labels { id name }
        splits { id name }
      }
    }
  }
`);
export type ShownDataset = NonNullable<ReturnType<typeof datasetOf>>;

/** Null for what is no dataset. */
export function datasetOf({ node }: ResultOf<typeof datasetById>) {
  return node !== null && "exampleCount" in node ? node : null;
}

export const versionList = graphql(`
  query DatasetVersions($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      ... on Dataset {
        id
        versions(first: $first, after: $after) {
          edges {
            node {
              id description createdAt exampleCount createdCount updatedCount deletedCount
              createdBy { username }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export function versionsOf({ node }: ResultOf<typeof versionList>) {
  return node !== null && "versions" in node ? node.versions : null;
}
export type ListedVersion = NonNullable<ReturnType<typeof versionsOf>>["edges"][number]["node"];

export const exampleFields = graphql(`
  fragment ExampleFields on DatasetExample {
    id externalId createdAt
    datasetSplits { id name }
    span { id trace { id traceId } project { id } }
    revision(datasetVersionId: $versionId) { input output metadata }
  }
`);

export type ListedExample = ResultOf<typeof exampleFields>;

export const exampleList = graphql(
  `
  query DatasetExamples($id: ID!, $first: Int!, $after: String, $versionId: ID, $splitIds: [ID!], $filter: String) {
    node(id: $id) {
      ... on Dataset {
        id
        exampleCount(datasetVersionId: $versionId, splitIds: $splitIds)
        examples(first: $first, after: $after, datasetVersionId: $versionId, splitIds: $splitIds, filter: $filter) {
          edges { node { ...ExampleFields } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`,
  [exampleFields],
);

export function examplesOf({ node }: ResultOf<typeof exampleList>) {
  return node !== null && "examples" in node ? node.examples : null;
}

export const exampleById = graphql(
  `
  query DatasetExampleById($id: ID!, $versionId: ID) {
    node(id: $id) { __typename ... on DatasetExample { ...ExampleFields } }
  }
`,
  [exampleFields],
);

export const createDataset = graphql(`
  mutation CreateDataset($input: CreateDatasetInput!) {
    createDataset(input: $input) { dataset { id name } }
  }
`);

export const patchDataset = graphql(`
  mutation PatchDataset($id: ID!, $name: String!, $description: String) {
    patchDataset(input: { datasetId: $id, name: $name, description: $description }) { __typename }
  }
`);

export const deleteDataset = graphql(`
  mutation DeleteDataset($id: ID!) {
    deleteDataset(input: { datasetId: $id }) { __typename }
  }
`);

export const createLabel = graphql(`
  mutation CreateDatasetLabel($name: String!, $color: String!) {
    createDatasetLabel(input: { name: $name, color: $color }) { datasetLabel { id } }
  }
`);

export const setLabels = graphql(`
  mutation SetDatasetLabels($id: ID!, $labelIds: [ID!]!) {
    setDatasetLabels(input: { datasetId: $id, datasetLabelIds: $labelIds }) { __typename }
  }
`);
