// Sends what was judged to the server. A second try after a failure says annotations again in their places, by name.
import { askGraphql } from "../../lib/graphql.ts";
import type { ReviewChanges } from "./drafts.ts";
import {
  changeSession,
  deleteSessionNote,
  deleteSpanNote,
  deleteTraceNote,
  noteSession,
  noteSpan,
  noteTrace,
  saySession,
  saySpan,
  sayTrace,
  takeBackSession,
  takeBackSpan,
  takeBackTrace,
} from "./review.queries.ts";
import { type Annotation, ownIdentifier } from "./verdicts.ts";

export interface ReviewTarget {
  readonly kind: "span" | "trace" | "session";
  /** Global id. */
  readonly id: string;
}

export async function sendReview(
  { kind, id }: ReviewTarget,
  { says, takesBack, note }: ReviewChanges,
  own: ReadonlyMap<string, Annotation>,
  viewerId: string | null,
): Promise<void> {
  const author = { annotatorKind: "HUMAN", source: "APP" } as const;
  const identifier = ownIdentifier(viewerId);
  const annotations = says.map((verdict) => ({ ...verdict, ...author, identifier, metadata: {} }));
  const ids = takesBack.map((annotation) => annotation.id);
  const input = { annotationIds: ids };
  // The note goes last: where one of the others fails, the next try does not write it twice.
  if (kind === "span") {
    if (annotations.length > 0)
      await askGraphql(saySpan, { input: annotations.map((one) => ({ spanId: id, ...one })) });
    if (ids.length > 0) await askGraphql(takeBackSpan, { input });
    if (note !== null) await askGraphql(noteSpan, { input: [{ ...author, spanId: id, note }] });
  } else if (kind === "trace") {
    if (annotations.length > 0)
      await askGraphql(sayTrace, { input: annotations.map((one) => ({ traceId: id, ...one })) });
    if (ids.length > 0) await askGraphql(takeBackTrace, { input });
    if (note !== null) await askGraphql(noteTrace, { input: [{ ...author, trace: { id }, note }] });
  } else {
    for (const { identifier: _identifier, ...one } of annotations) {
      const standing = own.get(one.name);
      if (standing === undefined) await askGraphql(saySession, { input: { projectSessionId: id, ...one, identifier } });
      else await askGraphql(changeSession, { input: { id: standing.id, ...one } });
    }
    for (const taken of ids) await askGraphql(takeBackSession, { id: taken });
    if (note !== null) await askGraphql(noteSession, { input: [{ ...author, session: { id }, note }] });
  }
}

/** In its place: the identifier of a note is its own. */
export async function rewriteNote(target: ReviewTarget, { identifier }: Annotation, note: string): Promise<void> {
  const { id } = target;
  const written = { annotatorKind: "HUMAN", source: "APP", identifier, note } as const;
  if (target.kind === "span") await askGraphql(noteSpan, { input: [{ ...written, spanId: id }] });
  else if (target.kind === "trace") await askGraphql(noteTrace, { input: [{ ...written, trace: { id } }] });
  else await askGraphql(noteSession, { input: [{ ...written, session: { id } }] });
}

export async function deleteNote({ kind }: ReviewTarget, { id }: Annotation): Promise<void> {
  const input = { annotationIds: [id] };
  if (kind === "span") await askGraphql(deleteSpanNote, { input });
  else if (kind === "trace") await askGraphql(deleteTraceNote, { input });
  else await askGraphql(deleteSessionNote, { input });
}
