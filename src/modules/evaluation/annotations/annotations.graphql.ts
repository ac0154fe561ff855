// Annotations in GraphQL: their types, and the fields of spans, traces and sessions that lead to them.
import type { GraphqlCall } from "../../../graphql/call.ts";
import { requireBounded } from "../../../graphql/connection.ts";
import { type GraphqlTypes, getNode } from "../../../graphql/types.ts";
import { globalId } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import { type AnnotationTarget, NOTE } from "../../../model/annotation.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import type { UsersService } from "../../accounts/users/users.service.ts";
import { SESSION } from "../../tracing/sessions/sessions.schema.ts";
import { SPAN } from "../../tracing/spans/spans.schema.ts";
import { TRACE } from "../../tracing/traces/traces.schema.ts";
import { annotationWords } from "./annotation-enums.graphql.ts";
import { type TargetKind, targetKinds } from "./annotation-targets.rules.ts";
import type { AnnotationRecord } from "./annotations.schema.ts";
import type { AnnotationsService } from "./annotations.service.ts";
import { annotationFilterInput, annotationSort, narrowed, sorted } from "./lists/annotation-lists.graphql.ts";

interface AnnotationTypesServices {
  readonly annotations: AnnotationsService;
  readonly users: UsersService;
}

/** Loads of one kind of target, each made once, so that they are collected. */
interface KindLoads {
  find(context: CallContext, ids: readonly number[]): Promise<ReadonlyMap<number, AnnotationRecord>>;
  listOf(context: CallContext, ownerIds: readonly number[]): Promise<ReadonlyMap<number, AnnotationRecord[]>>;
}

export function addAnnotationTypes(types: GraphqlTypes, { annotations, users }: AnnotationTypesServices): void {
  const loadsOf = (kind: TargetKind): KindLoads => ({
    find: (context, ids) => annotations.findAnnotations(context, kind, ids),
    listOf: (context, ownerIds) => annotations.listOf(context, kind, ownerIds),
  });
  const loads: Readonly<Record<AnnotationTarget, KindLoads>> = {
    span: loadsOf(targetKinds.span),
    trace: loadsOf(targetKinds.trace),
    session: loadsOf(targetKinds.session),
    document: loadsOf(targetKinds.document),
  };
  addAnnotationNodes(types, loads, users);
  addAnnotationLists(types, loads);
  addTraceVerdicts(types, annotations);
}

function addAnnotationNodes(
  types: GraphqlTypes,
  loads: Readonly<Record<AnnotationTarget, KindLoads>>,
  users: UsersService,
): void {
  const { AnnotatorKind, AnnotationSource } = annotationWords(types);
  const Annotation = types.builder.interfaceRef<AnnotationRecord>("Annotation").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      annotatorKind: t.field({ type: AnnotatorKind, resolve: ({ annotatorKind }) => annotatorKind }),
      label: t.exposeString("label", { nullable: true }),
      score: t.exposeFloat("score", { nullable: true }),
      explanation: t.exposeString("explanation", { nullable: true }),
      metadata: t.field({ type: "JSON", resolve: ({ metadata }) => parseJson(metadata) as JsonObject }),
      source: t.field({
        type: AnnotationSource,
        description: "`APP` is what was annotated on the pages.",
        resolve: ({ source }) => source,
      }),
      identifier: t.exposeString("identifier", { description: "Tells several of one name on one target apart." }),
      createdAt: t.field({ type: "DateTime", resolve: ({ createdUs }) => createdUs }),
      updatedAt: t.field({ type: "DateTime", resolve: ({ updatedUs }) => updatedUs }),
      user: t.field({
        type: types.ref(USER),
        nullable: true,
        description: "The author of the last change; null for annotations made while authentication was off.",
        resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
      }),
    }),
  });
  const common = (kind: TargetKind) => ({
    find: (call: GraphqlCall, id: number) => call.load(loads[kind.target].find, id, null),
    interfaces: [Annotation],
  });
  const { span, trace, session, document } = targetKinds;

  types.defineNode<AnnotationRecord>(span.type, {
    ...common(span),
    fields: (t) => ({
      spanId: t.id({ resolve: ({ ownerId }) => globalId(SPAN, ownerId) }),
      span: t.field({
        type: types.ref(SPAN),
        resolve: ({ ownerId }, _given, call) => getNode(types, call, SPAN, ownerId),
      }),
    }),
  });
  types.defineNode<AnnotationRecord>(trace.type, {
    ...common(trace),
    fields: (t) => ({
      trace: t.field({
        type: types.ref(TRACE),
        resolve: ({ ownerId }, _given, call) => getNode(types, call, TRACE, ownerId),
      }),
    }),
  });
  types.defineNode<AnnotationRecord>(session.type, {
    ...common(session),
    fields: (t) => ({
      projectSessionId: t.id({ resolve: ({ ownerId }) => globalId(SESSION, ownerId) }),
      projectSession: t.field({
        type: types.ref(SESSION),
        resolve: ({ ownerId }, _given, call) => getNode(types, call, SESSION, ownerId),
      }),
    }),
  });
  types.defineNode<AnnotationRecord>(document.type, {
    ...common(document),
    fields: (t) => ({
      documentPosition: t.int({
        description: "Among those that the span retrieved, from 0 on.",
        resolve: ({ position }) => position,
      }),
      span: t.field({
        type: types.ref(SPAN),
        resolve: ({ ownerId }, _given, call) => getNode(types, call, SPAN, ownerId),
      }),
    }),
  });
}

