// Export requests as a busy application sends them: traces of 20 spans, children first, cut into requests wherever one is
// full. Every span is encoded once; a request copies those bytes and patches ids, times and session in place, so that the
// generator takes a few microseconds a span.
import { encodeOtlp, type OtlpSpan, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { attributesOf, SPANS_PER_TRACE, type SpanSize, treeOfSpans } from "./spans.ts";

export interface PayloadOptions {
  readonly size: SpanSize;
  readonly project: string;
  readonly spansPerRequest: number;
  /** Start of each next trace, in nanoseconds. */
  readonly traceStart: () => bigint;
}

export interface Payloads {
  /** The next request. It goes on where the last one cut a trace. */
  next(): Uint8Array<ArrayBuffer>;
  readonly bytesPerSpan: number;
}

/** One encoded span and where in it the parts are that differ. */
interface Template {
  readonly bytes: Uint8Array;
  readonly traceId: number;
  readonly spanId: number;
  /** Null for the root. */
  readonly parentId: number | null;
  readonly start: number;
  readonly end: number;
  /** Null in traces without a session. */
  readonly session: number | null;
  /** Position of the parent among the spans of a trace. */
  readonly parent: number | null;
  /** Nanoseconds after the start of the trace. */
  readonly startOffset: bigint;
  readonly endOffset: bigint;
}

interface OpenTrace {
  readonly traceId: Uint8Array;
  readonly spanIds: readonly Uint8Array[];
  readonly session: Uint8Array | null;
  readonly start: bigint;
  next: number;
}

// Marks in the template, each unmistakable among the other bytes.
const TRACE_ID = "a7f3".repeat(8);
const SPAN_ID = "b6e2".repeat(4);
const PARENT_ID = "c5d1".repeat(4);
const START = 0x1d3c_7a95_e2f0_8b41n;
const END = 0x1d3c_7a95_e2f0_9c52n;
const SESSION = "session-############";
/** Sessions are for every third trace and hold this many of them. */
const TRACES_PER_SESSION = 5;

let lastGenerator = 0;

export function createPayloads(options: PayloadOptions): Payloads {
  const generator = ++lastGenerator;
  const withSession = templatesOf(options.size, true);
  const withoutSession = templatesOf(options.size, false);
  const prefix = prefixOf(options.project);
  const random = createRandomBytes();
  let traces = 0;
  let open = openTrace();

  function openTrace(): OpenTrace {
    const number = traces++;
    const session = number % 3 === 0 ? sessionKey(generator, Math.floor(number / 3 / TRACES_PER_SESSION)) : null;
    return {
      traceId: random(16),
      spanIds: Array.from({ length: SPANS_PER_TRACE }, () => random(8)),
      session,
      start: options.traceStart(),
      next: 0,
    };
  }

  return {
    bytesPerSpan: withSession.reduce((sum, template) => sum + template.bytes.length, 0) / SPANS_PER_TRACE,
    next() {
      const parts: { readonly template: Template; readonly trace: OpenTrace; readonly position: number }[] = [];
      let size = prefix.bytes.length;
      for (let count = 0; count < options.spansPerRequest; count++) {
        if (open.next === SPANS_PER_TRACE) open = openTrace();
        const position = open.next++;
        const template = (open.session === null ? withoutSession : withSession)[position]!;
        parts.push({ template, trace: open, position });
        size += template.bytes.length;
      }
      const body = new Uint8Array(size);
      body.set(prefix.bytes);
      const view = new DataView(body.buffer);
      let at = prefix.bytes.length;
      for (const { template, trace, position } of parts) {
        body.set(template.bytes, at);
        body.set(trace.traceId, at + template.traceId);
        body.set(trace.spanIds[position]!, at + template.spanId);
        if (template.parentId !== null) body.set(trace.spanIds[template.parent!]!, at + template.parentId);
        view.setBigUint64(at + template.start, trace.start + template.startOffset, true);
        view.setBigUint64(at + template.end, trace.start + template.endOffset, true);
        if (template.session !== null) body.set(trace.session!, at + template.session);
        at += template.bytes.length;
      }
      for (const length of prefix.lengths) writeLength(body, length, size - length - LENGTH_BYTES);
      return body;
    },
  };
}

/** Lengths are written in four bytes, however small they are, as the encoder of the tests does. */
const LENGTH_BYTES = 4;

function readLength(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = LENGTH_BYTES - 1; i >= 0; i--) value = value * 128 + (bytes[at + i]! & 127);
  return value;
}

