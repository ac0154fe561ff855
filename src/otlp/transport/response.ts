// The answer to an export request in both encodings: empty, or how many spans were rejected and why.

/** Field 1 of ExportTraceServiceResponse: partial_success; inside it 1: rejected_spans, 2: error_message. The same numbers in the answers
 *  for metrics and logs. */
const PARTIAL_SUCCESS = 10;
const REJECTED_SPANS = 8;
const ERROR_MESSAGE = 18;

/** An ExportTraceServiceResponse in protobuf; no bytes at all when nothing was rejected. */
export function encodeExportResponse(rejectedSpans: number, message: string): Uint8Array<ArrayBuffer> {
  if (rejectedSpans === 0) return new Uint8Array(0);
  const text = Buffer.from(message, "utf8");
  const partial = [REJECTED_SPANS, ...varint(rejectedSpans), ERROR_MESSAGE, ...varint(text.length), ...text];
  return Uint8Array.from([PARTIAL_SUCCESS, ...varint(partial.length), ...partial]);
}

export type RejectedMember = "rejectedSpans" | "rejectedDataPoints" | "rejectedLogRecords";

/** The same in OTLP/JSON, where what was rejected has its name. */
export function jsonExportResponse(
  rejected: number,
  message: string,
  member: RejectedMember = "rejectedSpans",
): string {
  if (rejected === 0) return "{}";
  return JSON.stringify({ partialSuccess: { [member]: String(rejected), errorMessage: message } });
}

/** A number in base 128, the lowest seven bits first. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}
