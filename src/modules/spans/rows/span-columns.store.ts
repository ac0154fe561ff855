// The columns that rows of spans are read with, and what makes a span the root of its trace.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../model/span.ts";
import type { SpanRecord } from "../spans.schema.ts";

/** Which spans represent their traces: one a trace, the earliest without a parent. `orphans` also counts a span whose parent
 *  is not stored as one without a parent. */
export type RootSelection = "none" | "strict" | "orphans";

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
  "spans.user_key as userKey",
  "spans.model",
  "spans.prompt_tokens as promptTokens",
  "spans.completion_tokens as completionTokens",
  "spans.input_head as inputHead",
  "spans.output_head as outputHead",
] as const;

export type SpanRow = Omit<SpanRecord, "kind" | "status"> & { readonly kind: number; readonly status: number };

/** A row of the listed columns. */
export type ListedSpan = Pick<
  SpanRow,
  "id" | "traceId" | "spanKey" | "parentKey" | "name" | "status" | "statusMessage" | "startUs" | "latencyUs"
>;

export function recordOf(row: SpanRow): SpanRecord {
  return { ...row, kind: spanKinds[row.kind]!, status: spanStatuses[row.status]! };
}

function mayRepresent(span: "spans" | "root", roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  const parentKey = sql.ref(`${span}.parent_key`);
  const strict = sql<SqlBool>`${parentKey} is null`;
  if (roots === "strict") return strict;
  const parent = sql`select 1 from spans as parent
    where parent.trace_id = ${sql.ref(`${span}.trace_id`)} and parent.span_key = ${parentKey}`;
  // A value, not `exists`: PostgreSQL would read every parent of the table first.
  return sql<SqlBool>`(${strict} or (${parent} limit 1) is null)`;
}

/** True for the span that represents its trace. */
export function isRepresentative(roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${mayRepresent("spans", roots)} and spans.id = (
    select root.id from spans as root where root.trace_id = spans.trace_id and ${mayRepresent("root", roots)}
    order by root.start_us, root.id desc limit 1))`;
}
