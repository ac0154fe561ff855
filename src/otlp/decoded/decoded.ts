// An export request after decoding and before it means anything: the fields of OTLP as JavaScript values, the same for
// protobuf and JSON.

import { fail } from "../../kernel/failure.ts";
import type { Json } from "../../kernel/json.ts";
import type { SpanColumns } from "../../model/span.ts";

/** Integers and doubles stay apart (`kernel/json.ts`), NaN and the infinities are numbers, an unset value is null. Bytes
 *  stay bytes at the top; inside lists and objects they are base64 text already. Texts are storable. */
export type DecodedValue = Json | Uint8Array;

/** Wire keys in the order of their first appearance; of equal keys the last value counts. */
export type DecodedAttributes = Map<string, DecodedValue>;

export interface DecodedEvent {
  readonly name: string;
  readonly timeUs: number;
  readonly attributes: DecodedAttributes;
  readonly droppedAttributes: number;
}

export interface DecodedLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: DecodedAttributes;
  readonly droppedAttributes: number;
  readonly flags: number;
}

/** The attributes of one span as they are stored, without large values. */
export interface PlannedAttributes {
  readonly text: string;
  readonly columns: SpanColumns;
  /** Number of attributes. Counts towards the bound of a request, which the caller checks. */
  readonly count: number;
}

/** Ids are lower-case hex of the bytes, of any length; instants are microseconds. */
export interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  /** Number of the OpenTelemetry enumeration SpanKind. */
  readonly kind: number;
  readonly startUs: number;
  readonly endUs: number;
  /** 0 unset, 1 ok, 2 error; other numbers occur. */
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Empty where `planned` has them. */
  readonly attributes: DecodedAttributes;
  readonly planned: PlannedAttributes | null;
  readonly events: readonly DecodedEvent[];
  readonly links: readonly DecodedLink[];
  readonly droppedAttributes: number;
  readonly droppedEvents: number;
  readonly droppedLinks: number;
  readonly flags: number;
}

export interface DecodedScope {
  readonly name: string;
  readonly version: string;
  readonly attributes: DecodedAttributes;
  readonly droppedAttributes: number;
  readonly schemaUrl: string;
  /** Those of a large body are decoded each time that they are walked through, none before. */
  readonly spans: Iterable<DecodedSpan>;
}

export interface DecodedResource {
  readonly attributes: DecodedAttributes;
  /** The first non-empty text under PROJECT_ATTRIBUTE. */
  readonly projectName: string | null;
  readonly droppedAttributes: number;
  readonly schemaUrl: string;
  readonly scopes: readonly DecodedScope[];
}

export interface DecodedExport {
  readonly resources: readonly DecodedResource[];
  /** Reasons of spans that could not be read while the message around them could (OTLP/JSON only). */
  readonly unreadable: readonly string[];
}

const PROJECT_ATTRIBUTE = "openinference.project.name";

/** Spans, attributes, events, links, members and lists of one request. A body of empty messages would otherwise take a
 *  hundred times its size in memory. */
export const MAX_ITEMS = 1_000_000;

/** The failure of a body that cannot be read as an export request. */
export function undecodable(reason: string, cause?: unknown) {
  return fail("otlp.undecodable", "invalid", `The body is not a valid export request: ${reason}`, { cause });
}

export function tooManyItems() {
  return fail(
    "otlp.too_many_items",
    "too_large",
    `The request holds more than ${MAX_ITEMS} attributes and other parts`,
  );
}

/** Takes the project name of a resource from an attribute just read, unless there is one already. */
export function projectNameFrom(found: string | null, key: string, value: DecodedValue): string | null {
  return found === null && key === PROJECT_ATTRIBUTE && typeof value === "string" && value !== "" ? value : found;
}
