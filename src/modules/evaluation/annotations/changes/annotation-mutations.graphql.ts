// Creates, changes and deletes annotations in GraphQL. Invalid input is reported before the caller's rights are checked:
// programs know that order.
import { argumentRefused, requireKey } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes, InputFields } from "../../../../graphql/types.ts";
import { isJsonObject, type Json, stringifyJson } from "../../../../kernel/json.ts";
import { type AnnotationSource, type AnnotatorKind, NOTE } from "../../../../model/annotation.ts";
import { storableJson } from "../../../../model/attributes/text.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import { annotationWords } from "../annotation-enums.graphql.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import { emptyResult, nothingGiven, reservedForNotes } from "../annotations.errors.ts";
import type { AnnotationsService } from "../annotations.service.ts";
import type { AnnotationChange, AnnotationChangesService, GivenAnnotation } from "./annotation-changes.service.ts";
import { type AnnotationPayloads, deleteAnnotationsInput, requireIds } from "./annotation-inputs.graphql.ts";

interface AnnotationMutationsServices {
  readonly annotations: AnnotationsService;
  readonly changes: AnnotationChangesService;
}

type Given<Value> = Value | null | undefined;

/** What annotations of every target are made of. */
interface GivenContent {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label?: Given<string>;
  readonly score?: Given<number>;
  readonly explanation?: Given<string>;
  readonly metadata?: unknown;
  readonly source: AnnotationSource;
  readonly identifier?: Given<string>;
}

/** What is absent stays; null empties what can be empty. */
interface GivenChange extends Partial<Record<"name" | "label" | "explanation" | "identifier", Given<string>>> {
  readonly annotationId: string;
  readonly annotatorKind?: Given<AnnotatorKind>;
  readonly score?: Given<number>;
  readonly metadata?: unknown;
  readonly source?: Given<AnnotationSource>;
}

export function addAnnotationMutations(
  types: GraphqlTypes,
  services: AnnotationMutationsServices,
  payloads: AnnotationPayloads,
): void {
  addListMutations(types, services.changes, payloads);
  addSessionMutations(types, services.changes, payloads);
  addNameMutations(types, services.annotations);
}

/** Spans, traces and documents: several at once. */
function addListMutations(types: GraphqlTypes, changes: AnnotationChangesService, payloads: AnnotationPayloads): void {
  const { builder } = types;
  const { AnnotatorKind, AnnotationSource } = annotationWords(types);
  const content = (t: InputFields) => ({
    name: t.string({ required: true }),
    annotatorKind: t.field({ type: AnnotatorKind, required: true }),
    label: t.string(),
    score: t.float(),
    explanation: t.string(),
    metadata: t.field({ type: "JSON", required: true }),
    source: t.field({ type: AnnotationSource, required: true }),
    identifier: t.string({ description: "Omitted on the pages: one annotation per person and name." }),
  });
  const CreateSpanAnnotationInput = builder.inputType("CreateSpanAnnotationInput", {
    fields: (t) => ({ spanId: t.id({ required: true }), ...content(t) }),
  });
  const CreateTraceAnnotationInput = builder.inputType("CreateTraceAnnotationInput", {
    fields: (t) => ({ traceId: t.id({ required: true }), ...content(t) }),
  });
  const CreateDocumentAnnotationInput = builder.inputType("CreateDocumentAnnotationInput", {
    fields: (t) => ({ spanId: t.id({ required: true }), documentPosition: t.int({ required: true }), ...content(t) }),
  });
  const PatchAnnotationInput = builder.inputType("PatchAnnotationInput", {
    description: "What is absent stays; null empties what can be empty.",
    fields: (t) => ({
      annotationId: t.id({ required: true }),
      name: t.string(),
      annotatorKind: t.field({ type: AnnotatorKind }),
      label: t.string(),
      score: t.float(),
      explanation: t.string(),
      metadata: t.field({ type: "JSON" }),
      identifier: t.string(),
      source: t.field({ type: AnnotationSource }),
    }),
  });
  const { span, trace, document } = targetKinds;

  builder.mutationFields((t) => {
    const change = (kind: TargetKind, payload: AnnotationPayloads["span"]) =>
      t.field({
        type: payload,
        description: "Of the caller's own.",
        may: "annotations.write",
        adds: true,
        args: { input: t.arg({ type: [PatchAnnotationInput], required: true }) },
        requireInput: ({ input }) => requireChanges(kind, input),
        resolve: async (_root, { input }, call) => ({
          found: await changes.change(call.context, kind, input.map(changeOf)),
        }),
      });
    const remove = (kind: TargetKind, payload: AnnotationPayloads["span"]) =>
      t.field({
        type: payload,
        description: "Of the caller's own; for administrators, everybody's. Answers with what was deleted.",
        may: "annotations.delete",
        adds: false,
        args: { input: t.arg({ type: deleteAnnotationsInput(types), required: true }) },
        requireInput: ({ input }) => requireIds(kind, input.annotationIds),
        resolve: async (_root, { input }, call) => ({
          found: await changes.remove(call.context, kind, input.annotationIds, { notes: false }),
        }),
      });
    return {
      createSpanAnnotations: t.field({
        type: payloads.span,
        description: "Each in the place of the one with its span, name and identifier.",
        may: "annotations.write",
        adds: true,
        args: { input: t.arg({ type: [CreateSpanAnnotationInput], required: true }) },
        requireInput: ({ input }) => requireContents(span, input),
        resolve: async (_root, { input }, call) => {
          const given = input.map((one) => annotationOf({ id: one.spanId }, -1, one));
          return { found: await changes.create(call.context, span, given) };
        },
      }),
      createTraceAnnotations: t.field({
        type: payloads.trace,
        description: "Each in the place of the one with its trace, name and identifier.",
        may: "annotations.write",
        adds: true,
        args: { input: t.arg({ type: [CreateTraceAnnotationInput], required: true }) },
        requireInput: ({ input }) => requireContents(trace, input),
        resolve: async (_root, { input }, call) => {
          const given = input.map((one) => annotationOf({ id: one.traceId }, -1, one));
          return { found: await changes.create(call.context, trace, given) };
        },
      }),
      createDocumentAnnotations: t.field({
        type: payloads.document,
        description: "Each in the place of the caller's own with its document, name and identifier.",
        may: "annotations.write",
        adds: true,
        args: { input: t.arg({ type: [CreateDocumentAnnotationInput], required: true }) },
        requireInput: ({ input }) => requireContents(document, input),
        resolve: async (_root, { input }, call) => {
          const given = input.map((one) => annotationOf({ id: one.spanId }, one.documentPosition, one));
          return { found: await changes.create(call.context, document, given) };
        },
      }),
      patchSpanAnnotations: change(span, payloads.span),
      patchTraceAnnotations: change(trace, payloads.trace),
      patchDocumentAnnotations: change(document, payloads.document),
      deleteSpanAnnotations: remove(span, payloads.span),
      deleteTraceAnnotations: remove(trace, payloads.trace),
      deleteDocumentAnnotations: remove(document, payloads.document),
    };
  });
}

