// Spans that break careless servers, written as OTLP/JSON: each is valid in its encoding, and its neighbours in a request must
// be stored even if it is rejected.
import { type OtlpSpan, type OtlpValue, otlpAttributes } from "./otlp-encode.ts";

export interface HostileSpans {
  readonly name: string;
  readonly spans: readonly OtlpSpan[];
  /** How many of them cannot be stored and are counted in the answer; absent means none. */
  readonly rejected?: number;
}

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

let lastTrace = 0;

/** A span of a trace of its own, ordinary where the test says nothing. */
export function ordinarySpan(given: OtlpSpan = {}): OtlpSpan {
  return {
    traceId: `fa017500${(++lastTrace).toString(16).padStart(24, "0")}`,
    spanId: lastTrace.toString(16).padStart(16, "0"),
    name: "ordinary",
    kind: 1,
    startTimeUnixNano: "1704067200000000000",
    endTimeUnixNano: "1704067201000000000",
    ...given,
  };
}

/** One hostile span with these attributes, as plain values or as they stand on the wire. */
function withAttributes(name: string, values: Readonly<Record<string, unknown>>): HostileSpans {
  return { name, spans: [ordinarySpan({ name, attributes: otlpAttributes(values) })] };
}

function withValue(name: string, key: string, value: OtlpValue): HostileSpans {
  return { name, spans: [ordinarySpan({ name, attributes: [{ key, value }] })] };
}

function withSpan(name: string, span: OtlpSpan): HostileSpans {
  return { name, spans: [ordinarySpan({ name, ...span })] };
}

function nestedObjects(depth: number): OtlpValue {
  let value: OtlpValue = { intValue: 1 };
  for (let level = 0; level < depth; level++) value = { kvlistValue: { values: [{ key: "k", value }] } };
  return value;
}

/** Spans whose parents lead round in a circle, with a tail of children below it. */
function circle(length: number): OtlpSpan[] {
  const { traceId } = ordinarySpan();
  const key = (position: number) => (position + 1).toString(16).padStart(16, "c");
  const members = Array.from({ length }, (_, position) =>
    ordinarySpan({
      traceId: traceId!,
      spanId: key(position),
      parentSpanId: key((position + 1) % length),
      attributes: otlpAttributes({ "llm.token_count.prompt": 1 }),
    }),
  );
  return [...members, ordinarySpan({ traceId: traceId!, parentSpanId: key(0) })];
}

const nul = "before\u0000after";
const surrogate = "half \ud83d and \udca9 half";

