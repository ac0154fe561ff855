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
