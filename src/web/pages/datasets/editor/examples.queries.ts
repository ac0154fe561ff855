// Changes of examples; each makes a version.
import { graphql } from "../../../lib/graphql.ts";

export const addExample = graphql(`
  mutation AddExample($input: AddExamplesToDatasetInput!) {
    addExamplesToDataset(input: $input) { __typename }
  }
`);
