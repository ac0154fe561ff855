// What the list of a dataset's experiments asks and changes.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const experimentList = graphql(`
  query Experiments($id: ID!, $first: Int!, $after: String, $filter: String) {
    node(id: $id) {
      ... on Dataset {
        id
        experiments(first: $first, after: $after, filterCondition: $filter) {
          edges {
            node {
              id name description sequenceNumber repetitions isBaseline createdAt projectName
              runCount expectedRunCount errorRate averageRunLatencyMs
              datasetVersion { id createdAt }
              datasetSplits { edges { node { id name } } }
              annotationSummaries { annotationName meanScore optimizationDirection }
              costSummary { total { tokens cost } }
              user { id username }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
    experimentMeasureDirections { measure optimizationDirection }
  }
`);

export function experimentsOf({ node }: ResultOf<typeof experimentList>) {
  return node !== null && "experiments" in node ? node.experiments : null;
}
export type MeasureDirections = ResultOf<typeof experimentList>["experimentMeasureDirections"];
export type ListedExperiment = NonNullable<ReturnType<typeof experimentsOf>>["edges"][number]["node"];

export const patchExperiment = graphql(`
  mutation PatchExperiment($id: ID!, $name: String!, $description: String) {
    patchExperiment(input: { experimentId: $id, name: $name, description: $description }) { __typename }
  }
`);

export const setBaseline = graphql(`
  mutation SetExperimentBaseline($id: ID!, $baseline: Boolean!) {
    setExperimentBaseline(experimentId: $id, baseline: $baseline) { __typename }
  }
`);
