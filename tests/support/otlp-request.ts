// Short ways from a span written as OTLP/JSON to what ingestion gets, through either encoding.
import type { IncomingSpan } from "../../src/model/span.ts";
import { type DecodeRequest, decodeExport, type ExportedSpans } from "../../src/otlp/decode/export.ts";
import { encodeOtlp, type OtlpAttribute, type OtlpExport, type OtlpSpan, otlpExport } from "./otlp-encode.ts";

export const wireFormats = ["protobuf", "json"] as const;
export type WireFormat = (typeof wireFormats)[number];

/** The body of a request in an encoding. */
export function wireBody(request: OtlpExport, format: WireFormat): Uint8Array {
  return format === "protobuf" ? encodeOtlp(request) : Buffer.from(JSON.stringify(request));
}

/** As sent without a header, with a budget of 100 MB. */
export const plainRequest = {
  encoding: null,
  projectOverride: null,
  defaultProject: "default",
  limitBytes: 1e8,
} as const;

/** Decodes a body with a budget of 100 MB and the default project `default`. */
export function decodeBody(body: Uint8Array, format: WireFormat, options: Partial<DecodeRequest> = {}): ExportedSpans {
  return decodeExport({ body, format, ...plainRequest, ...options });
}

/** Encodes and decodes a request. */
export function roundTrip(
  request: OtlpExport,
  format: WireFormat,
  options: Partial<DecodeRequest> = {},
): ExportedSpans {
  return decodeBody(wireBody(request, format), format, options);
}

export const plainSpan: OtlpSpan = {
  traceId: "0123456789abcdef0123456789abcdef",
  spanId: "0123456789abcdef",
  name: "plain",
  startTimeUnixNano: "1700000000000000000",
  endTimeUnixNano: "1700000001000000000",
};

/** The one span of a request that has only this span, `plainSpan` where it says nothing. */
export function incomingFrom(
  span: OtlpSpan,
  format: WireFormat = "protobuf",
  resource?: OtlpAttribute[],
): IncomingSpan {
  const { spans, rejections } = roundTrip(otlpExport([{ ...plainSpan, ...span }], resource), format);
  if (spans.length !== 1) throw new Error(`Not stored: ${rejections.message}`);
  return spans[0]!;
}

/** The stored attributes of a span that has these attributes. */
export function storedAttributes(attributes: OtlpAttribute[], format: WireFormat = "protobuf"): unknown {
  return JSON.parse(incomingFrom({ attributes }, format).attributes);
}
