// Models and their prices, and what changes people's own.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const modelList = graphql(`
  query Models($first: Int!, $after: String) {
    generativeModels(first: $first, after: $after) {
      edges {
        node {
          id name provider namePattern kind startTime updatedAt lastUsedAt priceSource
          tokenPrices {
            tokenType kind costPerMillionTokens
            tiers { abovePromptTokens costPerMillionTokens }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const createModel = graphql(`
  mutation CreateModel($input: CreateModelMutationInput!) {
    createModel(input: $input) { model { id name } }
  }
`);

export const updateModel = graphql(`
  mutation UpdateModel($input: UpdateModelMutationInput!) {
    updateModel(input: $input) { model { id name } }
  }
`);

export const deleteModel = graphql(`
  mutation DeleteModel($id: ID!) {
    deleteModel(input: { id: $id }) { model { id } }
  }
`);

export const recomputationNow = graphql(`
  query RecomputationNow {
    costRecomputation { status progress updatedAt examinedSpans changedSpans oldCost newCost failure failedSpans }
  }
`);

export const pricedProjects = graphql(`
  query ProjectsToPrice {
    projects(first: 1000, sort: { col: name, dir: asc }) { edges { node { id name } } }
  }
`);

export const startRecomputation = graphql(`
  mutation StartRecomputation($input: StartCostRecomputationInput!) {
    startCostRecomputation(input: $input) { recomputation { status } }
  }
`);

export const cancelRecomputation = graphql(`
  mutation CancelRecomputation {
    cancelCostRecomputation { recomputation { status } }
  }
`);

export type ListedModel = ResultOf<typeof modelList>["generativeModels"]["edges"][number]["node"];
