// What the playground asks: who can be called, and what it begins with.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const playgroundProviders = graphql(`
  query PlaygroundProviders {
    modelProviders { key name credentialsSet baseUrl credentialRequirements { envVarName } }
    generativeModelCustomProviders(first: 200) { edges { node { id name sdk modelNames } } }
    playgroundModels { name providerKey }
  }
`);
export type ProvidersAnswer = ResultOf<typeof playgroundProviders>;

export const modelsOfEndpoint = graphql(`
  query ModelsOfEndpoint($input: EndpointModelsInput!) {
    endpointModels(input: $input) { names error }
  }
`);

/** Where a version belongs; its content comes over REST. */
export const versionPlace = graphql(`
  query PlaygroundVersion($id: ID!) {
    node(id: $id) {
      __typename
      ... on PromptVersion { id sequenceNumber prompt { id name } customProvider { id } }
    }
  }
`);

export const spanByKey = graphql(`
  query PlaygroundSpan($id: String!) {
    getSpanByOtelId(spanId: $id) { id trace { traceId } project { id } }
  }
`);

export const budgetLeft = graphql(`
  query PlaygroundBudgetLeft {
    budgetLeft { cost { left period } tokens { left period } }
  }
`);

/** Prompts that a version can be added to. */
export const promptNames = graphql(`
  query PlaygroundPrompts {
    prompts(first: 200) { edges { node { id name } } }
  }
`);

/** Datasets that can be run over. */
export const datasetNames = graphql(`
  query PlaygroundDatasets {
    datasets(first: 200) { edges { node { id name exampleCount } } }
  }
`);

export const datasetParts = graphql(`
  query PlaygroundDataset($id: ID!) {
    node(id: $id) {
      __typename
      ... on Dataset {
        id name
        splits { id name }
        versions(first: 50) { edges { node { id createdAt exampleCount description } } }
        datasetEvaluators(first: 50) { edges { node { id name } } }
      }
    }
  }
`);

/** What the tools of a trace answered, in the order in which they were called. */
export const toolSpans = graphql(`
  query PlaygroundToolSpans($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span {
        id
        trace {
          id
          spans(first: 100, filterCondition: "span_kind == 'TOOL'") {
            edges { node { id name output { value } } }
          }
        }
      }
    }
  }
`);
