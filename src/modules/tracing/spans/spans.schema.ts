// Spans as services hand them around, and the query of their lists. (What the API answers: span-answer.schema.ts; what it
// takes: span-body.schema.ts.)
import { type Static, Type } from "@sinclair/typebox";
import type { TypeWord } from "../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { cursorParameter, limitParameter } from "../../../kernel/paging.ts";
import { Instant, Words } from "../../../kernel/schema.ts";
import type { SpanFrame, SpanKind, SpanStatus } from "../../../model/span.ts";
import type { SpanRow } from "../../../storage/span-columns.ts";
import type { SpanFilterInput } from "./span-filter.rules.ts";

/** Type word of the global ids of spans. */
export const SPAN: TypeWord<SpanRecord> = "Span";

/** A stored span with everything it holds. Instants are microseconds UTC. */
export interface Span extends Omit<SpanFrame, "projectName" | "events" | "extra"> {
  readonly id: number;
  /** Nested, with large values in their places. */
  readonly attributes: JsonObject;
  /** As stored: objects with `name`, `timestamp`, `attributes`. */
  readonly events: readonly Json[];
}

/** The row of a span, without what it holds. Instants and latencies in microseconds. */
export type SpanRecord = Omit<SpanRow, "kind" | "status" | "repeatsChild"> & {
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** A child recorded the same call of a model, and sums count it there. */
  readonly repeatsChild: boolean;
};

/** Sums over a span and everything below it, settled. */
export interface SpanSums {
  readonly errors: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const filters = {
  cursor: cursorParameter,
  limit: limitParameter({ default: 100, maximum: 1000 }),
  start_time: Type.Optional(Instant({ description: "Spans that started at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Spans that started before this time." })),
  trace_id: texts("Ids of traces, as sent by the exporter."),
  span_id: texts("Ids of spans, as sent by the exporter."),
  parent_id: Type.Optional(Type.String({ description: "Id of the parent; `null` for spans without one." })),
  name: texts("Exact names."),
  status_code: texts("OK, ERROR or UNSET, in any letter case."),
  attribute: texts("`key:value`, all must hold. The value is read as JSON, else as text; quote a text of digits."),
};

export const SpanQuery = Type.Object({
  ...filters,
  sort: Words(["id", "start_time"], { default: "id", description: "`id` is the order of arrival." }),
  order: Words(["asc", "desc"], { default: "desc" }),
  span_kind: texts("Normalised kinds, in any letter case."),
});

/** The OTLP form takes neither an order nor kinds: it ignores them. */
export const OtlpSpanQuery = Type.Object(filters);

export const SpanValueQuery = Type.Object({
  path: Type.String({ description: 'JSON list of keys and positions, e.g. `["attributes","input","value"]`.' }),
});

export function filterInputOf(
  query: Static<typeof OtlpSpanQuery> & Partial<Static<typeof SpanQuery>>,
): SpanFilterInput {
  return {
    startUs: query.start_time,
    endUs: query.end_time,
    traceKeys: query.trace_id,
    spanKeys: query.span_id,
    parentKey: query.parent_id,
    names: query.name,
    kinds: query.span_kind,
    statuses: query.status_code,
    attributes: query.attribute,
  };
}
