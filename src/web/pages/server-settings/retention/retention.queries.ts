// Retention policies, what a rule would delete, and what sweeps have deleted.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const policyList = graphql(`
  query RetentionPolicies {
    projectTraceRetentionPolicies(first: 1000) {
      edges {
        node {
          id name cronExpression maxBytes keepsAnnotated keepsDatasetSources nextSweepAt
          rule {
            __typename
            ... on TraceRetentionRuleMaxDays { maxDays }
            ... on TraceRetentionRuleMaxCount { maxCount }
            ... on TraceRetentionRuleMaxDaysOrCount { maxDays maxCount }
          }
          projects(first: 1000) { edges { node { id name } } }
          sweeps(first: 20) { startedAt endedAt traceCount spanCount byteCount failure project { id name } }
        }
      }
    }
  }
`);
export type ListedPolicy = ResultOf<typeof policyList>["projectTraceRetentionPolicies"]["edges"][number]["node"];
export type Sweep = ListedPolicy["sweeps"][number];

export const projectNames = graphql(`
  query ProjectsToKeep {
    projects(first: 1000, sort: { col: name, dir: asc }) { edges { node { id name } } }
  }
`);

export const previewRule = graphql(`
  query PreviewRetention($input: TraceRetentionPreviewInput!) {
    previewTraceRetention(input: $input) { traceCount spanCount byteCount isEverything isComplete project { id name } }
  }
`);

export const contentsOfDatabase = graphql(`
  query DatabaseContents {
    dbStorageCapacityBytes
    dbContents { kind numBytes }
    serverStatus { backupTrouble }
  }
`);

export const failedWork = graphql(`
  query FailedWork {
    jobFailures { job item reason attempts lastFailedAt retryAt }
  }
`);

export const createPolicy = graphql(`
  mutation CreateRetentionPolicy($input: CreateProjectTraceRetentionPolicyInput!) {
    createProjectTraceRetentionPolicy(input: $input) { node { id } }
  }
`);

export const changePolicy = graphql(`
  mutation ChangeRetentionPolicy($input: PatchProjectTraceRetentionPolicyInput!) {
    patchProjectTraceRetentionPolicy(input: $input) { node { id } }
  }
`);

export const deletePolicy = graphql(`
  mutation DeleteRetentionPolicy($input: DeleteProjectTraceRetentionPolicyInput!) {
    deleteProjectTraceRetentionPolicy(input: $input) { node { id } }
  }
`);

export const runPolicy = graphql(`
  mutation RunRetentionPolicy($input: RunProjectTraceRetentionPolicyInput!) {
    runProjectTraceRetentionPolicy(input: $input) { node { id } }
  }
`);
