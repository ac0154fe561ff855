// What crosses between the main thread, the decode worker and the ingest worker.
import type { IncomingSpan } from "../model/span.ts";
import type { StorageLocation } from "../storage/location.ts";

/** First message to the ingest worker. */
export interface IngestWorkerStart {
  readonly location: StorageLocation;
  readonly maxQueuedSpans: number;
}

/** First message to the decode worker. */
export interface DecodeWorkerStart {
  /** Where spans without a project go: SERVICE_PROJECT_NAME. */
  readonly defaultProject: string;
  readonly maxDecompressedBodyBytes: number;
  /** The way to the ingest worker, which serves `spans` at its other end. */
  readonly ingestPort: MessagePort;
}

/** One export request as it came: the decode worker unpacks, decodes and normalises it. */
export interface ExportMessage {
  readonly body: Uint8Array;
  readonly format: "protobuf" | "json";
  readonly encoding: string | null;
  readonly projectOverride: string | null;
}

export interface ExportOutcome {
  readonly rejectedSpans: number;
  /** Why, for the sender; empty when nothing was rejected. */
  readonly message: string;
  /** True when the sums of a trace must be recomputed. */
  readonly rollupsPending: boolean;
}

/** Spans to be stored, as the decode worker or a route has made them. */
export interface SpansMessage {
  readonly spans: readonly IncomingSpan[];
  /** True for a further part of a request whose first part was taken: it is not refused for want of room. */
  readonly continues?: boolean;
}

export interface SpansOutcome {
  readonly rejections: readonly { readonly spanKey: string; readonly message: string }[];
  readonly rollupsPending: boolean;
}

/** What the ingest worker has counted since it started. */
export interface IngestCounts {
  readonly storedSpans: number;
  readonly duplicateSpans: number;
  readonly rejectedSpans: number;
  readonly batches: number;
  readonly deadlocks: number;
  readonly pendingSpans: number;
}
