// What the settings of a project ask and change. Sums of a busy project take longer than its description.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const projectSettings = graphql(`
  query ProjectSettings($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { id name description gradientStartColor gradientEndColor createdAt updatedAt startTime endTime }
    }
  }
`);

export const projectContents = graphql(`
  query ProjectContents($id: ID!, $timeRange: TimeRange) {
    node(id: $id) {
      __typename
      ... on Project { traceCount(timeRange: $timeRange) recordCount(timeRange: $timeRange) sessionCount(timeRange: $timeRange) }
    }
  }
`);

export const policyOfProject = graphql(`
  query PolicyOfProject($id: ID!) {
    node(id: $id) { __typename ... on Project { traceRetentionPolicy { id name } } }
    projectTraceRetentionPolicies(first: 1000) { edges { node { id name } } }
  }
`);

export const assignPolicy = graphql(`
  mutation AssignRetentionPolicy($input: PatchProjectTraceRetentionPolicyInput!) {
    patchProjectTraceRetentionPolicy(input: $input) { node { id } }
  }
`);

/** By their names, which are unique. */
export const assignedConfigs = graphql(`
  query AssignedAnnotationConfigs($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project { annotationConfigs(first: 10000) { edges { node { __typename ... on AnnotationConfigBase { name } } } } }
    }
  }
`);

export const patchProject = graphql(`
  mutation PatchProject($input: PatchProjectInput!) {
    patchProject(input: $input) {
      project { id }
    }
  }
`);

/** Answers how many traces of the period are left. */
export const clearProject = graphql(`
  mutation ClearProject($input: ClearProjectInput!, $id: ID!, $timeRange: TimeRange) {
    clearProject(input: $input) {
      node(id: $id) {
        __typename
        ... on Project { traceCount(timeRange: $timeRange) }
      }
    }
  }
`);

export const deleteProject = graphql(`
  mutation DeleteProject($id: ID!) {
    deleteProject(id: $id) { __typename }
  }
`);

type ProjectIn<Node> = Extract<Node, { readonly __typename: "Project" }>;
export type SettingsOfProject = ProjectIn<ResultOf<typeof projectSettings>["node"]>;
