// What the comparison of experiments asks.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const comparedDataset = graphql(`
  query ComparedDataset($id: ID!, $ids: [ID!]!) {
    node(id: $id) {
      ... on Dataset {
        id name
        experiments(first: 100, filterIds: $ids) {
          edges {
            node {
              id name sequenceNumber repetitions isBaseline runCount expectedRunCount
              errorRate averageRunLatencyMs
              datasetVersion { id }
              annotationSummaries { annotationName meanScore optimizationDirection }
              costSummary { total { tokens cost } }
            }
          }
        }
      }
    }
    experimentMeasureDirections { measure optimizationDirection }
  }
`);

/** Null for what is no dataset. */
export function comparedOf({ node }: ResultOf<typeof comparedDataset>) {
  return node !== null && "experiments" in node ? node : null;
}
export type ListedCompared = NonNullable<ReturnType<typeof comparedOf>>["experiments"]["edges"][number]["node"];

/** For everybody. */
export const setDirection = graphql(`
  mutation SetMeasureDirection($input: SetExperimentMeasureDirectionInput!) {
    setExperimentMeasureDirection(input: $input) { optimizationDirection }
  }
`);

/** The choices of what else to compare. */
export const comparableExperiments = graphql(`
  query ComparableExperiments($id: ID!) {
    node(id: $id) {
      ... on Dataset {
        id
        experiments(first: 200) { edges { node { id name sequenceNumber } } }
      }
    }
  }
`);

export const groupFields = graphql(`
  fragment ComparedGroupFields on ExperimentRepeatedRunGroup {
    experimentId averageLatencyMs
    annotationSummaries { annotationName meanScore }
    costSummary { total { tokens cost } }
    runs {
      id repetitionNumber output error latencyMs traceId
      trace { id traceId project { id } }
      costSummary { total { tokens cost } }
      annotations(first: 100) {
        edges { node { id name annotatorKind label score explanation error endTime } }
      }
    }
  }
`);
export type ComparedGroup = ResultOf<typeof groupFields>;
export type ComparedRun = ComparedGroup["runs"][number];

export const comparedRows = graphql(
  `
  query ComparedRows(
    $baseId: ID!, $otherIds: [ID!]!, $condition: String, $versionId: ID, $first: Int!, $after: String
  ) {
    compareExperiments(
      baseExperimentId: $baseId, compareExperimentIds: $otherIds, filterCondition: $condition, first: $first, after: $after
    ) {
      edges {
        node {
          example { id externalId revision(datasetVersionId: $versionId) { input output metadata } }
          repeatedRunGroups { ...ComparedGroupFields }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [groupFields],
);

/** The same of named examples, in whatever order. */
export const namedRows = graphql(
  `
  query NamedComparedRows($id: ID!, $exampleIds: [ID!]!, $experimentIds: [ID!]!, $versionId: ID, $first: Int!) {
    node(id: $id) {
      ... on Dataset {
        id
        examples(first: $first, filterIds: $exampleIds, datasetVersionId: $versionId) {
          edges {
            node {
              id externalId revision(datasetVersionId: $versionId) { input output metadata }
              experimentRepeatedRunGroups(experimentIds: $experimentIds) { ...ComparedGroupFields }
            }
          }
        }
      }
    }
  }
`,
  [groupFields],
);

/** The figures of every example, without texts. */
export const comparedFigures = graphql(`
  query ComparedFigures($baseId: ID!, $otherIds: [ID!]!, $condition: String, $first: Int!, $after: String) {
    compareExperiments(
      baseExperimentId: $baseId, compareExperimentIds: $otherIds, filterCondition: $condition, first: $first, after: $after
    ) {
      edges {
        node {
          example { id }
          repeatedRunGroups {
            averageLatencyMs
            annotationSummaries { annotationName meanScore }
            costSummary { total { tokens cost } }
            runs { id error }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** Of all examples, whatever is filtered. */
export const scoreDifferences = graphql(`
  query ScoreDifferences($baseId: ID!, $otherIds: [ID!]!, $threshold: Float!) {
    experimentScoreDifferences(baseExperimentId: $baseId, compareExperimentIds: $otherIds, threshold: $threshold) {
      experimentId annotationName exampleCount meanDifference intervalLow intervalHigh
    }
  }
`);
export type ScoreDifference = ResultOf<typeof scoreDifferences>["experimentScoreDifferences"][number];

export const runVocabulary = graphql(`
  query RunVocabulary($ids: [ID!]!) {
    experimentRunFilterVocabulary(experimentIds: $ids) { name type description category iterableName values }
  }
`);

export const checkRuns = graphql(`
  query CheckRunCondition($ids: [ID!]!, $condition: String!) {
    validation: validateExperimentRunFilterCondition(condition: $condition, experimentIds: $ids) {
      isValid errorMessage errorStart errorEnd
    }
  }
`);

export const reviewedRun = graphql(`
  query ReviewedRun($id: ID!) {
    node(id: $id) {
      __typename
      ... on ExperimentRun {
        id
        annotations(first: 100) {
          edges { node { id name annotatorKind label score explanation error endTime } }
        }
      }
    }
  }
`);
