// The rows of filter conditions as plain objects that point at each other: what each field, attribute and reading of an
// attribute is, without a database.
import type { Field } from "../../src/filter/field.ts";
import { isRawNumber, type Json, type JsonObject, stringifyJson } from "../../src/kernel/json.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { type AnnotationRow, attributesOf, type CostDetail, type FilterData, type SpanCosts } from "./filter-data.ts";
import type { Numeric } from "./filter-numbers.ts";

type Truth = boolean | null;
export type Row =
  | SpanRow
  | TraceRow
  | SessionRow
  | { readonly grain: "cost detail"; readonly detail: CostDetail }
  | AnnotationElement;
interface AnnotationElement {
  readonly grain: "annotation";
  readonly annotation: AnnotationRow;
}

export interface SpanRow {
  readonly grain: "span";
  /** Position of arrival. */
  readonly id: number;
  readonly span: IncomingSpan;
  readonly attributes: JsonObject;
  readonly costs: SpanCosts | null;
  readonly trace: TraceRow;
  sums: { errors: number; prompt: number; completion: number };
}

export interface TraceRow {
  readonly grain: "trace";
  readonly id: number;
  readonly key: string;
  readonly spans: SpanRow[];
  session: SessionRow | null;
}

export interface SessionRow {
  readonly grain: "session";
  readonly key: string;
  readonly traces: TraceRow[];
}

/** A data set as rows that point at each other. */
export interface EvaluatedData {
  readonly spans: readonly SpanRow[];
  readonly traces: readonly TraceRow[];
  readonly sessions: readonly SessionRow[];
  readonly annotations: readonly AnnotationRow[];
}

export function evaluatedData(data: FilterData): EvaluatedData {
  const traces = new Map<string, TraceRow>();
  const sessions = new Map<string, SessionRow>();
  const spans = data.spans.map((span, id): SpanRow => {
    let trace = traces.get(span.traceKey);
    if (trace === undefined) {
      trace = { grain: "trace", id: traces.size, key: span.traceKey, spans: [], session: null };
      traces.set(span.traceKey, trace);
    }
    if (span.sessionKey !== null && trace.session === null) {
      const session = sessions.get(span.sessionKey) ?? { grain: "session", key: span.sessionKey, traces: [] };
      sessions.set(span.sessionKey, session);
      session.traces.push(trace);
      trace.session = session;
    }
    const costs = data.costs.get(span.spanKey) ?? null;
    const sums = { errors: 0, prompt: 0, completion: 0 };
    const row: SpanRow = { grain: "span", id, span, attributes: attributesOf(span), costs, trace, sums };
    trace.spans.push(row);
    return row;
  });
  for (const row of spans) {
    for (let above: SpanRow | null = row; above !== null; above = parentOf(above)) {
      above.sums.errors += row.span.status === "ERROR" ? 1 : 0;
      above.sums.prompt += row.span.promptTokens ?? 0;
      above.sums.completion += row.span.completionTokens ?? 0;
    }
  }
  return { spans, traces: [...traces.values()], sessions: [...sessions.values()], annotations: data.annotations };
}

export function parentOf(row: SpanRow): SpanRow | null {
  return row.trace.spans.find(({ span }) => span.spanKey === row.span.parentKey) ?? null;
}

/** The span that represents a trace or session. */
export function representative(row: TraceRow | SessionRow): SpanRow | undefined {
  if (row.grain === "session") return rootsOf(row)[0];
  const roots = row.spans.filter((span) => parentOf(span) === null);
  return roots.sort((a, b) => a.span.startUs - b.span.startUs || b.id - a.id)[0];
}

/** The spans without a parent pointer, by the start of their trace. */
export function rootsOf({ traces }: SessionRow): SpanRow[] {
  const start = (trace: TraceRow) => Math.min(...trace.spans.map(({ span }) => span.startUs));
  return [...traces]
    .sort((a, b) => start(a) - start(b) || a.id - b.id)
    .flatMap((trace) => trace.spans.filter(({ span }) => span.parentKey === null));
}

export function valueAt(attributes: Json, path: readonly (string | number)[]): Json {
  let value: Json = attributes;
  for (const step of path) {
    if (typeof value !== "object" || value === null || isRawNumber(value)) return null;
    if (Array.isArray(value) !== (typeof step === "number") || !Object.hasOwn(value, step)) return null;
    value = (value as Record<string | number, Json>)[step]!;
  }
  return value;
}

export function wireText(attributes: JsonObject, path: readonly [string, string]): string | null {
  return readText(valueAt(attributes, path) ?? valueAt(attributes, [path.join(".")]));
}

export function readText(value: Json): string | null {
  if (value === null || typeof value === "string") return value;
  const text = stringifyJson(value);
  return text === "-0.0" ? "0.0" : /^-?[\d.]+e/.test(text) ? withoutExponent(text) : text;
}

/** `1.5e-7` with all its digits. */
function withoutExponent(text: string): string {
  const [, sign, whole, fraction = "", exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)!;
  const digits = `${whole}${fraction}`;
  const places = Number(exponent);
  return places < 0 ? `${sign}0.${"0".repeat(-places - 1)}${digits}` : sign + digits.padEnd(places + 1, "0");
}

export function readBoolean(value: Json): Truth {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  return text === "true" ? true : text === "false" ? false : null;
}

export function readNumber(value: Json): Numeric | null {
  if (typeof value === "number") return { form: "decimal", value: Number.isSafeInteger(value) ? BigInt(value) : value };
  if (isRawNumber(value)) return numberFromDigits(value.rawJSON);
  if (typeof value !== "string" || value.length > 200) return null;
  const text = value.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "");
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?0*\d{1,3})?$/.test(text)) return null;
  const size = Math.abs(Number(text));
  if (size >= 1e300) return null;
  return size < 1e-300 ? { form: "decimal", value: 0n } : numberFromDigits(text);
}

