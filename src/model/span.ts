// A span between decoding and storing: what the OTLP decoders and the REST route produce and what ingestion consumes.

/** Normalised kinds. The position is the code in column `spans.kind`: append, never reorder. */
export const spanKinds = [
  "UNKNOWN",
  "LLM",
  "CHAIN",
  "TOOL",
  "RETRIEVER",
  "EMBEDDING",
  "AGENT",
  "RERANKER",
  "GUARDRAIL",
  "EVALUATOR",
  "PROMPT",
  "DECISION",
] as const;
export type SpanKind = (typeof spanKinds)[number];

/** Status codes of OpenTelemetry; the position is the code in column `spans.status`. */
export const spanStatuses = ["UNSET", "OK", "ERROR"] as const;
export type SpanStatus = (typeof spanStatuses)[number];

/** Token counts of one span are capped in the columns, so that sums of 64 bits cannot overflow; the attribute stays as sent. */
export const MAX_TOKENS_PER_SPAN = 2 ** 40;

/** Keys of traces, spans and sessions and names of projects are indexed; PostgreSQL cannot index more than about 2,700 bytes. */
export const MAX_KEY_BYTES = 1024;

/** Text above this many bytes of UTF-8 is kept apart from the attributes, in pieces. */
export const LARGE_VALUE_BYTES = 64 * 1024;
/** What stays of a large value in its attribute, in bytes. */
export const LARGE_VALUE_HEAD_BYTES = 4 * 1024;
/** The largest piece of a large value, in bytes. */
export const LARGE_VALUE_PIECE_BYTES = 256 * 1024;

/** Characters of input and output in the row of the span, so that a list never opens a payload: one more than it
 *  shows, which tells whether there are more. */
export const HEAD_CHARACTERS = 101;

/** Characters of what a span is called on the pages, where that is not its name. */
export const SHOWN_NAME_CHARACTERS = 200;

/** Characters of what is said on one side of a span, in its row: more than a line of a list holds. */
export const PREVIEW_CHARACTERS = 160;

/** A text that was too long for its attribute. */
export interface LargeValue {
  /** JSON array of the keys and positions that lead to the text inside the attributes, e.g. `["input","value"]`. */
  readonly path: string;
  readonly text: string;
}

/** A large value on its way to the database: its text, or the UTF-8 of it, which can be moved between threads. */
export interface IncomingLargeValue {
  /** As in LargeValue. */
  readonly path: string;
  readonly text: string | Uint8Array<ArrayBuffer>;
}

/** One span, decoded and normalised. Texts hold neither NUL nor lone surrogates; keys and the project name are at most
 *  MAX_KEY_BYTES long. Instants are microseconds UTC. */
export interface IncomingSpan {
  /** Where a new trace goes; ignored when the trace exists. */
  readonly projectName: string;
  /** External ids as text: lower-case hex from OTLP, any text from REST. */
  readonly traceKey: string;
  readonly spanKey: string;
  /** Null only for a span sent without a parent. */
  readonly parentKey: string | null;
  readonly name: string;
  /** What the pages call it, at most SHOWN_NAME_CHARACTERS; null where the name says it. */
  readonly shownName: string | null;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  readonly startUs: number;
  readonly endUs: number;
  /** `session.id` as trimmed text; null when absent or blank. */
  readonly sessionKey: string | null;
  readonly userKey: string | null;
  readonly model: string | null;
  /** Only for kind LLM, then at least 0 when unreadable; null for every other kind. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** How long its trace shall live, in microseconds since its start; null where the span does not say it. */
  readonly lifetimeUs: number | null;
  /** JSON text of what its cost depends on (costs/reported-call.ts); null for what reports nothing that costs. */
  readonly modelCall: string | null;
  /** JSON text of the nested attributes, as stored. */
  readonly attributes: string;
  /** JSON text of the list of events. */
  readonly events: string;
  /** JSON text of links, scope, resource, kind, trace state and dropped counts; null when there is nothing to keep. */
  readonly extra: string | null;
  readonly largeValues: readonly IncomingLargeValue[];
  readonly inputHead: string | null;
  readonly outputHead: string | null;
  /** What a person reads first of them, at most PREVIEW_CHARACTERS; null where the head says it. */
  readonly inputPreview: string | null;
  readonly outputPreview: string | null;
}
