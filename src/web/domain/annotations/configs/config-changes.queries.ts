// What changes annotation configurations, and which projects offer them.
import { graphql } from "../../../lib/graphql.ts";

export const createConfig = graphql(`
  mutation CreateAnnotationConfig($config: AnnotationConfigInput!) {
    createAnnotationConfig(input: { annotationConfig: $config }) {
      annotationConfig {
        __typename
        ... on CategoricalAnnotationConfig { id }
        ... on ContinuousAnnotationConfig { id }
        ... on FreeformAnnotationConfig { id }
      }
    }
  }
`);

export const updateConfig = graphql(`
  mutation UpdateAnnotationConfig($id: ID!, $config: AnnotationConfigInput!) {
    updateAnnotationConfig(input: { id: $id, annotationConfig: $config }) { annotationConfig { __typename } }
  }
`);

export const deleteConfig = graphql(`
  mutation DeleteAnnotationConfig($id: ID!) {
    deleteAnnotationConfigs(input: { ids: [$id] }) { annotationConfigs { __typename } }
  }
`);

export const assignConfig = graphql(`
  mutation AssignAnnotationConfig($pair: AddAnnotationConfigToProjectInput!) {
    addAnnotationConfigToProject(input: [$pair]) { project { id } }
  }
`);

export const unassignConfig = graphql(`
  mutation UnassignAnnotationConfig($pair: RemoveAnnotationConfigFromProjectInput!) {
    removeAnnotationConfigFromProject(input: [$pair]) { project { id } }
  }
`);
