// The rows of ingestion-sequences.json and how their spans are written in OTLP.
import { randomBytes } from "node:crypto";
import recorded from "../vectors/ingestion-sequences.json" with { type: "json" };
import { type OtlpAttribute, type OtlpSpan, otlpAttributes } from "./otlp-encode.ts";

interface SequenceSpan {
  readonly name: string;
  readonly trace?: string;
  readonly trace_hex?: string;
  readonly span?: string;
  readonly span_hex?: string;
  readonly parent?: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly attrs_otlp?: readonly OtlpAttribute[];
  readonly events?: readonly { name: string; time_ns?: number; attrs: Readonly<Record<string, unknown>> }[];
  readonly status?: number;
  readonly message?: string;
  readonly start_s?: number;
  readonly end_s?: number;
  readonly start_ns?: number;
  readonly end_ns?: number;
}
type Step = { readonly project: string; readonly spans: readonly SequenceSpan[] } | { readonly delete_span: string };
type ByProject<Value> = Readonly<Record<string, Value>>;
export interface Sequence {
  readonly id: string;
  readonly steps: readonly Step[];
  readonly expect: {
    readonly rollup?: ByProject<Readonly<Record<string, unknown>>>;
    readonly traces?: ByProject<
      number | readonly { trace: string; start_time: string; end_time: string; tokens: number[] }[]
    >;
    readonly sessions?: ByProject<
      readonly { session_id: string; start_time: string; end_time: string; traces: string[] }[]
    >;
    readonly spans?: ByProject<number | readonly string[]>;
    readonly projects?: ByProject<number>;
    readonly times?: ByProject<Readonly<Record<string, readonly string[]>>>;
    readonly events?: ByProject<readonly unknown[]>;
  };
}

export const sequences = recorded.sequences as unknown as readonly Sequence[];
const START_NS = 1_700_000_000_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** Fresh ids for the symbols of one sequence. */
export function symbolTable() {
  const ids = new Map<string, string>();
  const idOf = (kind: string, symbol: string, size: number) => {
    const key = `${kind} ${symbol}`;
    if (!ids.has(key)) ids.set(key, size === 0 ? crypto.randomUUID() : randomBytes(size).toString("hex"));
    return ids.get(key)!;
  };
  return {
    trace: (symbol: string) => idOf("trace", symbol, 16),
    span: (symbol: string) => idOf("span", symbol, 8),
    /** `$A` to `$D` wherever they occur. */
    withSessions: <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replace(/\$[A-D]/g, (symbol) => idOf("session", symbol, 0))) as Value,
  };
}
export type Symbols = ReturnType<typeof symbolTable>;

export function otlpSpan(span: SequenceSpan, symbols: Symbols): OtlpSpan {
  const start = START_NS + BigInt(span.start_s ?? 0) * SECOND_NS;
  const end = START_NS + BigInt(span.end_s ?? 1) * SECOND_NS;
  return {
    traceId: span.trace_hex ?? symbols.trace(span.trace!),
    spanId: span.span_hex ?? symbols.span(span.span!),
    ...(span.parent === undefined ? {} : { parentSpanId: symbols.span(span.parent) }),
    name: span.name,
    startTimeUnixNano: String(span.start_ns === undefined ? start : exactNs(span.start_ns)),
    endTimeUnixNano: String(span.end_ns === undefined ? end : exactNs(span.end_ns)),
    status: { code: span.status ?? 0, message: span.message ?? "" },
    attributes: span.attrs_otlp ?? otlpAttributes(symbols.withSessions(span.attrs ?? {})),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      timeUnixNano: String(event.time_ns === undefined ? START_NS : exactNs(event.time_ns)),
      attributes: otlpAttributes(event.attrs),
    })),
  };
}

/** The vectors hold nanoseconds as JSON numbers, which lose their last digits; these are the ones that occur. */
const EXACT = [1700000000123456789n, 1700000000123458289n, 1700000000999999999n, 0n];
function exactNs(approximate: number): bigint {
  return EXACT.find((exact) => Number(exact) === approximate)!;
}
