// What the mutations of annotations and of notes share: payloads, the input of deletions, checks of ids.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { type TargetKind, targetKinds } from "../annotation-targets.rules.ts";
import { namedTwice, nothingGiven } from "../annotations.errors.ts";
import type { AnnotationRecord } from "../annotations.schema.ts";

export type AnnotationPayloads = ReturnType<typeof annotationPayloads>;

export function annotationPayloads(types: GraphqlTypes) {
  interface Several {
    readonly found: readonly AnnotationRecord[];
  }
  const { span, trace, session, document } = targetKinds;
  const several = (name: string, member: string, kind: TargetKind) =>
    types.payload<Several>(name, (t) => ({
      [member]: t.field({ type: [types.ref(kind.type)], resolve: ({ found }) => [...found] }),
    }));
  return {
    span: several("SpanAnnotationMutationPayload", "spanAnnotations", span),
    trace: several("TraceAnnotationMutationPayload", "traceAnnotations", trace),
    document: several("DocumentAnnotationMutationPayload", "documentAnnotations", document),
    sessions: several("ProjectSessionAnnotationsMutationPayload", "projectSessionAnnotations", session),
    session: types.payload<{ readonly found: AnnotationRecord }>("ProjectSessionAnnotationMutationPayload", (t) => ({
      projectSessionAnnotation: t.field({ type: types.ref(session.type), resolve: ({ found }) => found }),
    })),
  };
}

export function deleteAnnotationsInput({ builder, once }: GraphqlTypes) {
  return once("DeleteAnnotationsInput", () =>
    builder.inputType("DeleteAnnotationsInput", {
      fields: (t) => ({ annotationIds: t.idList({ required: true }) }),
    }),
  );
}

/** At least one, and none twice. */
export function requireIds(kind: TargetKind, ids: readonly string[], what = `${kind.target} annotation IDs`): void {
  if (ids.length === 0) throw nothingGiven(what);
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw namedTwice(kind, id);
    seen.add(id);
  }
}
