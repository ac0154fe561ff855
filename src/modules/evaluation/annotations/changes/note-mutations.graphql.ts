// Notes in GraphQL: annotations of a name of their own, text alone.
import { argumentRefused, requireKey } from "../../../../graphql/connection.ts";
import type { GraphqlTypes, InputFields } from "../../../../graphql/types.ts";
import type { AnnotationSource, AnnotatorKind } from "../../../../model/annotation.ts";
import { annotationWords } from "../annotation-enums.graphql.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import { emptyNote, nothingGiven } from "../annotations.errors.ts";
import type { AnnotationChangesService, GivenNote, NamedTarget } from "./annotation-changes.service.ts";
import { type AnnotationPayloads, deleteAnnotationsInput, requireIds } from "./annotation-inputs.graphql.ts";

type Given<Value> = Value | null | undefined;

interface NoteText {
  readonly note: string;
  readonly annotatorKind: AnnotatorKind;
  readonly source: AnnotationSource;
  readonly identifier?: Given<string>;
}

interface SpanNote extends NoteText {
  readonly spanId?: Given<string>;
  readonly span?: Given<NamedByExporter>;
}

/** Exactly one of the two. */
interface NamedByExporter {
  readonly id?: Given<string>;
  readonly otelId?: Given<string>;
}

export function addNoteMutations(
  types: GraphqlTypes,
  changes: AnnotationChangesService,
  payloads: AnnotationPayloads,
): void {
  addSpanNotes(types, changes, payloads);
  addTraceAndSessionNotes(types, changes, payloads);
  addNoteDeletions(types, changes, payloads);
}

function addSpanNotes(types: GraphqlTypes, changes: AnnotationChangesService, payloads: AnnotationPayloads): void {
  const { builder } = types;
  const { AnnotatorKind, AnnotationSource } = annotationWords(types);
  const { span } = targetKinds;
  const SpanReferenceInput = builder.inputType("SpanReferenceInput", {
    isOneOf: true,
    fields: (t) => ({ id: t.id(), otelId: t.string() }),
  });
  const CreateSpanNoteInput = builder.inputType("CreateSpanNoteInput", {
    description: "Two generations of programs share this input: one names the span by `spanId`, the other by `span`.",
    fields: (t) => ({
      spanId: t.id(),
      span: t.field({ type: SpanReferenceInput }),
      note: t.string({ required: true }),
      annotatorKind: t.field({ type: AnnotatorKind, required: true, defaultValue: "HUMAN" }),
      source: t.field({ type: AnnotationSource, required: true, defaultValue: "APP" }),
      identifier: t.string({ description: "The same one again replaces the note; without one every call adds one." }),
    }),
  });
  builder.mutationFields((t) => ({
    createSpanNote: t.field({
      type: payloads.span,
      description: "The text is stored as it stands.",
      may: "annotations.write",
      adds: true,
      args: { annotationInput: t.arg({ type: CreateSpanNoteInput, required: true }) },
      requireInput: ({ annotationInput }) => {
        requireNotes(span, [annotationInput]);
        spanOf(annotationInput);
      },
      resolve: async (_root, { annotationInput: input }, call) => {
        const note = { ...noteOf(spanOf(input), input), text: input.note };
        return { found: await changes.addNotes(call.context, span, [note]) };
      },
    }),
    createSpanNotes: t.field({
      type: payloads.span,
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: [CreateSpanNoteInput], required: true }) },
      requireInput: ({ input }) => {
        requireNotes(span, input);
        input.forEach(spanOf);
      },
      resolve: async (_root, { input }, call) => ({
        found: await changes.addNotes(
          call.context,
          span,
          input.map((one) => noteOf(spanOf(one), one)),
        ),
      }),
    }),
  }));
}

