// The fields of the elements of comprehensions, and the collections that each language iterates.
import { spanKinds, spanStatuses } from "../model/span.ts";
import type { Collection, Field, FieldTable } from "./field.ts";
import {
  column,
  columns,
  fieldOfNumber,
  fieldOfText,
  fieldOfTime,
  LATENCY_SCALE,
  MONEY_SCALE,
  TIME_SCALE,
} from "./field-builders.ts";

export const kindField: Field = {
  name: "span_kind",
  type: "text",
  place: { in: "codes", column: "kind", names: spanKinds },
  foldsCase: true,
};
export const statusField: Field = {
  name: "status_code",
  type: "text",
  place: { in: "codes", column: "status", names: spanStatuses },
  foldsCase: true,
};

/** Sums over a span and everything below it, under their names in every language. */
export const cumulativeFields: FieldTable = [
  { ...fieldOfNumber("cumulative_llm_token_count_prompt", column("sum_prompt")), rollup: true },
  { ...fieldOfNumber("cumulative_llm_token_count_completion", column("sum_completion")), rollup: true },
  { ...fieldOfNumber("cumulative_llm_token_count_total", columns(["sum_prompt", "sum_completion"])), rollup: true },
];

const ownFields: FieldTable = [
  fieldOfText("name", column("name")),
  kindField,
  statusField,
  fieldOfText("llm_model_name", column("model")),
  fieldOfNumber("latency_ms", column("latency_us", LATENCY_SCALE)),
  fieldOfNumber("llm_token_count_prompt", column("prompt_tokens")),
  fieldOfNumber("llm_token_count_completion", column("completion_tokens")),
  fieldOfNumber("llm_token_count_total", columns(["prompt_tokens", "completion_tokens"])),
];

const spanFields: FieldTable = [
  ...ownFields,
  fieldOfText("parent_id", column("parent_key")),
  fieldOfTime("start_time", column("start_us", TIME_SCALE)),
  fieldOfTime("end_time", columns(["start_us", "latency_us"], TIME_SCALE)),
  { ...fieldOfNumber("cumulative_error_count", column("sum_errors")), rollup: true },
  ...cumulativeFields,
];

const costDetailFields: FieldTable = [
  fieldOfNumber("cost", column("cost", MONEY_SCALE)),
  fieldOfNumber("cost_per_token", { in: "cost per token" }),
  { name: "is_prompt", type: "boolean", place: column("is_prompt") },
  fieldOfText("token_type", column("token_type")),
  fieldOfNumber("tokens", column("tokens")),
];

const annotationFields: FieldTable = [
  fieldOfText("annotator_kind", column("annotator_kind")),
  fieldOfText("identifier", column("identifier")),
  fieldOfText("label", column("label")),
  fieldOfText("name", column("name")),
  fieldOfNumber("score", { in: "double", column: "score" }),
];

const costDetails = (name: string): Collection => ({
  name,
  grain: "cost detail",
  fields: costDetailFields,
  nested: [],
});
const annotations = (name: string): Collection => ({ name, grain: "annotation", fields: annotationFields, nested: [] });
const relatives = (name: string): Collection => ({
  name,
  grain: "span",
  fields: spanFields,
  nested: [],
  hasParent: true,
});

export const spanCollections: readonly Collection[] = [costDetails("cost_details")];

export const traceCollections: readonly Collection[] = [
  {
    name: "spans",
    grain: "span",
    fields: spanFields,
    nested: [relatives("children"), relatives("siblings"), annotations("annotations"), costDetails("cost_details")],
    iteratedInside: true,
    hasParent: true,
  },
  { ...annotations("trace_annotations"), iteratedInside: true },
  { ...annotations("span_annotations"), iteratedInside: true },
  { ...costDetails("span_cost_details"), iteratedInside: true },
];

const sessionSpans: Collection = { name: "spans", grain: "span", fields: ownFields, nested: [] };

export const sessionCollections: readonly Collection[] = [
  sessionSpans,
  {
    name: "traces",
    grain: "trace",
    fields: [
      fieldOfTime("start_time", column("start_us", TIME_SCALE)),
      fieldOfTime("end_time", column("end_us", TIME_SCALE)),
      fieldOfNumber("latency_ms", column("latency_us", LATENCY_SCALE)),
    ],
    nested: [sessionSpans],
  },
  annotations("session_annotations"),
  annotations("span_annotations"),
  costDetails("span_cost_details"),
];
