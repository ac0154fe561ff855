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

/** Text above this many bytes of UTF-8 is stored separately from the attributes, in pieces. */
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

/** Most characters of the stored preview of an input or output: more than a line of a list holds. */
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

/** What a span has besides its attributes. Texts are storable (kernel/validation-scalars.ts): they hold neither NUL nor lone surrogates. */
export interface SpanFrame {
  /** Where a new trace goes; ignored when the trace exists. */
  readonly projectName: string;
  /** External ids as text: lower-case hex from OTLP, any text from REST. */
  readonly traceKey: string;
  readonly spanKey: string;
  /** Null only for a span sent without a parent. */
  readonly parentKey: string | null;
  readonly name: string;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  readonly startUs: number;
  readonly endUs: number;
  /** JSON text of the list of events. */
  readonly events: string;
  /** JSON text of links, scope, resource, kind, trace state and dropped counts; null when there is nothing to keep. */
  readonly extra: string | null;
}

interface FieldValues {
  kind: SpanKind;
  /** Spans of one request often have that of the span before them. */
  "shared text": string | null;
  text: string | null;
  number: number | null;
}
type FieldForm = keyof FieldValues;

/** What a single attribute is read as: `key` is trimmed text, shortened where it is too long for an index; `days` are microseconds. */
export type AttributeReading = "key" | "days";

function field<const Form extends FieldForm>(form: Form) {
  return { form };
}

/** Of the attribute at a path of member names. */
function plainField<const Form extends FieldForm>(form: Form, path: readonly string[], reading: AttributeReading) {
  return { form, path, reading };
}

/** What the attributes say in fields of their own: carried by this list from the decoder to the database (storage/span-columns.ts). */
export const attributeFields = {
  kind: field("kind"),
  /** `session.id` as trimmed text; null when absent or blank. */
  sessionKey: plainField("shared text", ["session", "id"], "key"),
  userKey: plainField("shared text", ["user", "id"], "key"),
  model: plainField("shared text", ["llm", "model_name"], "key"),
  /** Only for kind LLM, then at least 0 when unreadable; null for every other kind. */
  promptTokens: field("number"),
  completionTokens: field("number"),
  /** How long its trace shall live, in microseconds since its start; null where the span does not say it. */
  lifetimeUs: plainField("number", ["retention", "days"], "days"),
  /** 1 where its answer fails though its status may not tell (analysis/failures/silent-failures.ts), else null. */
  silentFailure: field("number"),
  /** JSON text of what its cost depends on (costs/reported-call.ts); null for what reports nothing that costs. */
  modelCall: field("text"),
  inputHead: field("text"),
  outputHead: field("text"),
  /** What a person reads first of them, at most PREVIEW_CHARACTERS; null where the head says it. */
  inputPreview: field("text"),
  outputPreview: field("text"),
};

export type SpanColumns = {
  readonly [Name in keyof typeof attributeFields]: FieldValues[(typeof attributeFields)[Name]["form"]];
};

/** One span, decoded and normalised. Keys and the project name are at most MAX_KEY_BYTES long. Instants are microseconds UTC. */
export interface IncomingSpan extends SpanFrame, SpanColumns {
  /** What the pages call it, at most SHOWN_NAME_CHARACTERS; null where the name says it. */
  readonly shownName: string | null;
  /** JSON text of the nested attributes, as stored. */
  readonly attributes: string;
  readonly largeValues: readonly IncomingLargeValue[];
}
