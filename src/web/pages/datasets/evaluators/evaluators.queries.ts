// What the evaluators of a dataset ask and change.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const evaluatorList = graphql(`
  query DatasetEvaluators($id: ID!, $first: Int!, $after: String, $filter: DatasetEvaluatorFilter) {
    node(id: $id) {
      ... on Dataset {
        id
        datasetEvaluators(first: $first, after: $after, filter: $filter) {
          edges {
            node {
              id name description updatedAt
              inputMapping { literalMapping pathMapping }
              outputConfigs {
                __typename
                ... on CategoricalAnnotationConfig { name description direction: optimizationDirection values { label score } }
                ... on ContinuousAnnotationConfig { name description direction: optimizationDirection lowerBound upperBound }
                ... on FreeformAnnotationConfig { name description }
              }
              user { username }
              evaluator {
                __typename id name kind description
                ... on LLMEvaluator {
                  prompt { id name }
                  promptVersion { id modelName customProvider { id name } }
                  usedBy: datasetEvaluators { id }
                }
              }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export function evaluatorsOf({ node }: ResultOf<typeof evaluatorList>) {
  return node !== null && "datasetEvaluators" in node ? node.datasetEvaluators : null;
}
export type ListedEvaluator = NonNullable<ReturnType<typeof evaluatorsOf>>["edges"][number]["node"];
export type StoredOutput = ListedEvaluator["outputConfigs"][number];

/** What an evaluator is begun from. */
export const evaluatorKinds = graphql(`
  query EvaluatorKinds {
    builtInEvaluators {
      id name description inputSchema
      outputConfigs {
        __typename
        ... on CategoricalAnnotationConfig { name description direction: optimizationDirection values { label score } }
        ... on ContinuousAnnotationConfig { name description direction: optimizationDirection lowerBound upperBound }
        ... on FreeformAnnotationConfig { name description }
      }
    }
    classificationEvaluatorConfigs {
      name description optimizationDirection choices
      messages { content { ... on TextContentPart { text { text } } } }
    }
  }
`);
export type EvaluatorKinds = ResultOf<typeof evaluatorKinds>;
export type BuiltInKind = EvaluatorKinds["builtInEvaluators"][number];
export type ReadyJudge = EvaluatorKinds["classificationEvaluatorConfigs"][number];

export const customProviderNames = graphql(`
  query CustomProviderNames {
    generativeModelCustomProviders(first: 200) { edges { node { id name sdk modelNames } } }
  }
`);
export type NamedProvider = ResultOf<
  typeof customProviderNames
>["generativeModelCustomProviders"]["edges"][number]["node"];

export const triedExamples = graphql(`
  query TriedExamples($id: ID!) {
    node(id: $id) {
      ... on Dataset {
        id
        examples(first: 20) { edges { node { id revision { input output metadata } } } }
      }
    }
  }
`);

export function triedExamplesOf({ node }: ResultOf<typeof triedExamples>) {
  return node !== null && "examples" in node ? node.examples : null;
}
export type TriedExample = NonNullable<ReturnType<typeof triedExamplesOf>>["edges"][number]["node"];

export const createBuiltIn = graphql(`
  mutation CreateBuiltInEvaluator($input: CreateDatasetBuiltinEvaluatorInput!) {
    createDatasetBuiltinEvaluator(input: $input) { evaluator { id } }
  }
`);

export const updateBuiltIn = graphql(`
  mutation UpdateBuiltInEvaluator($input: UpdateDatasetBuiltinEvaluatorInput!) {
    updateDatasetBuiltinEvaluator(input: $input) { evaluator { id } }
  }
`);

export const createLlm = graphql(`
  mutation CreateLlmEvaluator($input: CreateDatasetLLMEvaluatorInput!) {
    createDatasetLlmEvaluator(input: $input) { evaluator { id } }
  }
`);

export const updateLlm = graphql(`
  mutation UpdateLlmEvaluator($input: UpdateDatasetLLMEvaluatorInput!) {
    updateDatasetLlmEvaluator(input: $input) { evaluator { id } }
  }
`);

export const deleteEvaluator = graphql(`
  mutation DeleteDatasetEvaluator($id: ID!, $deletePrompt: Boolean!) {
    deleteDatasetEvaluators(input: { datasetEvaluatorIds: [$id], deleteAssociatedPrompt: $deletePrompt }) {
      datasetEvaluatorIds
    }
  }
`);

export const tryEvaluator = graphql(`
  mutation TryEvaluator($input: EvaluatorPreviewsInput!) {
    evaluatorPreviews(input: $input) {
      results { evaluatorName error annotation { id name label score explanation } }
    }
  }
`);
export type TriedResult = ResultOf<typeof tryEvaluator>["evaluatorPreviews"]["results"][number];
