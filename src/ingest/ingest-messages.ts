// What crosses between the main thread, the decode worker and the ingest worker.
import type { PricedModel } from "../costs/price-list.ts";
import type { IncomingLargeValue } from "../model/span.ts";
import type { StorageLocation } from "../storage/location.ts";

/** First message to the ingest worker. */
export interface IngestWorkerStart {
  readonly location: StorageLocation;
  readonly maxQueuedSpans: number;
  /** What calls of models cost. */
  readonly models: readonly PricedModel[];
  /** Whether commits are kept for `takeCommits`. */
  readonly tracesCommits: boolean;
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
  readonly isUntraced?: boolean;
}

export interface ExportOutcome {
  readonly rejectedSpans: number;
  /** Why, for the sender; empty when nothing was rejected. */
  readonly message: string;
  /** True when the sums of a trace must be recomputed. */
  readonly rollupsPending: boolean;
}

/** Spans to be stored, as the decode worker or a route has made them; packed and unpacked in `crossing-spans.ts`. */
export interface SpansMessage {
  /** UTF-8 of all texts, without a mark between them. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Where they end, and what is a number. */
  readonly table: Float64Array;
  /** By the position of the span. */
  readonly large: readonly { readonly position: number; readonly values: readonly IncomingLargeValue[] }[];
  /** True for a further part of a request whose first part was taken: it is not refused by the byte budget. */
  readonly continues?: boolean;
  /** True for spans whose sender wants nothing recorded about them. */
  readonly isUntraced?: boolean;
}

export interface Commit {
  /** Microseconds UTC. */
  readonly endedUs: number;
  readonly milliseconds: number;
  readonly spans: number;
  /** The database was away; spans that it refuses alone are no failure. */
  readonly failed: boolean;
}

/** Answer of `takeCommits`. */
export interface IngestCommits {
  readonly commits: readonly Commit[];
  /** Commits that were dropped, because they were not fetched for too long. */
  readonly passedOver: number;
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
  /** For how long nothing could be stored although there was something to store; else 0. */
  readonly stalledMilliseconds: number;
}
