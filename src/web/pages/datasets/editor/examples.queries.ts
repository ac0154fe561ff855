// Changes of examples; each makes a version.
import { graphql } from "../../../lib/graphql.ts";

export const addExample = graphql(`
  mutation AddExample($input: AddExamplesToDatasetInput!) {
    addExamplesToDataset(input: $input) { __typename }
  }
`);

export const patchExamples = graphql(`
  mutation PatchExamples($input: PatchDatasetExamplesInput!) {
    patchDatasetExamples(input: $input) { __typename }
  }
`);

export const exampleToEdit = graphql(`
  query ExampleToEdit($id: ID!) {
    node(id: $id) { __typename ... on DatasetExample { id revision { input output metadata } } }
  }
`);

export const deleteExamples = graphql(`
  mutation DeleteExamples($input: DeleteDatasetExamplesInput!) {
    deleteDatasetExamples(input: $input) { __typename }
  }
`);

export const allSplits = graphql(`
  query AllSplits {
    datasetSplits(first: 1000) { edges { node { id name } } }
  }
`);

export const createSplit = graphql(`
  mutation CreateSplit($name: String!, $color: String!) {
    createDatasetSplit(input: { name: $name, color: $color }) { datasetSplit { id } }
  }
`);

export const setSplits = graphql(`
  mutation SetSplits($exampleIds: [ID!]!, $splitIds: [ID!]!) {
    setDatasetExamplesSplits(input: { exampleIds: $exampleIds, datasetSplitIds: $splitIds }) { __typename }
  }
`);