/** What both encodings can say. */
export const hostileSpans: readonly HostileSpans[] = [
  withAttributes("a key of 64 KB", { ["k".repeat(64 * KILOBYTE)]: "value", ["é".repeat(64 * KILOBYTE)]: 1 }),
  withAttributes("a key of 10,000 segments", { ["a.".repeat(9_999) + "a"]: 1, ["0.".repeat(9_999) + "0"]: 2 }),
  withAttributes("keys of dots alone", { "": 1, ".": 2, "...": 3, "a..b": 4, ".a": 5, "a.": 6, " . ": 7 }),
  withAttributes("positions beyond any list", {
    "a.4294967295.b": 1,
    "a.99999999999999999999": 2,
    "b.1000000": 3,
    "a.²": 4,
  }),
  withAttributes("a digit segment of 5,000 digits", { [`a.${"9".repeat(5_000)}`]: 1, [`b.${"0".repeat(5_000)}1`]: 2 }),
  withAttributes("names of the prototype", {
    "__proto__.polluted": true,
    __proto__x: 1,
    "constructor.prototype.polluted": true,
    "a.__proto__.b": 1,
    toString: 1,
    hasOwnProperty: 2,
  }),
  { ...withValue("a member __proto__", "__proto__", { stringValue: "own" }) },
  withValue("a nested member __proto__", "a", {
    kvlistValue: { values: [{ key: "__proto__", value: nestedObjects(2) }] },
  }),
  withValue("objects 90 deep", "deep", nestedObjects(90)),
  withValue("objects 400 deep", "deep", nestedObjects(400)),
  withAttributes("the same key as text, list and object", { a: "text", "a.0": 1, "a.b": 2, "a.b.c": 3 }),
  withAttributes(
    "20,000 attributes",
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a.${i}.b.${i % 7}`, i])),
  ),
  withAttributes("NUL everywhere", {
    [nul]: nul,
    "session.id": nul,
    "user.id": nul,
    "llm.model_name": nul,
    metadata: `{"${"\\u0000"}":"\\u0000"}`,
  }),
  withSpan("NUL in name and status", { name: nul, status: { code: 2, message: nul } }),
  withValue("NaN", "number", { doubleValue: "NaN" }),
  withValue("infinities in a list", "numbers", {
    arrayValue: { values: [{ doubleValue: "Infinity" }, { doubleValue: "-Infinity" }, { doubleValue: -0 }, {}] },
  }),
  withValue("the largest double", "number", { doubleValue: 1.7976931348623157e308 }),
  withValue("the smallest integer", "number", { intValue: "-9223372036854775808" }),
  withValue("bytes that are no text", "input.value", {
    bytesValue: Buffer.from([0, 255, 254, 128]).toString("base64"),
  }),
  withAttributes("token counts that are none", {
    "llm.token_count.prompt": "many",
    "llm.token_count.completion": -5,
    "llm.token_count.total": [1, 2],
  }),
  withAttributes("endless token counts", {
    "llm.token_count.prompt": Number.MAX_SAFE_INTEGER,
    "llm.token_count.completion": 1e300,
  }),
  withAttributes("a kind that is an object", { "openinference.span.kind.llm": 1 }),
  withAttributes("a kind of 10,000 characters", { "openinference.span.kind": "LLM".repeat(3_000) }),
  withAttributes("a session that is a list", { "session.id": [1, { a: 2 }] }),
  withAttributes("a user of 5,000 characters", { "user.id": "u".repeat(5_000), "llm.model_name": "m".repeat(5_000) }),
  withAttributes("JSON text in metadata that is none", {
    metadata: '{"a":',
    "document.metadata": "[[[[",
    "tool.parameters": "NaN",
  }),
  withAttributes("JSON text in metadata 20,000 deep", { metadata: "[".repeat(20_000) + "]".repeat(20_000) }),
  withAttributes("numbers in metadata beyond every type", {
    metadata: '{"a":1e400,"b":123456789012345678901234567890,"c":-0}',
  }),
  withSpan("no name, no times", { name: "", startTimeUnixNano: "0", endTimeUnixNano: "0" }),
  withSpan("times at the end of 64 bits", {
    startTimeUnixNano: "18446744073709551615",
    endTimeUnixNano: "18446744073709551615",
  }),
  withSpan("an end before the start", { startTimeUnixNano: "1704067200000000000", endTimeUnixNano: "1" }),
  withSpan("a name of a megabyte", { name: "n".repeat(MEGABYTE), status: { code: 2, message: "s".repeat(MEGABYTE) } }),
  withSpan("a kind and a status that nobody knows", { kind: 4_000, status: { code: 77 } }),
  withSpan("5,000 events and links", {
    events: Array.from({ length: 5_000 }, (_, i) => ({
      name: `e${i}`,
      timeUnixNano: String(i),
      attributes: otlpAttributes({ a: i }),
    })),
    links: Array.from({ length: 5_000 }, () => ({ traceId: "00", spanId: "ff" })),
  }),
  withSpan("its own parent", { spanId: "5e1f5e1f5e1f5e1f", parentSpanId: "5e1f5e1f5e1f5e1f" }),
  { name: "a circle of two", spans: circle(2) },
  { name: "a circle of a thousand", spans: circle(1_000) },
  {
    name: "the same span twice",
    spans: [ordinarySpan({ traceId: "ab".repeat(16) }), ordinarySpan({ traceId: "ab".repeat(16) })].map((span) => ({
      ...span,
      spanId: "ab".repeat(8),
    })),
  },
  withSpan("ids of one byte", { traceId: "01", spanId: "02", parentSpanId: "03" }),
  withSpan("ids of 500 bytes", { traceId: "ab".repeat(500), spanId: "cd".repeat(500) }),
  { ...withSpan("ids longer than an index takes", { traceId: "ab".repeat(5_000) }), rejected: 1 },
  withAttributes("a session longer than an index takes", { "session.id": "s".repeat(5_000) }),
  withAttributes("one span of 20 MB", { "input.value": "0123456789 äöü ".repeat((20 * MEGABYTE) / 18) }),
  withAttributes("20 MB in a list of texts", { texts: Array.from({ length: 200 }, () => "x".repeat(100 * KILOBYTE)) }),
];

/** What only JSON can say. */
export const hostileJsonSpans: readonly HostileSpans[] = [
  withAttributes("lone surrogates everywhere", {
    [surrogate]: surrogate,
    "session.id": surrogate,
    "input.value": surrogate,
  }),
  withSpan("lone surrogates in the name", { name: surrogate, status: { code: 2, message: surrogate } }),
];

/** A span in the form of `POST /v1/projects/{p}/spans`. */
export interface RestSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly parent_id?: string | null;
  readonly status_message?: string;
  readonly attributes?: unknown;
  readonly events?: unknown;
}

export interface HostileRestSpans {
  readonly name: string;
  readonly spans: readonly RestSpan[];
  /** The status of a request that has them; absent where all of it is stored. */
  readonly refused?: number;
}

export function restSpan(given: Partial<RestSpan> = {}): RestSpan {
  const { traceId, spanId } = ordinarySpan();
  return {
    name: "ordinary",
    context: { trace_id: traceId!, span_id: spanId! },
    span_kind: "CHAIN",
    start_time: "2024-01-01T00:00:00Z",
    end_time: "2024-01-01T00:00:01+00:00",
    status_code: "OK",
    ...given,
  };
}

function rest(name: string, given: Partial<RestSpan>, refused?: number): HostileRestSpans {
  return { name, spans: [restSpan({ name, ...given })], ...(refused === undefined ? {} : { refused }) };
}

/** Stands for a value too deep for `JSON.stringify`, which `restBody` puts in its place. */
const BOTTOMLESS = "too deep to be written as a value";

/** The body of a request with these spans. */
export function restBody(data: readonly RestSpan[]): string {
  return JSON.stringify({ data }).replace(`"${BOTTOMLESS}"`, "[".repeat(100_000) + "]".repeat(100_000));
}

function nestedLists(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

export const hostileRestSpans: readonly HostileRestSpans[] = [
  rest("NUL everywhere", {
    name: nul,
    status_message: nul,
    attributes: { [nul]: nul, "session.id": nul, a: { [nul]: [nul] } },
  }),
  rest("lone surrogates everywhere", {
    name: surrogate,
    attributes: { [surrogate]: surrogate, "session.id": surrogate },
  }),
  rest("keys of the prototype", {
    attributes: JSON.parse('{"__proto__":{"polluted":true},"constructor.prototype.polluted":true}'),
  }),
  rest("a key of 10,000 segments", { attributes: { [`${"a.".repeat(9_999)}a`]: 1 } }),
  rest("lists 90 deep", { attributes: { deep: nestedLists(90) } }),
  rest("lists 1,900 deep", { attributes: { deep: nestedLists(1_900) } }),
  rest("lists 100,000 deep", { attributes: { deep: BOTTOMLESS } }, 400),
  rest("a key of 64 KB", { attributes: { ["k".repeat(64 * KILOBYTE)]: 1 } }),
  rest("a text of 20 MB", { attributes: { "input.value": "x".repeat(20 * MEGABYTE) } }),
  rest("ids of any text", { context: { trace_id: "trace / ?#% 🌦", span_id: "span / ?#% 🌦" } }),
  rest("a kind and a status that nobody knows", { span_kind: "🌦", status_code: "🌦" }),
  rest("times at the edges", { start_time: "0001-01-01T00:00:00Z", end_time: "9999-12-31T23:59:59.999999Z" }),
  rest("its own parent", { context: { trace_id: "own parent", span_id: "own parent" }, parent_id: "own parent" }),
  rest("ids longer than an index takes", { context: { trace_id: "t".repeat(5_000), span_id: "s" } }, 400),
  rest("a time without a zone", { start_time: "2024-01-01T00:00:00" }, 422),
  rest("attributes that are a list", { attributes: [1, 2] }, 422),
  rest("events that are text", { events: "none" }, 422),
];
