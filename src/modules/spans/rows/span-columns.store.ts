// The columns that rows of spans are read with, and what makes a span the root of its trace.
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
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
  "spans.input_said as inputSaid",
  "spans.output_said as outputSaid",
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

function mayRepresent(span: "spans" | "root" | "first", roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  const parentKey = sql.ref(`${span}.parent_key`);
  const strict = sql<SqlBool>`${parentKey} is null`;
  if (roots === "strict") return strict;
  const parent = sql`select 1 from spans as parent
    where parent.trace_id = ${sql.ref(`${span}.trace_id`)} and parent.span_key = ${parentKey}`;
  // A value, not `exists`: PostgreSQL would read every parent of the table first.
  return sql<SqlBool>`(${strict} or (${parent} limit 1) is null)`;
}

/** The id of the span that represents a trace; null where none does. Looked for in the order of an index, which is left at the first one
 *  that may: of those that start together the newest is another order, for which all of the trace would be read. */
export function representativeOf(trace: Expression<number>, roots: "strict" | "orphans"): RawBuilder<number | null> {
  // A case, of which planners know nothing: PostgreSQL knows how rare roots are, and would sort the trace for the one it expects.
  const start = sql`(select first.start_us from spans as first where first.trace_id = ${trace}
    and case when ${mayRepresent("first", roots)} then true else false end order by first.start_us, first.id limit 1)`;
  return sql<number | null>`(select root.id from spans as root where root.trace_id = ${trace}
    and root.start_us = ${start} and ${mayRepresent("root", roots)} order by root.id desc limit 1)`;
}

/** True for the span that represents its trace. */
export function isRepresentative(roots: "strict" | "orphans"): RawBuilder<SqlBool> {
  const representative = representativeOf(sql.ref("spans.trace_id"), roots);
  return sql<SqlBool>`(${mayRepresent("spans", roots)} and spans.id = ${representative})`;
}
