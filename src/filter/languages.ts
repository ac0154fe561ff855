// The three languages as data: the names of each, their types and where they are stored.
import {
  cumulativeFields,
  kindField,
  sessionCollections,
  spanCollections,
  statusField,
  traceCollections,
} from "./element-fields.ts";
import {
  type Collection,
  column,
  columns,
  type Field,
  type FieldTable,
  LATENCY_SCALE,
  MONEY_SCALE,
  number,
  TIME_SCALE,
  text,
  timestamp,
} from "./field.ts";
import type { AnnotationOwner } from "./tree.ts";

export interface Language {
  readonly grain: "span" | "trace" | "session";
  readonly fields: ReadonlyMap<string, Field>;
  readonly collections: readonly Collection[];
  /** The names before `['…']` that read annotations, and whose. */
  readonly accessors: Readonly<Record<string, AnnotationOwner>>;
  /** Terms that can only be searched. */
  readonly searched: Readonly<Record<string, "input" | "output">>;
}

const byName = (...tables: readonly FieldTable[]) =>
  new Map(tables.flat().map((field): [string, Field] => [field.name, field]));

/** The same value under another name. */
const alias = (name: string, field: Field): Field => ({ ...field, name });

const spanKey = text("span_id", column("span_key"));
const traceKey = text("trace_id", { in: "trace key" });
const [cumulativePrompt, cumulativeCompletion, cumulativeTotal] = cumulativeFields;
const tokenCount = (part: string) =>
  number(`llm.token_count.${part}`, { in: "attribute", path: ["llm", "token_count", part] });

export const spanLanguage: Language = {
  grain: "span",
  fields: byName(
    [
      spanKey,
      alias("context.span_id", spanKey),
      traceKey,
      alias("context.trace_id", traceKey),
      text("parent_id", column("parent_key")),
      kindField,
      statusField,
      text("name", column("name")),
      text("status_message", column("status_message")),
      number("latency_ms", column("latency_us", LATENCY_SCALE)),
      timestamp("start_time", column("start_us", TIME_SCALE)),
      timestamp("end_time", columns(["start_us", "latency_us"], TIME_SCALE)),
      tokenCount("prompt"),
      tokenCount("completion"),
      tokenCount("total"),
      number("total_cost", { in: "span cost", column: "cost" }),
      number("prompt_cost", { in: "span cost", column: "prompt_cost" }),
      number("completion_cost", { in: "span cost", column: "completion_cost" }),
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
  timestamp("start_time", column("start_us", TIME_SCALE)),
  timestamp("end_time", column("end_us", TIME_SCALE)),
  number("token_count_prompt", column("prompt_tokens")),
  number("token_count_completion", column("completion_tokens")),
  number("token_count_total", columns(["prompt_tokens", "completion_tokens"])),
  number("prompt_cost", { in: "sum of costs", column: "prompt_cost" }),
  number("completion_cost", { in: "sum of costs", column: "completion_cost" }),
  number("total_cost", column("cost", MONEY_SCALE)),
  number("tool_span_count", column("tool_count")),
  number("llm_span_count", column("llm_count")),
];

export const traceLanguage: Language = {
  grain: "trace",
  fields: byName(
    [
      text("trace_id", column("trace_key")),
      number("latency_ms", column("latency_us", LATENCY_SCALE)),
      number("num_spans", column("span_count")),
      number("error_count", column("error_count")),
      text("input", { in: "root text", value: "input", root: "representative" }),
      text("output", { in: "root text", value: "output", root: "representative" }),
    ],
    sumFields,
  ),
  collections: traceCollections,
  accessors: { trace_annotations: "trace" },
  searched: {},
};

export const sessionLanguage: Language = {
  grain: "session",
  fields: byName(
    [
      text("session_id", column("session_key")),
      number("duration_ms", { in: "difference", column: "end_us", from: "start_us", scale: LATENCY_SCALE }),
      number("num_traces", column("trace_count")),
      number("num_traces_with_error", column("error_trace_count")),
      text("first_input", { in: "root text", value: "input", root: "representative" }),
      text("last_output", { in: "root text", value: "output", root: "last" }),
    ],
    sumFields,
  ),
  collections: sessionCollections,
  accessors: { session_annotations: "session" },
  searched: { any_input: "input", any_output: "output" },
};
