// The main thread's end of the decode worker and the ingest worker: bodies are moved to the one, spans of other routes go
// straight to the other, both bounded in bytes.
import { Failure, fail } from "../kernel/failure.ts";
import type { Link } from "../kernel/link.ts";
import type { Logger } from "../kernel/logger.ts";
import type {
  ExportMessage,
  ExportOutcome,
  IngestCounts,
  IngestWorkerStart,
  SpansMessage,
  SpansOutcome,
} from "../modules/traces/ingest/ingest-messages.ts";
import type { ExportReceiver } from "../modules/traces/ingest/receiver.ts";
import type { IncomingSpan } from "../modules/traces/span.schema.ts";

export interface IntakeLinkOptions {
  /** To the ingest worker. */
  readonly ingest: Link;
  /** To the decode worker, which is started by the first export. */
  readonly decoder: () => Promise<Link>;
  /** Bytes of bodies that may be on their way to the database at once. */
  readonly maxQueuedBytes: number;
  readonly log: Logger;
  /** Called when a trace waits for its sums to be computed anew. */
  readonly onRollupsPending: () => void;
  /** Called when spans were stored. */
  readonly onStored: () => void;
}

export interface IntakeLink extends ExportReceiver {
  start(settings: IngestWorkerStart): Promise<void>;
  /** Stores spans that a route has decoded; resolves when they are durable. */
  submitSpans(spans: readonly IncomingSpan[]): Promise<Pick<SpansOutcome, "rejections">>;
  counts(): Promise<IngestCounts>;
  /** Resolves when everything accepted is stored and the ingest worker has closed its connections. */
  stop(): Promise<void>;
}

export function createIntakeLink(options: IntakeLinkOptions): IntakeLink {
  const { ingest, decoder, maxQueuedBytes, log, onRollupsPending, onStored } = options;
  let queuedBytes = 0;
  /** Why spans cannot be stored at present, or null. */
  let outage: string | null = null;

  function requireCapacity(): void {
    if (queuedBytes < maxQueuedBytes) return;
    throw fail("ingest.full", "unavailable", "Server is at capacity and cannot process more requests", {
      retryAfterSeconds: 1,
    });
  }

  async function counting<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    requireCapacity();
    queuedBytes += bytes;
    try {
      const result = await work();
      if (outage !== null) log.info("spans are stored again");
      outage = null;
      return result;
    } catch (error) {
      tellOutage(error);
      throw error;
    } finally {
      queuedBytes -= bytes;
    }
  }

  /** One line when the database goes away, not one for each request that it fails. */
  function tellOutage(error: unknown): void {
    if (!(error instanceof Failure) || error.kind !== "unavailable" || !error.code.startsWith("storage.")) return;
    if (outage !== error.code)
      log.warning("spans cannot be stored, their senders are told to try again", { reason: error.message });
    outage = error.code;
  }

  return {
    requireCapacity,
    start: (settings) => ingest.call("start", settings),
    receive: (request) =>
      counting(request.body.byteLength, async () => {
        const body = ownBuffer(request.body);
        const message: ExportMessage = { ...request, body };
        const outcome = await (await decoder()).call<ExportOutcome>("export", message, [body.buffer]);
        onStored();
        if (outcome.rollupsPending) onRollupsPending();
        if (outcome.rejectedSpans > 0)
          log.warning("spans rejected", { rejected: outcome.rejectedSpans, reason: outcome.message });
        return { rejectedSpans: outcome.rejectedSpans, message: outcome.message };
      }),
    async submitSpans(spans) {
      const bytes = spans.reduce((sum, span) => sum + span.attributes.length + span.events.length, 0);
      const outcome = await counting(bytes, () => ingest.call<SpansOutcome>("spans", { spans } satisfies SpansMessage));
      onStored();
      if (outcome.rollupsPending) onRollupsPending();
      return { rejections: outcome.rejections };
    },
    counts: () => ingest.call("counts", null),
    stop: () => ingest.call("stop", null),
  };
}

/** A buffer that holds these bytes and nothing else, so that it can be moved to another thread. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const alone = buffer instanceof ArrayBuffer && bytes.byteOffset === 0 && bytes.byteLength === buffer.byteLength;
  return alone ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
