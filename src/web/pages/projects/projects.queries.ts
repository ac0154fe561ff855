// What the projects page asks. The names come first; the figures of the range follow in a request of their own, because counting
// a busy project takes longer than listing it.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const projectList = graphql(`
  query Projects($first: Int!, $filter: ProjectFilter, $sort: ProjectSort) {
    projects(first: $first, filter: $filter, sort: $sort) {
      edges {
        node { id name description endTime }
      }
    }
  }
`);

export const projectFigures = graphql(`
  query ProjectFigures($first: Int!, $filter: ProjectFilter, $sort: ProjectSort, $timeRange: TimeRange) {
    projects(first: $first, filter: $filter, sort: $sort) {
      edges {
        node {
          id
          traceCount(timeRange: $timeRange)
          errorTraceCount(timeRange: $timeRange)
          sessionCount(timeRange: $timeRange)
          latencyMsQuantile(probability: 0.5, timeRange: $timeRange)
        }
      }
    }
  }
`);

export const createProject = graphql(`
  mutation CreateProject($input: CreateProjectInput!) {
    createProject(input: $input) {
      project { id name }
    }
  }
`);

export type ListedProject = ResultOf<typeof projectList>["projects"]["edges"][number]["node"];
export type FiguresOfProject = ResultOf<typeof projectFigures>["projects"]["edges"][number]["node"];
