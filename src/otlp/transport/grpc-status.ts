// Failures as gRPC: one status a kind, and RetryInfo where sending again is worth it.
import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import { Failure, type FailureKind } from "../../kernel/failure.ts";
import { varint } from "./response.ts";

interface KindStatus {
  readonly code: status;
  /** Seconds until a retry when the failure names none; null for failures that must not be sent again. */
  readonly retrySeconds: number | null;
}

// Exporters retry UNAVAILABLE, and RESOURCE_EXHAUSTED only with RetryInfo. A full disk stays full: no RetryInfo for `locked`.
const grpcStatusOf: Readonly<Record<FailureKind, KindStatus>> = {
  malformed: { code: status.INVALID_ARGUMENT, retrySeconds: null },
  invalid: { code: status.INVALID_ARGUMENT, retrySeconds: null },
  unauthenticated: { code: status.UNAUTHENTICATED, retrySeconds: null },
  forbidden: { code: status.PERMISSION_DENIED, retrySeconds: null },
  not_found: { code: status.NOT_FOUND, retrySeconds: null },
  conflict: { code: status.ALREADY_EXISTS, retrySeconds: null },
  too_large: { code: status.RESOURCE_EXHAUSTED, retrySeconds: null },
  unsupported: { code: status.UNIMPLEMENTED, retrySeconds: null },
  locked: { code: status.RESOURCE_EXHAUSTED, retrySeconds: null },
  rate_limited: { code: status.RESOURCE_EXHAUSTED, retrySeconds: 1 },
  timed_out: { code: status.DEADLINE_EXCEEDED, retrySeconds: null },
  unavailable: { code: status.UNAVAILABLE, retrySeconds: 1 },
  internal: { code: status.INTERNAL, retrySeconds: null },
};

/** The text travels percent-encoded in a trailer, and peers bound the size of those. */
const LONGEST_TEXT = 1000;

/** The status of a failed call. Internal failures are reported without details: the cause goes to the log. */
export function statusOfFailure(error: unknown, requestId: string): StatusObject {
  const known = error instanceof Failure && error.kind !== "internal";
  const { code, retrySeconds } = grpcStatusOf[known ? error.kind : "internal"];
  const details = known ? detailsOf(error) : "Internal server error";
  const metadata = new Metadata();
  metadata.set("x-request-id", requestId);
  if (known && retrySeconds !== null) {
    const retryInfo = encodeRetryInfo(error.details.retryAfterSeconds ?? retrySeconds);
    metadata.set("grpc-status-details-bin", encodeStatus(code, details, retryInfo));
    // The Python exporter looks for the detail here and nowhere else.
    metadata.set("google.rpc.retryinfo-bin", retryInfo);
  }
  return { code, details, metadata };
}

/** Refusals of a caller carry no text, so that they give nothing away. */
function detailsOf({ kind, message }: Failure): string {
  if (kind === "unauthenticated" || kind === "forbidden") return "";
  return message.slice(0, LONGEST_TEXT).toWellFormed();
}

/** google.rpc.RetryInfo { retry_delay = 1: Duration { seconds = 1, nanos = 2 } } */
function encodeRetryInfo(seconds: number): Buffer {
  const whole = Math.floor(seconds);
  const nanos = Math.round((seconds - whole) * 1e9);
  return lengthDelimited(1, Buffer.from([...number(1, whole), ...number(2, nanos)]));
}

/** google.rpc.Status { code = 1, message = 2, details = 3: Any { type_url = 1, value = 2 } } */
function encodeStatus(code: status, message: string, retryInfo: Buffer): Buffer {
  const any = [
    lengthDelimited(1, Buffer.from("type.googleapis.com/google.rpc.RetryInfo")),
    lengthDelimited(2, retryInfo),
  ];
  return Buffer.concat([
    Buffer.from(number(1, code)),
    lengthDelimited(2, Buffer.from(message)),
    lengthDelimited(3, Buffer.concat(any)),
  ]);
}

function number(field: number, value: number): number[] {
  return [field * 8, ...varint(value)];
}

function lengthDelimited(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([field * 8 + 2, ...varint(bytes.length)]), bytes]);
}