/** Sessions: one at a time, and never in the place of another. */
function addSessionMutations(
  types: GraphqlTypes,
  changes: AnnotationChangesService,
  payloads: AnnotationPayloads,
): void {
  const { builder } = types;
  const { AnnotatorKind, AnnotationSource } = annotationWords(types);
  const content = (t: InputFields) => ({
    name: t.string({ required: true }),
    annotatorKind: t.field({ type: AnnotatorKind, required: true, defaultValue: "HUMAN" }),
    label: t.string(),
    score: t.float(),
    explanation: t.string(),
    metadata: t.field({ type: "JSON", required: true }),
    source: t.field({ type: AnnotationSource, required: true, defaultValue: "APP" }),
  });
  const CreateProjectSessionAnnotationInput = builder.inputType("CreateProjectSessionAnnotationInput", {
    fields: (t) => ({ projectSessionId: t.id({ required: true }), ...content(t), identifier: t.string() }),
  });
  const UpdateAnnotationInput = builder.inputType("UpdateAnnotationInput", {
    description: "Replaces everything but the identifier.",
    fields: (t) => ({ id: t.id({ required: true }), ...content(t) }),
  });
  const { session } = targetKinds;
  const requireSessionContent = (input: GivenContent) => {
    requireContents(session, [input]);
    if (typeof input.score !== "number" && !input.label && !input.explanation) throw emptyResult();
  };

  builder.mutationFields((t) => ({
    createProjectSessionAnnotations: t.field({
      type: payloads.session,
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: CreateProjectSessionAnnotationInput, required: true }) },
      requireInput: ({ input }) => requireSessionContent(input),
      resolve: async (_root, { input }, call) => {
        const given = annotationOf({ id: input.projectSessionId }, -1, input);
        const [found] = await changes.create(call.context, session, [given]);
        return { found: found! };
      },
    }),
    updateProjectSessionAnnotations: t.field({
      type: payloads.session,
      description: "Of the caller's own.",
      may: "annotations.write",
      adds: true,
      args: { input: t.arg({ type: UpdateAnnotationInput, required: true }) },
      requireInput: ({ input }) => requireSessionContent(input),
      resolve: async (_root, { input }, call) => {
        const { id, label = null, score = null, explanation = null, ...rest } = input;
        const change = changeOf({ annotationId: id, label, score, explanation, ...rest });
        const [found] = await changes.change(call.context, session, [change]);
        return { found: found! };
      },
    }),
    deleteProjectSessionAnnotation: t.field({
      type: payloads.session,
      description: "Of the caller's own; for administrators, everybody's.",
      may: "annotations.delete",
      adds: false,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, call) => {
        const [found] = await changes.remove(call.context, session, [id], { notes: false });
        return { found: found! };
      },
    }),
  }));
}

