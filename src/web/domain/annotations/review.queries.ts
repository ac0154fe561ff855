// What the review pane asks and changes: the questions of the project, the annotations of one target, and its notes.
import { graphql } from "../../lib/graphql.ts";

export const reviewQuestions = graphql(`
  query ReviewQuestions($project: ID!) {
    node(id: $project) {
      __typename
      ... on Project {
        id
        annotationConfigs(first: 100) {
          edges {
            node {
              __typename
              ... on AnnotationConfigBase { name description }
              ... on CategoricalAnnotationConfig { optimizationDirection values { label score } }
              ... on ContinuousAnnotationConfig { optimizationDirection lowerBound upperBound }
              ... on FreeformAnnotationConfig { optimizationDirection }
            }
          }
        }
      }
    }
  }
`);

export const reviewedTarget = graphql(`
  query ReviewedTarget($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span {
        id
        spanAnnotations { id name annotatorKind label score explanation identifier updatedAt user { id username } }
      }
      ... on Trace {
        id
        traceAnnotations { id name annotatorKind label score explanation identifier updatedAt user { id username } }
      }
      ... on ProjectSession {
        id
        sessionAnnotations { id name annotatorKind label score explanation identifier updatedAt user { id username } }
      }
    }
  }
`);

export const reviewedDocuments = graphql(`
  query ReviewedDocuments($id: ID!) {
    node(id: $id) {
      __typename
      ... on Span {
        id
        documentEvaluations {
          id name annotatorKind label score explanation identifier updatedAt documentPosition user { id username }
        }
        documentRetrievalMetrics { evaluationName ndcg precision reciprocalRank hit }
      }
    }
  }
`);

export const spanVerdicts = graphql(`
  query SpanVerdicts($id: ID!) {
    node(id: $id) {
      __typename
      ... on Trace {
        id
        spanAnnotations(first: 1000) {
          id spanId name annotatorKind label score explanation identifier updatedAt user { id username }
        }
      }
    }
  }
`);

export const saySpan = graphql(`
  mutation SaySpan($input: [CreateSpanAnnotationInput!]!) {
    createSpanAnnotations(input: $input) { spanAnnotations { id } }
  }
`);
export const sayTrace = graphql(`
  mutation SayTrace($input: [CreateTraceAnnotationInput!]!) {
    createTraceAnnotations(input: $input) { traceAnnotations { id } }
  }
`);
export const saySession = graphql(`
  mutation SaySession($input: CreateProjectSessionAnnotationInput!) {
    createProjectSessionAnnotations(input: $input) { projectSessionAnnotation { id } }
  }
`);
export const changeSession = graphql(`
  mutation ChangeSession($input: UpdateAnnotationInput!) {
    updateProjectSessionAnnotations(input: $input) { projectSessionAnnotation { id } }
  }
`);

export const sayDocument = graphql(`
  mutation SayDocument($input: [CreateDocumentAnnotationInput!]!) {
    createDocumentAnnotations(input: $input) { documentAnnotations { id } }
  }
`);

export const noteSpan = graphql(`
  mutation NoteSpan($input: [CreateSpanNoteInput!]!) {
    createSpanNotes(input: $input) { spanAnnotations { id } }
  }
`);
export const noteTrace = graphql(`
  mutation NoteTrace($input: [CreateTraceNoteInput!]!) {
    createTraceNotes(input: $input) { traceAnnotations { id } }
  }
`);
export const noteSession = graphql(`
  mutation NoteSession($input: [CreateProjectSessionNoteInput!]!) {
    createProjectSessionNotes(input: $input) { projectSessionAnnotations { id } }
  }
`);

export const takeBackSpan = graphql(`
  mutation TakeBackSpan($input: DeleteAnnotationsInput!) {
    deleteSpanAnnotations(input: $input) { spanAnnotations { id } }
  }
`);
export const takeBackTrace = graphql(`
  mutation TakeBackTrace($input: DeleteAnnotationsInput!) {
    deleteTraceAnnotations(input: $input) { traceAnnotations { id } }
  }
`);
export const takeBackSession = graphql(`
  mutation TakeBackSession($id: ID!) {
    deleteProjectSessionAnnotation(id: $id) { projectSessionAnnotation { id } }
  }
`);
export const takeBackDocument = graphql(`
  mutation TakeBackDocument($input: DeleteAnnotationsInput!) {
    deleteDocumentAnnotations(input: $input) { documentAnnotations { id } }
  }
`);

export const deleteSpanNote = graphql(`
  mutation DeleteSpanNote($input: DeleteAnnotationsInput!) {
    deleteSpanNotes(input: $input) { spanAnnotations { id } }
  }
`);
export const deleteTraceNote = graphql(`
  mutation DeleteTraceNote($input: DeleteAnnotationsInput!) {
    deleteTraceNotes(input: $input) { traceAnnotations { id } }
  }
`);
export const deleteSessionNote = graphql(`
  mutation DeleteSessionNote($input: DeleteAnnotationsInput!) {
    deleteProjectSessionNotes(input: $input) { projectSessionAnnotations { id } }
  }
`);
