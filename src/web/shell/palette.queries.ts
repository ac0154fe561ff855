// What the palette asks the server: projects by name, and whatever an id names.
import { graphql } from "../lib/graphql.ts";

export const foundProjects = graphql(`
  query PaletteProjects($first: Int!, $search: String!) {
    projects(first: $first, filter: { col: name, value: $search }, sort: { col: endTime, dir: desc }) {
      edges { node { id name } }
    }
  }
`);

export const foundById = graphql(`
  query PaletteId($id: String!, $isTrace: Boolean!, $isSpan: Boolean!) {
    getTraceByOtelId(traceId: $id) @include(if: $isTrace) {
      id traceId
      rootSpan { name }
      project { id name }
    }
    getSpanByOtelId(spanId: $id) @include(if: $isSpan) {
      id spanId name
      trace { id traceId }
      project { id name }
    }
    getProjectSessionById(sessionId: $id) {
      id sessionId
      project { id name }
    }
  }
`);
