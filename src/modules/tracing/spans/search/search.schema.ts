// Text search over REST: what it is asked and what it answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId } from "../../../../kernel/ids.ts";
import { limitParameter } from "../../../../kernel/paging.ts";
import { Instant, InstantText, Nullable } from "../../../../kernel/schema.ts";
import { formatInstant } from "../../../../kernel/time.ts";
import { TRACE, type TraceRecord } from "../../traces/traces.schema.ts";
import { SPAN, type SpanRecord } from "../spans.schema.ts";

const shared = {
  text: Type.String({
    minLength: 1,
    description:
      "Words that all must occur, and phrases in double quotes: at most 16 of them, and 1024 bytes. Letter case does not matter, in any script.",
  }),
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the answer before: the search goes on there." })),
  limit: limitParameter({ default: 100, maximum: 1000 }),
};

export const SpanSearchQuery = Type.Object({
  ...shared,
  start_time: Type.Optional(Instant({ description: "Spans that started at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Spans that started before this time." })),
  filter: Type.Optional(Type.String({ description: "A condition on spans." })),
});

export const TraceSearchQuery = Type.Object({
  ...shared,
  start_time: Type.Optional(Instant({ description: "Traces that started at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Traces that started before this time." })),
  filter: Type.Optional(Type.String({ description: "A condition on traces." })),
});

const foundIn =
  "`input`, `output`, `error`: the message of the status or of an exception, or `annotation`: the explanation of one or a note.";

const FoundSpan = Type.Object({
  id: Type.String(),
  name: Type.String(),
  context: Type.Object({ trace_id: Type.String(), span_id: Type.String() }),
  span_kind: Type.String(),
  parent_id: Nullable(Type.String()),
  start_time: InstantText(),
  end_time: InstantText(),
  status_code: Type.String(),
  status_message: Type.String(),
  input_preview: Nullable(Type.String({ description: "The first characters of the input." })),
  output_preview: Nullable(Type.String({ description: "The first characters of the output." })),
  found_in: Type.String({ description: foundIn }),
});

const FoundTrace = Type.Object({
  id: Type.String(),
  trace_id: Type.String(),
  start_time: InstantText(),
  end_time: InstantText(),
  span_count: Type.Integer(),
  error_count: Type.Integer(),
  found_span_id: Type.String({
    description:
      "The first span of the trace that contains the text; the first span of all where an annotation of the trace contains it.",
  }),
  found_in: Type.String({ description: foundIn }),
});

const Progress = Type.Object({
  complete: Type.Boolean({
    description: "The range is done; otherwise `next_cursor` goes on, also after an empty page.",
  }),
  fraction: Type.Number({ description: "How much of the time range has been looked at, from 0 to 1." }),
  scanned_until: Nullable(InstantText({ description: "Everything that started after this has been looked at." })),
  scanned_rows: Type.Integer({ description: "How many rows this answer looked at." }),
});

const answerOf = <Found extends typeof FoundSpan | typeof FoundTrace>(found: Found) =>
  Type.Object({ data: Type.Array(found), next_cursor: Nullable(Type.String()), progress: Progress });

export const SpanSearchAnswer = answerOf(FoundSpan);
export const TraceSearchAnswer = answerOf(FoundTrace);

export function foundSpan(span: SpanRecord, traceKey: string, place: string): Static<typeof FoundSpan> {
  return {
    id: globalId(SPAN, span.id),
    name: span.name,
    context: { trace_id: traceKey, span_id: span.spanKey },
    span_kind: span.kind,
    parent_id: span.parentKey,
    start_time: formatInstant(span.startUs),
    end_time: formatInstant(span.startUs + span.latencyUs),
    status_code: span.status,
    status_message: span.statusMessage,
    input_preview: span.inputHead,
    output_preview: span.outputHead,
    found_in: place,
  };
}

export function foundTrace(trace: TraceRecord, spanKey: string, place: string): Static<typeof FoundTrace> {
  return {
    id: globalId(TRACE, trace.id),
    trace_id: trace.traceKey,
    start_time: formatInstant(trace.startUs),
    end_time: formatInstant(trace.endUs),
    span_count: trace.spanCount,
    error_count: trace.errorCount,
    found_span_id: spanKey,
    found_in: place,
  };
}

export function progressBody(progress: {
  readonly complete: boolean;
  readonly fraction: number;
  readonly scannedUntilUs: number | null;
  readonly scannedRows: number;
}): Static<typeof Progress> {
  return {
    complete: progress.complete,
    fraction: progress.fraction,
    scanned_until: progress.scannedUntilUs === null ? null : formatInstant(progress.scannedUntilUs),
    scanned_rows: progress.scannedRows,
  };
}
