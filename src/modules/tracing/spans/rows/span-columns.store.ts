// The columns that rows of spans are read with, and what makes a span the root of its trace.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import { mayRepresent, representativeOf, type TopSpans } from "../../../../storage/root-spans.ts";
import type { SpanRecord } from "../spans.schema.ts";

/** Which spans represent their traces. */
export type RootSelection = "none" | TopSpans;

/** Of `spans`: what every list shows. */
export const listedColumns = [
  "spans.id",
  "spans.trace_id as traceId",
  "spans.span_key as spanKey",
  "spans.parent_key as parentKey",
  "spans.name",
  "spans.status",
  "spans.status_message as statusMessage",
  "spans.start_us as startUs",
  "spans.latency_us as latencyUs",
] as const;

/** Of `spans`: a SpanRecord, with codes for kind and status. */
export const spanColumns = [
  ...listedColumns,
  "spans.project_id as projectId",
  "spans.kind",
  "spans.shown_name as shownName",
  "spans.user_key as userKey",
  "spans.model",
  "spans.prompt_tokens as promptTokens",
  "spans.completion_tokens as completionTokens",
  "spans.repeats_child as repeatsChild",
  "spans.input_head as inputHead",
  "spans.output_head as outputHead",
  "spans.input_said as inputSaid",
  "spans.output_said as outputSaid",
] as const;

export type SpanRow = Omit<SpanRecord, "kind" | "status" | "repeatsChild"> & {
  readonly kind: number;
  readonly status: number;
  readonly repeatsChild: number;
};

/** A row of the listed columns. */
export type ListedSpan = Pick<
  SpanRow,
  "id" | "traceId" | "spanKey" | "parentKey" | "name" | "status" | "statusMessage" | "startUs" | "latencyUs"
>;

export function recordOf(row: SpanRow): SpanRecord {
  return {
    ...row,
    kind: spanKinds[row.kind]!,
    status: spanStatuses[row.status]!,
    repeatsChild: row.repeatsChild !== 0,
  };
}

/** True for the span that represents its trace. */
export function isRepresentative(roots: TopSpans): RawBuilder<SqlBool> {
  const representative = representativeOf(sql.ref("spans.trace_id"), roots);
  return sql<SqlBool>`(${mayRepresent("spans", roots)} and spans.id = ${representative})`;
}
