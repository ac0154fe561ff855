// Annotation configurations, and which projects have them.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const configList = graphql(`
  query AnnotationConfigs($first: Int!, $after: String) {
    annotationConfigs(first: $first, after: $after) {
      edges {
        node {
          __typename
          ... on AnnotationConfigBase { name description annotationType }
          ... on CategoricalAnnotationConfig { id optimizationDirection values { label score } }
          ... on ContinuousAnnotationConfig { id optimizationDirection lowerBound upperBound }
          ... on FreeformAnnotationConfig { id optimizationDirection threshold lowerBound upperBound }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedConfig = ResultOf<typeof configList>["annotationConfigs"]["edges"][number]["node"];
