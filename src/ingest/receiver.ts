// What both transports of OTLP hand an export request to.
import type { ByteReservation } from "../kernel/byte-budget.ts";
import type { IncomingSpan } from "../model/span.ts";
import type { DecodedLogs } from "./incoming-logs.ts";
import type { SpansOutcome } from "./ingest-messages.ts";

export interface ExportRequest {
  readonly body: Uint8Array;
  readonly format: "protobuf" | "json";
  /** Value of `Content-Encoding`, or null when the transport has unpacked the body. */
  readonly encoding: string | null;
  /** Value of `x-project-name`; null on gRPC, where it has no effect. */
  readonly projectOverride: string | null;
  /** True where the sender says that nothing is to be recorded about it: storing it leaves no trace of this service. */
  readonly isUntraced?: boolean;
}

interface ExportAnswer {
  readonly rejectedSpans: number;
  /** Why, for the sender; empty when nothing was rejected. */
  readonly message: string;
}

export interface ExportReceiver {
  /** Stores the spans of one export request; resolves when they are durable and visible to every later read. Fails with kind
   *  `unavailable` (with retryAfterSeconds) when the intake is full or the database is away, `invalid` for an undecodable
   *  body, `unsupported` for an unknown encoding, `too_large`, `locked`. */
  receive(request: ExportRequest): Promise<ExportAnswer>;
  /** Decodes an export of logs, of which nothing is stored yet. Fails with kind `invalid`, `unsupported`, `too_large`, or
   *  `unavailable` when the thread that decodes is away. */
  decodeLogs(request: ExportRequest): Promise<DecodedLogs>;
  /** Stores spans that are made already; resolves as `receive` does, with those that the database refused. */
  storeSpans(spans: readonly IncomingSpan[]): Promise<Pick<SpansOutcome, "rejections">>;
  /** Fails with kind `unavailable` when the intake is full. */
  requireCapacity(): void;
  /** Reserves the bytes of a body that is about to be read, `announcedBytes` long, or 0 when unknown: the reader takes what has
   *  arrived, and releases all when it is stored or refused. Fails with kind `unavailable`, at once or when it takes, when the
   *  bodies of all senders are too much. */
  reserveBytes(announcedBytes: number): ByteReservation;
}

/** Stores spans that are made already, by the thread that holds them. */
export interface SpanIntake {
  /** Has spans stored by the thread that holds them, `bytes` being their weight; resolves with its outcome when they are
   *  durable. Fails with kind `unavailable` when too much waits already. */
  storing<Outcome extends { readonly rollupsPending: boolean }>(
    bytes: number,
    store: () => Promise<Outcome>,
  ): Promise<Outcome>;
}