/** All of one name in a project. */
function addNameMutations(types: GraphqlTypes, annotations: AnnotationsService): void {
  const { builder } = types;
  const AnnotationTimeRangeField = builder.enumType("AnnotationTimeRangeField", {
    values: ["ANNOTATION_CREATED_AT", "SOURCE_START_TIME"] as const,
  });
  const DeleteProjectAnnotationsInput = builder.inputType("DeleteProjectAnnotationsInput", {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      annotationName: t.string({ required: true }),
      timeRange: t.field({ type: types.TimeRange }),
      timeRangeField: t.field({
        type: AnnotationTimeRangeField,
        required: true,
        defaultValue: "ANNOTATION_CREATED_AT",
        description: "What the range is of: when they were made, or when their span, trace or session started.",
      }),
    }),
  });
  const Payload = types.payload<{ readonly count: number }>("DeleteProjectAnnotationsByNamePayload", (t) => ({
    deletedAnnotationCount: t.exposeInt("count"),
  }));
  builder.mutationFields((t) => {
    const removal = (kind: TargetKind) =>
      t.field({
        type: Payload,
        description: "Everybody's.",
        may: "annotations.clear",
        adds: false,
        args: { input: t.arg({ type: DeleteProjectAnnotationsInput, required: true }) },
        resolve: async (_root, { input }, call) => {
          const { projectId, annotationName: name, timeRange, timeRangeField } = input;
          requireRowId(PROJECT, projectId);
          const range = rangeOf(timeRange);
          const by = timeRangeField === "SOURCE_START_TIME" ? "started" : "created";
          return { count: await annotations.deleteNamed(call.context, kind, projectId, { name, range, by }) };
        },
      });
    return {
      deleteProjectSpanAnnotations: removal(targetKinds.span),
      deleteProjectTraceAnnotations: removal(targetKinds.trace),
      deleteProjectSessionAnnotations: removal(targetKinds.session),
    };
  });
}

function annotationOf(target: GivenAnnotation["target"], position: number, given: GivenContent): GivenAnnotation {
  return {
    target,
    position,
    name: given.name.trim(),
    identifier: given.identifier?.trim() ?? null,
    annotatorKind: given.annotatorKind,
    label: given.label ?? null,
    score: given.score ?? null,
    explanation: given.explanation ?? null,
    metadata: metadataOf(given.metadata),
    source: given.source,
  };
}

function changeOf({ annotationId, ...given }: GivenChange): AnnotationChange {
  const { name, annotatorKind, label, score, explanation, metadata, identifier, source } = given;
  return {
    id: annotationId,
    changes: {
      ...(typeof name === "string" ? { name: name.trim() } : {}),
      ...(annotatorKind ? { annotatorKind } : {}),
      ...(label === undefined ? {} : { label }),
      ...(score === undefined ? {} : { score }),
      ...(explanation === undefined ? {} : { explanation }),
      ...(metadata === undefined ? {} : { metadata: metadataOf(metadata ?? {}) }),
      ...(identifier === undefined ? {} : { identifier: identifier?.trim() ?? "" }),
      ...(source ? { source } : {}),
    },
  };
}

/** As text. Throws kind `invalid` for what is no object. */
function metadataOf(metadata: unknown): string {
  if (!isJsonObject(metadata as Json)) throw argumentRefused("metadata", "must be a JSON object");
  return stringifyJson(storableJson(metadata as Json));
}

function requireContents(kind: TargetKind, given: readonly GivenContent[]): void {
  if (given.length === 0) throw nothingGiven(`${kind.target} annotations`);
  for (const { name, identifier, score, metadata } of given) {
    requireName(kind, name);
    requireKey("identifier", identifier?.trim() ?? "");
    requireFinite(score);
    metadataOf(metadata);
  }
}

function requireChanges(kind: TargetKind, given: readonly GivenChange[]): void {
  if (given.length === 0) throw nothingGiven(`${kind.target} annotations`);
  requireIds(
    kind,
    given.map(({ annotationId }) => annotationId),
  );
  for (const { name, identifier, score, metadata } of given) {
    if (typeof name === "string") requireName(kind, name);
    requireKey("identifier", identifier?.trim() ?? "");
    requireFinite(score);
    metadataOf(metadata ?? {});
  }
}

function requireName(kind: TargetKind, given: string): void {
  const name = given.trim();
  if (name === "") throw argumentRefused("name", "must not be empty");
  requireKey("name", name);
  if (name === NOTE && kind.target !== "document") throw reservedForNotes(kind, "create");
}

/** A literal may be beyond every double. */
function requireFinite(score: Given<number>): void {
  if (typeof score === "number" && !Number.isFinite(score)) throw argumentRefused("score", "must be a finite number");
}
