// What an explanation looks at: each property by the name of the filter language, with the conditions that select and leave out one of
// its values.
import type { NumberRange } from "../../../../analysis/explain/value-tally.ts";
import { printedText } from "../../../../filter/syntax.ts";
import { attributeName } from "../../../../filter/vocabulary.ts";

/** What is compared: each has a filter language of its own. */
export const explainedItems = ["traces", "spans"] as const;
export type ExplainedItems = (typeof explainedItems)[number];

/** `only` selects what has the value, `without` everything else, also what has no value at all. */
export interface ValueConditions {
  readonly only: string;
  readonly without: string;
}

export interface ExplainedKey {
  readonly name: string;
  /** What a condition must not read for it to be looked at: a selection by a value would be explained by itself. */
  readonly reads: readonly string[];
  /** Of a number that is stored as an integer: its unit is 10^-scale of that of the language. */
  readonly scale?: number;
  conditions(value: string, range: NumberRange | null): ValueConditions;
}

function comparison(name: string, reads: readonly string[], isNullable: boolean): ExplainedKey {
  return {
    name,
    reads,
    conditions(value) {
      const literal = printedText(value);
      const other = `${name} != ${literal}`;
      return { only: `${name} == ${literal}`, without: isNullable ? `(${other} or ${name} is None)` : other };
    },
  };
}

/** Of a trace: one of its spans has it. */
function ofSpans(name: string, field: string, kind = ""): ExplainedKey {
  return {
    name,
    reads: [field],
    conditions(value) {
      const only = `any(${kind}s.${field} == ${printedText(value)} for s in spans)`;
      return { only, without: `not ${only}` };
    },
  };
}

function numberKey(name: string, scale: number): ExplainedKey {
  return {
    ...{ name, scale, reads: [name] },
    conditions: (_value, range) => rangeConditions(name, scale, range),
  };
}

function rangeConditions(read: string, scale: number, range: NumberRange | null) {
  const { min, max } = range ?? { min: 0, max: null };
  const [low, high] = [decimal(min, scale), max === null ? null : decimal(max, scale)];
  return {
    only: high === null ? `${read} >= ${low}` : `${read} >= ${low} and ${read} < ${high}`,
    without: high === null ? `${read} < ${low}` : `(${read} < ${low} or ${read} >= ${high})`,
  };
}

/** A value of a key in the units of the filter language, with its conditions. */
export function inLanguage(key: ExplainedKey, value: string, range: NumberRange | null) {
  const conditions = key.conditions(value, range);
  if (range === null) return { value, range, ...conditions };
  const { scale = 0 } = key;
  const [min, max] = [decimal(range.min, scale), range.max === null ? null : decimal(range.max, scale)];
  return {
    value: max === null ? `≥ ${min}` : `${min} – ${max}`,
    range: { min: Number(min), max: max === null ? null : Number(max) },
    ...conditions,
  };
}

/** Exact: a literal of the language has as many digits as are written. */
function decimal(units: number, scale: number): string {
  if (scale === 0) return String(units);
  const digits = String(Math.abs(units)).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}

const LATENCY_SCALE = 3;
const MONEY_SCALE = 12;

export const traceKeys = {
  status: {
    ...{ name: "status", reads: ["error_count", "error_group", "status_code"] },
    conditions: (value: string) => {
      const [failed, good] = ["error_count > 0", "error_count == 0"];
      return value === "ERROR" ? { only: failed, without: good } : { only: good, without: failed };
    },
  },
  user: comparison("user.id", ["user.id"], true),
  model: ofSpans("model", "llm_model_name"),
  tool: ofSpans("tool", "name", "s.span_kind == 'TOOL' and "),
  span: ofSpans("span", "name", "s.span_kind != 'TOOL' and "),
} as const satisfies Readonly<Record<string, ExplainedKey>>;

export const spanKeys = {
  status: comparison("status_code", ["status_code", "error_group"], false),
  kind: comparison("span_kind", ["span_kind"], false),
  name: comparison("name", ["name"], false),
  model: comparison("llm.model_name", ["llm.model_name"], true),
  user: comparison("user.id", ["user.id"], true),
} as const satisfies Readonly<Record<string, ExplainedKey>>;

/** By the column that holds the number. */
export const numberKeys: Readonly<Record<ExplainedItems, Readonly<Record<string, ExplainedKey>>>> = {
  traces: {
    latency: numberKey("latency_ms", LATENCY_SCALE),
    tokens: numberKey("token_count_total", 0),
    cost: numberKey("total_cost", MONEY_SCALE),
    spans: numberKey("num_spans", 0),
  },
  spans: { latency: numberKey("latency_ms", LATENCY_SCALE), cost: numberKey("total_cost", MONEY_SCALE) },
};

/** Of an attribute: of spans their own, of traces that of the root. */
export function attributeKey(of: ExplainedItems, path: readonly string[], type: "text" | "number"): ExplainedKey {
  const name = attributeName(of === "traces" ? "trace" : "span", path);
  const reads = [path.join(".")];
  if (type === "text") return comparison(name, reads, true);
  const read = `float(${name})`;
  return {
    ...{ name, reads },
    conditions(_value, range) {
      const { only, without } = rangeConditions(read, 0, range);
      return { only, without: `(${without} or ${read} is None)` };
    },
  };
}

/** Texts, messages and ids say nothing about several items; the others have keys of their own. */
const LEFT_OUT =
  /^(input|output|exception|session\.id|user\.id|llm\.(model_name|input_messages|output_messages|token_count|cost|tools)|openinference\.span\.kind|retrieval|reranker|embedding)(\.|$)/;

/** Whether an attribute is looked at. */
export function isExplaining(path: readonly string[]): boolean {
  return !LEFT_OUT.test(path.join("."));
}