/** What the spans of a trace carry, in one go. */
function addTraceVerdicts(types: GraphqlTypes, annotations: AnnotationsService): void {
  const listOf = (context: CallContext, ids: readonly number[], most: number) =>
    annotations.listOfTraces(context, ids, most);
  types.builder.objectField(types.ref(TRACE), "spanAnnotations", (t) =>
    t.field({
      type: [types.ref(targetKinds.span.type)],
      description: "Of its spans, without notes: the newest, newest first.",
      args: { first: t.arg.int({ required: true }) },
      resolve: async ({ id }, { first }, call) => {
        const found = (await call.load(listOf, id, requireBounded({ first }))) ?? [];
        return [...found];
      },
    }),
  );
}

/** Oldest first where nothing else is asked for. */
function addAnnotationLists(types: GraphqlTypes, loads: Readonly<Record<AnnotationTarget, KindLoads>>): void {
  const { builder } = types;
  const filter = annotationFilterInput(types);
  const listOf = async (call: GraphqlCall, target: AnnotationTarget, ownerId: number) =>
    (await call.load(loads[target].listOf, ownerId, null)) ?? [];
  const { span, trace, session, document } = targetKinds;
  const notes = (list: readonly AnnotationRecord[]) => list.filter(({ name }) => name === NOTE);

  builder.objectFields(types.ref(SPAN), (t) => ({
    spanAnnotations: t.field({
      type: [types.ref(span.type)],
      description: "Notes among them.",
      args: { sort: t.arg({ type: annotationSort(types, "Span") }), filter: t.arg({ type: filter }) },
      resolve: async ({ id }, given, call) => {
        const found = sorted(narrowed(await listOf(call, "span", id), given.filter), given.sort);
        return found;
      },
    }),
    spanNotes: t.field({
      type: [types.ref(span.type)],
      resolve: async ({ id }, _given, call) => notes(await listOf(call, "span", id)),
    }),
    documentEvaluations: t.field({
      type: [types.ref(document.type)],
      resolve: async ({ id }, _given, call) => {
        const found = await listOf(call, "document", id);
        return [...found];
      },
    }),
  }));
  builder.objectFields(types.ref(TRACE), (t) => ({
    traceAnnotations: t.field({
      type: [types.ref(trace.type)],
      description: "Notes among them.",
      args: { sort: t.arg({ type: annotationSort(types, "Trace") }), filter: t.arg({ type: filter }) },
      resolve: async ({ id }, given, call) => {
        const found = sorted(narrowed(await listOf(call, "trace", id), given.filter), given.sort);
        return found;
      },
    }),
    traceNotes: t.field({
      type: [types.ref(trace.type)],
      resolve: async ({ id }, _given, call) => notes(await listOf(call, "trace", id)),
    }),
  }));
  builder.objectFields(types.ref(SESSION), (t) => ({
    sessionAnnotations: t.field({
      type: [types.ref(session.type)],
      description: "Notes among them.",
      args: { filter: t.arg({ type: filter }) },
      resolve: async ({ id }, given, call) => {
        const found = narrowed(await listOf(call, "session", id), given.filter);
        return found;
      },
    }),
    sessionNotes: t.field({
      type: [types.ref(session.type)],
      resolve: async ({ id }, _given, call) => notes(await listOf(call, "session", id)),
    }),
  }));
}