function addTraceAndSessionNotes(
  types: GraphqlTypes,
  changes: AnnotationChangesService,
  payloads: AnnotationPayloads,
): void {
  const { builder } = types;
  const { AnnotatorKind, AnnotationSource } = annotationWords(types);
  const text = (t: InputFields) => ({
    note: t.string({ required: true }),
    annotatorKind: t.field({ type: AnnotatorKind, required: true }),
    source: t.field({ type: AnnotationSource, required: true }),
    identifier: t.string({ description: "The same one again replaces the note; without one every call adds one." }),
  });
  const TraceReferenceInput = builder.inputType("TraceReferenceInput", {
    isOneOf: true,
    fields: (t) => ({ id: t.id(), otelId: t.string() }),
  });
  const CreateTraceNoteInput = builder.inputType("CreateTraceNoteInput", {
    fields: (t) => ({ trace: t.field({ type: TraceReferenceInput, required: true }), ...text(t) }),
  });
  const ProjectSessionReferenceInput = builder.inputType("ProjectSessionReferenceInput", {
    isOneOf: true,
    fields: (t) => ({ id: t.id(), sessionId: t.string() }),
  });
  const CreateProjectSessionNoteInput = builder.inputType("CreateProjectSessionNoteInput", {
    fields: (t) => ({ session: t.field({ type: ProjectSessionReferenceInput, required: true }), ...text(t) }),
  });
  const { trace, session } = targetKinds;
  builder.mutationFields((t) => ({
    createTraceNotes: t.field({
      type: payloads.trace,
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: [CreateTraceNoteInput], required: true }) },
      requireInput: ({ input }) => requireNotes(trace, input),
      resolve: async (_root, { input }, call) => {
        const given = input.map((one) => noteOf(targetOf(one.trace.id, one.trace.otelId), one));
        return { found: await changes.addNotes(call.context, trace, given) };
      },
    }),
    createProjectSessionNotes: t.field({
      type: payloads.sessions,
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: [CreateProjectSessionNoteInput], required: true }) },
      requireInput: ({ input }) => requireNotes(session, input),
      resolve: async (_root, { input }, call) => {
        const given = input.map((one) => noteOf(targetOf(one.session.id, one.session.sessionId), one));
        return { found: await changes.addNotes(call.context, session, given) };
      },
    }),
  }));
}

function addNoteDeletions(types: GraphqlTypes, changes: AnnotationChangesService, payloads: AnnotationPayloads): void {
  const { span, trace, session } = targetKinds;
  types.builder.mutationFields((t) => {
    const removal = (kind: TargetKind, payload: AnnotationPayloads["span"]) =>
      t.field({
        type: payload,
        description: "Of the caller's own; for administrators, everybody's. Answers with what was deleted.",
        may: "annotations.delete",
        adds: false,
        args: { input: t.arg({ type: deleteAnnotationsInput(types), required: true }) },
        requireInput: ({ input }) => requireIds(kind, input.annotationIds, `${kind.target} note IDs`),
        resolve: async (_root, { input }, call) => ({
          found: await changes.remove(call.context, kind, input.annotationIds, { notes: true }),
        }),
      });
    return {
      deleteSpanNotes: removal(span, payloads.span),
      deleteTraceNotes: removal(trace, payloads.trace),
      deleteProjectSessionNotes: removal(session, payloads.sessions),
    };
  });
}

function requireNotes(kind: TargetKind, notes: readonly NoteText[]): void {
  if (notes.length === 0) throw nothingGiven(`${kind.target} notes`);
  for (const { note, identifier } of notes) {
    if (note.trim() === "") throw emptyNote();
    requireKey("identifier", identifier?.trim() ?? "");
  }
}

function targetOf(id: Given<string>, key: Given<string>): NamedTarget {
  return typeof id === "string" ? { id } : { key: key ?? "" };
}

/** Throws kind `invalid` unless the span is named one way. */
function spanOf({ span, spanId }: SpanNote): NamedTarget {
  if (Boolean(span) === (typeof spanId === "string")) throw argumentRefused("span", "give either span or spanId");
  return span ? targetOf(span.id, span.otelId) : { id: spanId! };
}

function noteOf(target: NamedTarget, { note, annotatorKind, source, identifier }: NoteText): GivenNote {
  return { target, text: note.trim(), annotatorKind, source, identifier: identifier?.trim() ?? "" };
}
