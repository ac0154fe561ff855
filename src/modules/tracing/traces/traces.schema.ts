// Traces: the record that services hand around, the queries and bodies of the API, and what it answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { Instant, InstantText, Nullable, Unlimited, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import type { SpanKind, SpanStatus } from "../../../model/span.ts";

/** Type word of the global ids of traces. */
export const TRACE: TypeWord<TraceRecord> = "Trace";

/** Instants are microseconds UTC. */
export interface Trace {
  readonly id: number;
  readonly traceKey: string;
  readonly projectId: number;
  readonly startUs: number;
  readonly endUs: number;
  /** Of spans of kind LLM, their own counts only. */
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A trace with everything its row holds. */
export interface TraceRecord extends Trace {
  readonly sessionId: number | null;
  readonly latencyUs: number;
  readonly spanCount: number;
  /** Spans with status ERROR. */
  readonly errorCount: number;
}

/** A span in the list of its trace. */
export interface TraceSpan {
  readonly id: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly startUs: number;
  readonly endUs: number;
}

export interface TraceWithSpans {
  readonly trace: Trace;
  /** By start time; null when they were not asked for. */
  readonly spans: readonly TraceSpan[] | null;
}

const replaced = (expression: string) => ({
  deprecated: true,
  description: `The same as \`${expression}\` in \`filter\`.`,
});

export const TraceQuery = Type.Object({
  start_time: Type.Optional(Instant({ description: "Traces that started at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Traces that started before this time." })),
  sort: Words(["start_time", "latency_ms"], { default: "start_time" }),
  order: Words(["asc", "desc"], { default: "desc" }),
  limit: limitParameter({ default: 100, maximum: 1000 }),
  cursor: cursorParameter,
  include_spans: Type.Boolean({ default: false, description: "Every trace with its spans, without their attributes." }),
  session_identifier: Type.Optional(
    Type.Array(Type.String(), { description: "Ids of sessions, ours or those of the sender." }),
  ),
  error: Type.Optional(Type.Boolean(replaced("error_count > 0"))),
  min_latency_ms: Type.Optional(Unlimited({ minimum: 0, ...replaced("latency_ms >= N") })),
  max_latency_ms: Type.Optional(Unlimited({ minimum: 0, ...replaced("latency_ms <= N") })),
  filter: Type.Optional(Type.String({ description: "A condition on traces." })),
});

export const PeriodQuery = Type.Object({
  start_time: Instant({ description: "Traces that started at or after this time." }),
  end_time: Instant({ description: "Traces that started before this time." }),
});

export const TransferBody = Type.Object({
  trace_identifiers: Type.Array(Type.String(), { minItems: 1 }),
  destination_project_identifier: Type.String(),
});

export const TransferAnswer = Type.Object({
  data: Type.Object({ transferred_trace_count: Type.Integer(), destination_project_id: Type.String() }),
});

const TraceSpanBody = Type.Object({
  id: Type.String(),
  span_id: Type.String(),
  parent_id: Nullable(Type.String()),
  name: Type.String(),
  span_kind: Type.String(),
  status_code: Type.String(),
  start_time: InstantText(),
  end_time: InstantText(),
});

export const TraceBody = Type.Object(
  {
    id: Type.String(),
    trace_id: Type.String(),
    project_id: Type.String(),
    start_time: InstantText(),
    end_time: InstantText(),
    token_count_prompt: Type.Integer(),
    token_count_completion: Type.Integer(),
    token_count_total: Type.Integer(),
    spans: Nullable(Type.Array(TraceSpanBody)),
  },
  { $id: "Trace" },
);
export type TraceBody = Static<typeof TraceBody>;
export const TracePage = pageOf(TraceBody);

export function traceBody({ trace, spans }: TraceWithSpans): TraceBody {
  return {
    id: globalId(TRACE, trace.id),
    trace_id: trace.traceKey,
    project_id: globalId("Project", trace.projectId),
    start_time: formatInstant(trace.startUs),
    end_time: formatInstant(trace.endUs),
    ...tokenCounts(trace),
    spans: spans === null ? null : spans.map(traceSpanBody),
  };
}

/** The three token counts of traces and sessions. */
export function tokenCounts(counted: { readonly promptTokens: number; readonly completionTokens: number }) {
  return {
    token_count_prompt: counted.promptTokens,
    token_count_completion: counted.completionTokens,
    token_count_total: counted.promptTokens + counted.completionTokens,
  };
}

function traceSpanBody(span: TraceSpan): Static<typeof TraceSpanBody> {
  return {
    id: globalId("Span", span.id),
    span_id: span.spanKey,
    parent_id: span.parentKey,
    name: span.name,
    span_kind: span.kind,
    status_code: span.status,
    start_time: formatInstant(span.startUs),
    end_time: formatInstant(span.endUs),
  };
}
