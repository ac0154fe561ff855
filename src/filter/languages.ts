// The languages as data: the names of each, their types and where they are stored.
import {
  cumulativeFields,
  kindField,
  sessionCollections,
  spanCollections,
  statusField,
  traceCollections,
} from "./element-fields.ts";
import type { Collection, Field, FieldTable } from "./field.ts";
import {
  column,
  columns,
  errorGroupField,
  fieldOfNumber,
  fieldOfText,
  fieldOfTime,
  LATENCY_SCALE,
  MONEY_SCALE,
  TIME_SCALE,
} from "./field-builders.ts";
import { runDocuments } from "./run-documents.ts";
import type { AnnotationOwner } from "./tree.ts";

export interface Language {
  readonly grain: "span" | "trace" | "session" | "run";
  readonly fields: ReadonlyMap<string, Field>;
  readonly collections: readonly Collection[];
  /** The names before `['…']` that read annotations, and whose. */
  readonly accessors: Readonly<Record<string, AnnotationOwner>>;
  /** Terms that can only be searched. */
  readonly searched: Readonly<Record<string, "input" | "output">>;
  /** JSON that is read by `name[…]`, and as a whole by the name; without it `attributes` and `metadata`. */
  readonly documents?: readonly string[];
}

const byName = (...tables: readonly FieldTable[]) =>
  new Map(tables.flat().map((field): [string, Field] => [field.name, field]));

/** The same value under another name. */
const alias = (name: string, field: Field): Field => ({ ...field, name });

const spanKey = fieldOfText("span_id", column("span_key"));
const traceKey = fieldOfText("trace_id", { in: "trace key" });
const [cumulativePrompt, cumulativeCompletion, cumulativeTotal] = cumulativeFields;
const tokenCount = (part: string) =>
  fieldOfNumber(`llm.token_count.${part}`, { in: "attribute", path: ["llm", "token_count", part] });

export const spanLanguage: Language = {
  grain: "span",
  fields: byName(
    [
      spanKey,
      alias("context.span_id", spanKey),
      traceKey,
      alias("context.trace_id", traceKey),
      fieldOfText("parent_id", column("parent_key")),
      kindField,
      statusField,
      fieldOfText("name", column("name")),
      fieldOfText("status_message", column("status_message")),
      errorGroupField("span"),
      fieldOfNumber("latency_ms", column("latency_us", LATENCY_SCALE)),
      fieldOfTime("start_time", column("start_us", TIME_SCALE)),
      fieldOfTime("end_time", columns(["start_us", "latency_us"], TIME_SCALE)),
      tokenCount("prompt"),
      tokenCount("completion"),
      tokenCount("total"),
      fieldOfNumber("total_cost", { in: "span cost", column: "cost" }),
      fieldOfNumber("prompt_cost", { in: "span cost", column: "prompt_cost" }),
      fieldOfNumber("completion_cost", { in: "span cost", column: "completion_cost" }),
      alias("cumulative_token_count.prompt", cumulativePrompt!),
      alias("cumulative_token_count.completion", cumulativeCompletion!),
      alias("cumulative_token_count.total", cumulativeTotal!),
    ],
    cumulativeFields,
  ),
  collections: spanCollections,
  accessors: { annotations: "span", evals: "span", trace_annotations: "trace" },
  searched: {},
};

const sumFields: FieldTable = [
  fieldOfTime("start_time", column("start_us", TIME_SCALE)),
  fieldOfTime("end_time", column("end_us", TIME_SCALE)),
  fieldOfNumber("token_count_prompt", column("prompt_tokens")),
  fieldOfNumber("token_count_completion", column("completion_tokens")),
  fieldOfNumber("token_count_total", columns(["prompt_tokens", "completion_tokens"])),
  fieldOfNumber("prompt_cost", { in: "sum of costs", column: "prompt_cost" }),
  fieldOfNumber("completion_cost", { in: "sum of costs", column: "completion_cost" }),
  fieldOfNumber("total_cost", column("cost", MONEY_SCALE)),
  fieldOfNumber("tool_span_count", column("tool_count")),
  fieldOfNumber("llm_span_count", column("llm_count")),
];

export const traceLanguage: Language = {
  grain: "trace",
  fields: byName(
    [
      fieldOfText("trace_id", column("trace_key")),
      fieldOfNumber("latency_ms", column("latency_us", LATENCY_SCALE)),
      fieldOfNumber("num_spans", column("span_count")),
      fieldOfNumber("error_count", column("error_count")),
      errorGroupField("trace"),
      fieldOfText("input", { in: "root text", value: "input", root: "representative" }),
      fieldOfText("output", { in: "root text", value: "output", root: "representative" }),
    ],
    sumFields,
  ),
  collections: traceCollections,
  accessors: { trace_annotations: "trace", root_annotations: "root" },
  searched: {},
};

export const sessionLanguage: Language = {
  grain: "session",
  fields: byName(
    [
      fieldOfText("session_id", column("session_key")),
      fieldOfNumber("duration_ms", { in: "difference", column: "end_us", from: "start_us", scale: LATENCY_SCALE }),
      fieldOfNumber("num_traces", column("trace_count")),
      fieldOfNumber("num_traces_with_error", column("error_trace_count")),
      errorGroupField("session"),
      fieldOfText("first_input", { in: "root text", value: "input", root: "representative" }),
      fieldOfText("last_output", { in: "root text", value: "output", root: "last" }),
    ],
    sumFields,
  ),
  collections: sessionCollections,
  accessors: { session_annotations: "session" },
  searched: { any_input: "input", any_output: "output" },
};

/** One run of an experiment, with the example that it was made for. */
export const runLanguage: Language = {
  grain: "run",
  fields: byName([
    fieldOfNumber("latency_ms", { in: "difference", column: "end_us", from: "start_us", scale: LATENCY_SCALE }),
    fieldOfNumber("repetition_number", column("repetition")),
    fieldOfText("error", column("error")),
    fieldOfText("trace_id", column("trace_key")),
    fieldOfTime("start_time", column("start_us", TIME_SCALE)),
    fieldOfTime("end_time", column("end_us", TIME_SCALE)),
  ]),
  collections: [],
  accessors: { evals: "run", annotations: "run" },
  searched: {},
  documents: runDocuments,
};
