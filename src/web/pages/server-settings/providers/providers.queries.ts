// Providers of models: built-in ones with what the server has for them, and custom ones, whose secrets are masks.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const builtInProviders = graphql(`
  query BuiltInProviders {
    modelProviders {
      key
      name
      credentialsSet
      credentialRequirements { envVarName isRequired source }
      baseUrl
      baseUrlProblem
      baseUrlEnvVarName
    }
  }
`);

export const customProviderList = graphql(`
  query CustomProviders($first: Int!, $after: String) {
    generativeModelCustomProviders(first: $first, after: $after) {
      edges {
        node {
          id
          name
          description
          provider
          sdk
          createdAt
          updatedAt
          promptCount
          promptNames
          user { id username }
          config {
            __typename
            ... on OpenAICustomProviderConfig {
              openaiAuthenticationMethod { apiKey }
              openaiClientKwargs { baseUrl organization project defaultHeaders }
              openaiApiType
            }
            ... on AzureOpenAICustomProviderConfig {
              azureOpenaiAuthenticationMethod {
                apiKey
                defaultCredentials
                azureAdTokenProvider { azureTenantId azureClientId azureClientSecret scope }
              }
              azureOpenaiClientKwargs { azureEndpoint defaultHeaders }
              openaiApiType
            }
            ... on AnthropicCustomProviderConfig {
              anthropicAuthenticationMethod { apiKey }
              anthropicClientKwargs { baseUrl defaultHeaders }
            }
            ... on AWSBedrockCustomProviderConfig {
              awsBedrockAuthenticationMethod {
                defaultCredentials
                accessKeys { awsAccessKeyId awsSecretAccessKey awsSessionToken }
              }
              awsBedrockClientKwargs { regionName endpointUrl }
            }
            ... on GoogleGenAICustomProviderConfig {
              googleGenaiAuthenticationMethod { apiKey }
              googleGenaiClientKwargs { httpOptions { baseUrl headers } }
            }
            ... on UnparsableConfig { parseError }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const endpointModels = graphql(`
  query EndpointModels($input: EndpointModelsInput!) {
    endpointModels(input: $input) { names error }
  }
`);

export const createProvider = graphql(`
  mutation CreateCustomProvider($input: CreateGenerativeModelCustomProviderMutationInput!) {
    createGenerativeModelCustomProvider(input: $input) { provider { id } }
  }
`);

export const patchProvider = graphql(`
  mutation PatchCustomProvider($input: PatchGenerativeModelCustomProviderMutationInput!) {
    patchGenerativeModelCustomProvider(input: $input) { provider { id } }
  }
`);

export const deleteProvider = graphql(`
  mutation DeleteCustomProvider($id: ID!) {
    deleteGenerativeModelCustomProvider(input: {id: $id}) { id }
  }
`);

export const testProvider = graphql(`
  mutation TestCustomProvider($input: GenerativeModelCustomerProviderConfigInput!, $providerId: ID) {
    testGenerativeModelCustomProviderCredentials(input: $input, providerId: $providerId) { error }
  }
`);

export type BuiltInProvider = ResultOf<typeof builtInProviders>["modelProviders"][number];
export type CustomProvider = ResultOf<
  typeof customProviderList
>["generativeModelCustomProviders"]["edges"][number]["node"];
