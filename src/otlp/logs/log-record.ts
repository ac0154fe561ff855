// A log record of OTLP after decoding, the same for protobuf and JSON.
import type { DecodedAttributes, DecodedResource, DecodedScope, DecodedValue } from "../decoded/decoded.ts";

/** Ids are lower-case hex, empty where there are none; instants are microseconds, 0 where there are none. */
export interface LogRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly timeUs: number;
  readonly observedUs: number;
  readonly eventName: string;
  readonly body: DecodedValue;
  readonly attributes: DecodedAttributes;
}

export interface ScopeLogs extends Omit<DecodedScope, "spans"> {
  readonly records: readonly LogRecord[];
}

export interface ResourceLogs extends Omit<DecodedResource, "scopes"> {
  readonly scopes: readonly ScopeLogs[];
}

export interface LogsRequest {
  readonly resources: readonly ResourceLogs[];
  /** Reasons of records that could not be read while the message around them could (OTLP/JSON only). */
  readonly unreadable: readonly string[];
}