function writeLength(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < LENGTH_BYTES; i++) {
    bytes[at + i] = ((value >>> (7 * i)) & 127) | (i < LENGTH_BYTES - 1 ? 128 : 0);
  }
}

interface Prefix {
  readonly bytes: Uint8Array;
  /** Positions of the lengths that cover everything to the end. */
  readonly lengths: readonly number[];
}

const resource = (project: string) =>
  otlpAttributes({
    "openinference.project.name": project,
    "service.name": "checkout-assistant",
    "telemetry.sdk.language": "python",
    "telemetry.sdk.name": "opentelemetry",
    "telemetry.sdk.version": "1.39.0",
  });

function encodeOne(project: string, span: OtlpSpan): Buffer {
  return Buffer.from(encodeOtlp(otlpExport([span], resource(project))));
}

/** The bytes of a request before its first span. */
function prefixOf(project: string): Prefix {
  const whole = encodeOne(project, { traceId: TRACE_ID });
  // ResourceSpans: tag, length; resource: tag, length, content; ScopeSpans: tag, length.
  const outer = 1;
  const resourceStart = outer + LENGTH_BYTES + 1;
  const scope = resourceStart + LENGTH_BYTES + readLength(whole, resourceStart) + 1;
  return { bytes: whole.subarray(0, startOfSpan(whole)), lengths: [outer, scope] };
}

/** The span is the last part; its content begins with the trace id: tag, length, bytes. */
function startOfSpan(whole: Buffer): number {
  return whole.indexOf(TRACE_ID, 0, "hex") - 2 - LENGTH_BYTES - 1;
}

function templatesOf(size: SpanSize, session: boolean): Template[] {
  return treeOfSpans().map((span) => {
    const whole = encodeOne("template", {
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      ...(span.parent === null ? {} : { parentSpanId: PARENT_ID }),
      name: span.name,
      kind: 1,
      startTimeUnixNano: String(START),
      endTimeUnixNano: String(END),
      attributes: otlpAttributes(attributesOf(span, size, session ? SESSION : null)),
      status: span.failed ? { code: 2, message: "The upstream service did not answer in time" } : { code: 1 },
    });
    const bytes = whole.subarray(startOfSpan(whole));
    const find = (mark: string | Buffer, encoding: "hex" | "utf8" = "hex") => {
      const position = bytes.indexOf(mark, 0, encoding);
      if (position < 0) throw new Error(`The template of "${span.name}" has no ${mark.toString()}`);
      return position;
    };
    return {
      bytes,
      traceId: find(TRACE_ID),
      spanId: find(SPAN_ID),
      parentId: span.parent === null ? null : find(PARENT_ID),
      start: find(littleEndian(START)),
      end: find(littleEndian(END)),
      session: session ? find(SESSION, "utf8") : null,
      parent: span.parent,
      startOffset: span.startOffset,
      endOffset: span.endOffset,
    };
  });
}

function littleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function sessionKey(generator: number, number: number): Uint8Array {
  const digits = (process.pid * 1_000_000 + generator).toString(36).padStart(6, "0").slice(-6);
  return Buffer.from(`session-${digits}${number.toString(36).padStart(6, "0")}`);
}

/** Random ids, as SDKs make them, drawn in large pieces. */
function createRandomBytes(): (length: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (length) => {
    if (used + length > pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(65_536));
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
}
