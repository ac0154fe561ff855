// Annotations and notes over REST: the same routes for spans, traces and sessions; documents are only written.
import type { TObject, TSchema } from "@sinclair/typebox";
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { globalId } from "../../../kernel/ids.ts";
import { arrivalCursors, pageBody } from "../../../kernel/list.ts";
import { type TargetKind, targetKinds } from "./annotation-targets.rules.ts";
import {
  type AnnotationRecord,
  annotationBody,
  DeletionQuery,
  NewSessionNote,
  NewSpanNote,
  NewTraceNote,
  SessionAnnotationPage,
  SessionAnnotationQuery,
  SpanAnnotationPage,
  SpanAnnotationQuery,
  TraceAnnotationPage,
  TraceAnnotationQuery,
  WriteQuery,
  WrittenAnnotations,
  WrittenNote,
} from "./annotations.schema.ts";
import type { AnnotationsService } from "./annotations.service.ts";
import {
  type AnnotationsBody,
  documentAnnotationsBody,
  sessionAnnotationsBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
} from "./writing/annotation-bodies.rules.ts";

const keyExamples = {
  span: "53995c3f42cd8ad8",
  trace: "0af7651916cd43dd8448eb211c80319c",
  session: "chat-1",
  document: "53995c3f42cd8ad8",
};
const project = { project_identifier: "example-support-agent" };
const exampleAnnotation = {
  name: "correctness",
  annotator_kind: "LLM",
  result: { label: "correct", score: 1, explanation: null },
};

const stored: AnnotationRecord = {
  id: 1,
  ownerId: 1,
  position: -1,
  name: exampleAnnotation.name,
  identifier: "",
  annotatorKind: "LLM",
  ...exampleAnnotation.result,
  metadata: "{}",
  source: "API",
  userId: null,
  createdUs: Date.parse("2026-03-01T10:00:00Z") * 1000,
  updatedUs: Date.parse("2026-03-01T10:00:00Z") * 1000,
};

export function annotationRoutes(annotations: AnnotationsService): RouteModule {
  const { span, trace, session, document } = targetKinds;
  return {
    name: "annotations",
    routes: [
      writeRoute(annotations, span, spanAnnotationsBody),
      writeRoute(annotations, trace, traceAnnotationsBody),
      writeRoute(annotations, session, sessionAnnotationsBody),
      writeRoute(annotations, document, documentAnnotationsBody),
      listRoute(annotations, span, SpanAnnotationQuery, SpanAnnotationPage),
      listRoute(annotations, trace, TraceAnnotationQuery, TraceAnnotationPage),
      listRoute(annotations, session, SessionAnnotationQuery, SessionAnnotationPage),
      ...[span, trace, session].map((kind) => deleteRoute(annotations, kind)),
      noteRoute(annotations, span, NewSpanNote),
      noteRoute(annotations, trace, NewTraceNote),
      noteRoute(annotations, session, NewSessionNote),
    ],
  };
}

function writeRoute(annotations: AnnotationsService, kind: TargetKind, body: AnnotationsBody): Route {
  const { target, word } = kind;
  const example = {
    [`${word}_id`]: keyExamples[target],
    ...(target === "document" ? { document_position: 0 } : {}),
    ...exampleAnnotation,
  };
  return route({
    method: "POST",
    path: `/v1/${target}_annotations`,
    operationId: body.name,
    summary: `Annotate ${target}s`,
    description: `An annotation takes the place of the one with the same ${word}, name and identifier, which must be the caller's own unless an administrator asks. All or none of the body are accepted.`,
    action: "annotations.write",
    status: 200,
    storageLocked: true,
    query: WriteQuery,
    body,
    response: WrittenAnnotations,
    errors: {
      malformed: "The name is reserved for notes.",
      forbidden: "Another user wrote the one with the same name and identifier; nothing was stored.",
      not_found: `With \`sync=true\`: no ${word} has one of the ids; nothing was stored.`,
      invalid: "An annotation cannot be stored.",
    },
    example: {
      parameters: { sync: true },
      body: { data: [example] },
      response: { data: [{ id: globalId(kind.type, 1) }] },
    },
    handler: async ({ context, query, body: batch }) => {
      const ids = await annotations.annotate(context, kind, batch, query);
      return { data: ids.map((id) => ({ id: globalId(kind.type, id) })) };
    },
  });
}