function numberFromDigits(text: string): Numeric {
  if (/^[+-]?\d+$/.test(text)) {
    const integer = BigInt(text.replace(/^\+/, ""));
    if (BigInt.asIntN(64, integer) === integer) return { form: "decimal", value: integer };
  }
  return { form: "decimal", value: Number(text) };
}

export function numberField(row: Row, { name }: Field): Numeric | null {
  const units = (value: number | bigint | null | undefined, scale: number): Numeric | null =>
    value === null || value === undefined ? null : { form: "exact", units: BigInt(value), scale };
  if (row.grain === "span") return spanNumber(row, name, units);
  if (row.grain === "cost detail") {
    const { tokens, cost } = row.detail;
    if (name === "tokens") return units(tokens, 0);
    if (name === "cost") return units(cost, 12);
    return cost === null || !tokens ? null : { form: "double", value: Number(cost) / 1e12 / tokens };
  }
  if (row.grain === "annotation") {
    const { score } = row.annotation;
    return score === null ? null : { form: "double", value: score };
  }
  const spans = row.grain === "trace" ? row.spans : row.traces.flatMap((trace) => trace.spans);
  const count = (test: (span: SpanRow) => boolean) => units(spans.filter(test).length, 0);
  const sum = (of: (span: SpanRow) => number | bigint | null | undefined, scale = 0) =>
    units(
      spans.reduce((total, span) => total + BigInt(of(span) ?? 0), 0n),
      scale,
    );
  const start = Math.min(...spans.map(({ span }) => span.startUs));
  const end = Math.max(...spans.map(({ span }) => span.endUs));
  switch (name) {
    case "start_time":
      return units(start, 6);
    case "end_time":
      return units(end, 6);
    case "latency_ms":
    case "duration_ms":
      return units(end - start, 3);
    case "num_spans":
      return units(spans.length, 0);
    case "error_count":
      return count(({ span }) => span.status === "ERROR");
    case "tool_span_count":
      return count(({ span }) => span.kind === "TOOL");
    case "llm_span_count":
      return count(({ span }) => span.kind === "LLM");
    case "token_count_prompt":
      return sum(({ span }) => span.promptTokens);
    case "token_count_completion":
      return sum(({ span }) => span.completionTokens);
    case "token_count_total":
      return sum(({ span }) => (span.promptTokens ?? 0) + (span.completionTokens ?? 0));
    case "total_cost":
      return sum(({ costs }) => costs?.total, 12);
    case "prompt_cost":
      return sum(({ costs }) => costs?.prompt, 12);
    case "completion_cost":
      return sum(({ costs }) => costs?.completion, 12);
    case "num_traces":
      return units((row as SessionRow).traces.length, 0);
    case "num_traces_with_error":
      return units(
        (row as SessionRow).traces.filter((trace) => trace.spans.some((each) => each.span.status === "ERROR")).length,
        0,
      );
    default:
      throw new Error(`No ${name} of a ${row.grain}`);
  }
}

function spanNumber(
  { span, sums, costs, attributes }: SpanRow,
  name: string,
  units: (value: number | bigint | null | undefined, scale: number) => Numeric | null,
): Numeric | null {
  const { promptTokens, completionTokens } = span;
  const part = name.split(/[._]/).at(-1);
  if (name.startsWith("llm.token_count.")) return readNumber(valueAt(attributes, ["llm", "token_count", part!]));
  if (name === "cumulative_error_count") return units(sums.errors, 0);
  if (name.startsWith("cumulative"))
    return units(
      { prompt: sums.prompt, completion: sums.completion }[part as "prompt"] ?? sums.prompt + sums.completion,
      0,
    );
  if (name.startsWith("llm_token_count"))
    return units(
      part === "prompt"
        ? promptTokens
        : part === "completion"
          ? completionTokens
          : promptTokens === null || completionTokens === null
            ? null
            : promptTokens + completionTokens,
      0,
    );
  if (name === "latency_ms") return units(span.endUs - span.startUs, 3);
  if (name === "start_time") return units(span.startUs, 6);
  if (name === "end_time") return units(span.endUs, 6);
  return units(costs?.[name.replace("_cost", "") as "total"] ?? 0, 12);
}

export function textField(row: Row, { name }: Field): string | null {
  switch (row.grain) {
    case "cost detail":
      return row.detail.tokenType;
    case "annotation":
      return row.annotation[name === "annotator_kind" ? "annotatorKind" : (name as "name")];
    case "session":
      if (name === "session_id") return row.key;
      return rootText(name === "last_output" ? rootsOf(row).at(-1) : rootsOf(row)[0], name);
    case "trace":
      return name === "trace_id" ? row.key : rootText(representative(row), name);
    case "span":
      return spanText(row.span, name);
  }
}

function rootText(root: SpanRow | undefined, name: string): string | null {
  return root === undefined ? null : wireText(root.attributes, [name.endsWith("output") ? "output" : "input", "value"]);
}

function spanText(span: IncomingSpan, name: string): string | null {
  const texts: Readonly<Record<string, string | null>> = {
    span_id: span.spanKey,
    "context.span_id": span.spanKey,
    trace_id: span.traceKey,
    "context.trace_id": span.traceKey,
    parent_id: span.parentKey,
    span_kind: span.kind,
    status_code: span.status,
    name: span.name,
    llm_model_name: span.model,
    status_message: span.statusMessage,
  };
  return texts[name] ?? null;
}
