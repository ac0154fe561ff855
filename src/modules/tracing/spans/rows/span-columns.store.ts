// The columns that rows of spans are read with, and what makes a span the root of its trace.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../../model/span.ts";
import { mayRepresent, representativeOf, type TopSpans } from "../../../../storage/root-spans.ts";
import type { SpanRow } from "../../../../storage/span-columns.ts";
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