interface ListQuery {
  readonly identifier?: readonly string[];
  readonly include_annotation_names?: readonly string[];
  readonly exclude_annotation_names?: readonly string[];
  readonly cursor?: string;
  readonly limit: number;
}

function listRoute(annotations: AnnotationsService, kind: TargetKind, query: TObject, response: TSchema): Route {
  const { word } = kind;
  const keysParameter = `${word}_ids`;
  return route({
    method: "GET",
    path: `/v1/projects/{project_identifier}/${word}_annotations`,
    operationId: `list${capital(word)}AnnotationsBy${capital(word)}Ids`,
    summary: `List annotations of ${word}s`,
    description: `Newest first, notes among them. At least one of \`${keysParameter}\` and \`identifier\` must be given; both are joined by AND.`,
    action: "annotations.read",
    status: 200,
    query,
    response,
    errors: {
      not_found: `No project has this identifier, or none of the ${word}s is in it.`,
      invalid: "Neither ids nor identifiers are given, or too many, or the cursor is not one of this list.",
    },
    example: {
      parameters: { ...project, [keysParameter]: [keyExamples[word]], limit: 100 },
      response: {
        data: [{ [`${word}_id`]: keyExamples[word], ...annotationBody(kind.type, stored) }],
        next_cursor: null,
      },
    },
    handler: async ({ context, params, query: sent }) => {
      const asked = sent as ListQuery & Readonly<Record<string, readonly string[] | undefined>>;
      const found = await annotations.listAnnotations(context, kind, params.project_identifier, {
        keys: asked[keysParameter],
        identifiers: asked.identifier,
        names: asked.include_annotation_names,
        otherNames: asked.exclude_annotation_names,
        cursor: asked.cursor,
        limit: asked.limit,
        keysParameter,
      });
      return pageBody(found, arrivalCursors(kind.type), (annotation) => ({
        [`${word}_id`]: annotation.key,
        ...annotationBody(kind.type, annotation),
      }));
    },
  });
}

function deleteRoute(annotations: AnnotationsService, kind: TargetKind): Route {
  const { word } = kind;
  return route({
    method: "DELETE",
    path: `/v1/projects/{project_identifier}/${word}_annotations`,
    operationId: `delete${capital(word)}Annotations`,
    summary: `Delete annotations of ${word}s`,
    description:
      "Those of the project that match every filter, notes among them; of callers who are no administrators only their own.",
    action: "annotations.delete",
    status: 204,
    query: DeletionQuery,
    errors: {
      not_found: "No project has this identifier.",
      invalid: "The period is missing, or ends before it begins.",
    },
    example: { parameters: { ...project, name: exampleAnnotation.name, delete_all: true } },
    handler: async ({ context, params, query }) => {
      await annotations.deleteAnnotations(context, kind, params.project_identifier, query);
    },
  });
}

function noteRoute(annotations: AnnotationsService, kind: TargetKind, body: TObject): Route {
  const { word } = kind;
  return route({
    method: "POST",
    path: `/v1/${word}_notes`,
    operationId: `create${capital(word)}Note`,
    summary: `Write a note beside a ${word}`,
    description: "A note is an annotation of the name `note`; it is listed and deleted as one.",
    action: "annotations.write",
    status: 200,
    storageLocked: true,
    body,
    response: WrittenNote,
    errors: {
      not_found: `No ${word} has this id.`,
      forbidden: "Another user wrote the note with this identifier.",
    },
    example: {
      body: { data: { [`${word}_id`]: keyExamples[word], note: "The label was never sent." } },
      response: { data: { id: globalId(kind.type, 2) } },
    },
    handler: async ({ context, body: sent }) => {
      const { data } = sent as { readonly data: Readonly<Record<string, string>> };
      const note = { targetKey: data[`${word}_id`]!, text: data.note!, identifier: data.identifier! };
      return { data: { id: globalId(kind.type, await annotations.addNote(context, kind, note, "API")) } };
    },
  });
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}
