// The four kinds of targets: where their annotations are stored, what they hang on, and how both are called on the wire.
import type { TypeWord } from "../../../kernel/ids.ts";
import type { AnnotationTarget } from "../../../model/annotation.ts";
import type { Tables } from "../../../storage/tables.ts";
import { SESSION } from "../../tracing/sessions/sessions.schema.ts";
import { SPAN } from "../../tracing/spans/spans.schema.ts";
import { TRACE } from "../../tracing/traces/traces.schema.ts";
import type { AnnotationRecord } from "./annotations.schema.ts";

export interface TargetKind {
  readonly target: AnnotationTarget;
  readonly table: keyof Tables & `${AnnotationTarget}_annotations`;
  /** Column of the table: the row id of the owner. */
  readonly column: "span_id" | "trace_id" | "session_id";
  readonly owners: "spans" | "traces" | "sessions";
  /** Column of the owners: their external id. */
  readonly keyColumn: "span_key" | "trace_key" | "session_key";
  /** Type word of the global ids of annotations. */
  readonly type: TypeWord<AnnotationRecord>;
  /** Type word of the global ids of owners. */
  readonly ownerType: typeof SPAN | typeof TRACE | typeof SESSION;
  /** What annotations of the target are called in the names of mutations. */
  readonly mutationWord: "Span" | "Trace" | "ProjectSession" | "Document";
  /** What the owner is called in messages. */
  readonly word: "span" | "trace" | "session";
}

export const targetKinds: Readonly<Record<AnnotationTarget, TargetKind>> = {
  span: {
    target: "span",
    table: "span_annotations",
    column: "span_id",
    owners: "spans",
    keyColumn: "span_key",
    type: "SpanAnnotation",
    ownerType: SPAN,
    mutationWord: "Span",
    word: "span",
  },
  trace: {
    target: "trace",
    table: "trace_annotations",
    column: "trace_id",
    owners: "traces",
    keyColumn: "trace_key",
    type: "TraceAnnotation",
    ownerType: TRACE,
    mutationWord: "Trace",
    word: "trace",
  },
  session: {
    target: "session",
    table: "session_annotations",
    column: "session_id",
    owners: "sessions",
    keyColumn: "session_key",
    type: "ProjectSessionAnnotation",
    ownerType: SESSION,
    mutationWord: "ProjectSession",
    word: "session",
  },
  document: {
    target: "document",
    table: "document_annotations",
    column: "span_id",
    owners: "spans",
    keyColumn: "span_key",
    type: "DocumentAnnotation",
    ownerType: SPAN,
    mutationWord: "Document",
    word: "span",
  },
};
