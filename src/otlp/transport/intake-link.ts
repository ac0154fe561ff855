// The main thread's end of the decode worker and the ingest worker: bodies are moved to the one, spans of other routes come to the
// other from the thread that read them, both bounded in bytes.
import { arrivedSpans, crossingSpans } from "../../ingest/crossing-spans.ts";
import type { CrossingLogs } from "../../ingest/incoming-logs.ts";
import type {
  ExportMessage,
  ExportOutcome,
  IngestCommits,
  IngestCounts,
  IngestWorkerStart,
  SpansOutcome,
} from "../../ingest/ingest-messages.ts";
import type { ExportReceiver } from "../../ingest/receiver.ts";
import { createByteBudget } from "../../kernel/byte-budget.ts";
import { Failure, fail } from "../../kernel/failure.ts";
import { type Link, movable } from "../../kernel/link.ts";
import type { Logger } from "../../kernel/logger.ts";
import { ROWS_HELD } from "../../storage/ingest-store.ts";

/** As long as rows are held, a line comes after so much time again. */
const HELD_AGAIN_MILLISECONDS = 60_000;

export interface IntakeLinkOptions {
  /** To the ingest worker. */
  readonly ingest: Link;
  /** To the decode worker, which is started by the first export. */
  readonly decoder: () => Promise<Link>;
  /** Bytes of bodies, as sent, and of spans of other routes that may be on their way to the database at once. */
  readonly maxQueuedBytes: number;
  readonly log: Logger;
  /** Called when the sums of a trace must be recomputed. */
  readonly onRollupsPending: () => void;
  /** Called when spans were stored. */
  readonly onStored: () => void;
}

export interface IntakeLink extends ExportReceiver {
  start(settings: IngestWorkerStart): Promise<void>;
  /** Lets another thread store spans that weigh `bytes`; resolves with its outcome when they are durable. */
  storing<Outcome extends Pick<SpansOutcome, "rollupsPending">>(
    bytes: number,
    store: () => Promise<Outcome>,
  ): Promise<Outcome>;
  counts(): Promise<IngestCounts>;
  /** Bytes of bodies and of spans of other routes that are on their way to the database. */
  waitingBytes(): number;
  /** How often a request was refused because the intake was full. */
  refusals(): number;
  /** What the ingest worker counts, in the format of Prometheus. */
  metricsText(): Promise<string>;
  /** Commits since the last call, where the worker was started to keep them. */
  takeCommits(): Promise<IngestCommits>;
  /** Resolves when everything accepted is stored and the ingest worker has closed its connections. */
  stop(): Promise<void>;
}

export function createIntakeLink(options: IntakeLinkOptions): IntakeLink {
  const { ingest, decoder, maxQueuedBytes, log, onRollupsPending, onStored } = options;
  let refusals = 0;
  const budget = createByteBudget(maxQueuedBytes, () => {
    refusals++;
    return fail("ingest.full", "unavailable", "Server is at capacity and cannot process more requests", {
      retryAfterSeconds: 1,
    });
  });
  /** Why spans cannot be stored at present, or null. */
  let outage: string | null = null;
  let heldReportedMs = -Infinity;

  async function watchingOutage<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      if (outage !== null) log.info("spans are stored again");
      outage = null;
      return result;
    } catch (error) {
      tellOutage(error);
      throw error;
    }
  }

  /** One line when the database goes away, not one for each request that it fails. */
  function tellOutage(error: unknown): void {
    if (!(error instanceof Failure) || error.kind !== "unavailable") return;
    if (error.code === ROWS_HELD) tellHeld(error);
    if (!error.code.startsWith("storage.")) return;
    if (outage !== error.code)
      log.warning("spans cannot be stored, their senders are told to try again", { reason: error.message });
    outage = error.code;
  }

  /** Other spans are stored meanwhile: there is no end to tell of. */
  function tellHeld({ message }: Failure): void {
    if (performance.now() - heldReportedMs < HELD_AGAIN_MILLISECONDS) return;
    heldReportedMs = performance.now();
    log.warning("some spans cannot be stored for now, and their senders have to try again", { reason: message });
  }

  return {
    requireCapacity: budget.requireSome,
    reserveBytes: budget.open,
    start: (settings) => ingest.call("start", settings),
    receive: (request) =>
      watchingOutage(async () => {
        const body = movable(request.body);
        const message: ExportMessage = { ...request, body };
        const outcome = await (await decoder()).call<ExportOutcome>("export", message, [body.buffer]);
        onStored();
        if (outcome.rollupsPending) onRollupsPending();
        if (outcome.rejectedSpans > 0)
          log.warning("spans rejected", { rejected: outcome.rejectedSpans, reason: outcome.message });
        return { rejectedSpans: outcome.rejectedSpans, message: outcome.message };
      }),
    async decodeLogs(request) {
      const body = movable(request.body);
      const message: ExportMessage = { ...request, body };
      const { spans, ...others } = await (await decoder()).call<CrossingLogs>("logs", message, [body.buffer]);
      return { ...others, spans: arrivedSpans(spans) };
    },
    storeSpans: (spans) =>
      watchingOutage(async () => {
        const { message, moved } = crossingSpans(spans, false);
        const outcome = await ingest.call<SpansOutcome>("spans", message, moved);
        onStored();
        if (outcome.rollupsPending) onRollupsPending();
        return outcome;
      }),
    async storing(bytes, store) {
      const reservation = budget.open(0);
      try {
        reservation.take(bytes);
        const outcome = await watchingOutage(store);
        onStored();
        if (outcome.rollupsPending) onRollupsPending();
        return outcome;
      } finally {
        reservation.release();
      }
    },
    counts: () => ingest.call("counts", null),
    waitingBytes: budget.takenBytes,
    refusals: () => refusals,
    metricsText: () => ingest.call("metrics", null),
    takeCommits: () => ingest.call("takeCommits", null),
    stop: () => ingest.call("stop", null),
  };
}
