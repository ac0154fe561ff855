// What changes annotation configurations.
import { graphql } from "../../lib/graphql.ts";

export const createConfig = graphql(`
  mutation CreateAnnotationConfig($config: AnnotationConfigInput!) {
    createAnnotationConfig(input: { annotationConfig: $config }) { annotationConfig { __typename } }
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
