// One ingest queue: group commit of what several requests bring, a culprit rejected alone. Spans that wait for rows which others
// hold are handed back, all else of their batch is stored.
import { type Batcher, commitInHalves, createBatcher } from "../kernel/batcher.ts";
import { messageOf } from "../kernel/failure.ts";
import { createGroupCommitDelay } from "../kernel/group-commit-delay.ts";
import type { IncomingSpan } from "../model/span.ts";
import { type IngestStore, TracesHeld } from "../storage/ingest-store.ts";
import { type BatchOutcome, ingestBatch } from "./ingest-batch.ts";
import type { Commit } from "./ingest-messages.ts";
import type { CurrentPrices } from "./priced-spans.ts";

/** One transaction holds at most this much; one larger request goes alone. */
const MOST_SPANS = 2000;
const MOST_BYTES = 8 * 1024 * 1024;
/** A smaller batch waits so long for the requests of other senders: each would pay for a commit that they could share. */
const MOST_DELAY_MS = 3;
const ENOUGH_SPANS = 100;

export interface IngestQueueOptions {
  readonly store: IngestStore;
  /** Without it nothing has a cost. */
  readonly prices?: CurrentPrices;
  /** Called after every committed batch: counts for the metrics, and traces whose span sums must be recomputed. */
  readonly onBatch: (outcome: BatchOutcome) => void;
  /** Called after every commit with what it took and held, and after every attempt that failed. */
  readonly onCommit?: (commit: Omit<Commit, "endedUs">) => void;
}

export interface SpanRejection {
  readonly spanKey: string;
  readonly message: string;
}

interface IngestQueueOutcome {
  readonly rejections: readonly SpanRejection[];
  /** Spans that wait for rows which others hold. */
  readonly held: { readonly spans: readonly IncomingSpan[]; readonly reason: TracesHeld } | null;
}

/** Rejects where the database is away. */
type IngestQueue = Batcher<readonly IncomingSpan[], IngestQueueOutcome>;

export function createIngestQueue({ store, prices, onBatch, onCommit }: IngestQueueOptions): IngestQueue {
  const delay = createGroupCommitDelay({ mostMs: MOST_DELAY_MS, enoughItems: ENOUGH_SPANS });

  /** Adds those that wait for rows of others to `held`, each with its reason, and stores the rest of the batch. */
  async function storeUnheld(batch: readonly IncomingSpan[], held: Map<IncomingSpan, TracesHeld>): Promise<void> {
    for (;;) {
      const rest = batch.filter((span) => !held.has(span));
      if (rest.length === 0) return;
      try {
        onBatch(await ingestBatch(store, rest, prices));
        return;
      } catch (error) {
        if (!(error instanceof TracesHeld)) throw error;
        for (const span of rest) if (error.traceKeys.has(span.traceKey)) held.set(span, error);
      }
    }
  }

  return createBatcher({
    maximumItems: MOST_SPANS,
    maximumBytes: MOST_BYTES,
    gather: delay.gather,
    async commit(parts) {
      const began = performance.now();
      const held = new Map<IncomingSpan, TracesHeld>();
      const { outcomes, away } = await commitInHalves(parts.flat(), async (half) => {
        await storeUnheld(half, held);
        return [];
      });
      const took = performance.now() - began;
      delay.committed(parts.length, took);
      onCommit?.({ milliseconds: took, spans: outcomes.length - held.size, failed: away !== null });
      if (away !== null) throw away.reason;
      let next = 0;
      return parts.map((part) => {
        const own = outcomes.slice(next, next + part.length);
        next += part.length;
        const rejections = own.flatMap((outcome, position) =>
          outcome.status === "rejected"
            ? [{ spanKey: part[position]!.spanKey, message: messageOf(outcome.reason) }]
            : [],
        );
        const waiting = part.filter((span) => held.has(span));
        return {
          rejections,
          held: waiting.length === 0 ? null : { spans: waiting, reason: held.get(waiting[0]!)! },
        };
      });
    },
  });
}
