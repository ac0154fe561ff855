// Where decoded spans wait for their transaction: group commit per lane, bounded in spans, a culprit rejected alone.
import { type Batcher, commitInHalves, createBatcher } from "../kernel/batcher.ts";
import { createCompany } from "../kernel/company.ts";
import { fail, messageOf } from "../kernel/failure.ts";
import type { IncomingSpan } from "../model/span.ts";
import type { IngestStore } from "../storage/ingest-store.ts";
import { type BatchOutcome, ingestBatch, needsOf } from "./ingest-batch.ts";
import type { Commit } from "./ingest-messages.ts";
import { createLanePlaces } from "./lane-places.ts";
import type { CurrentPrices } from "./priced-spans.ts";
import { weightOfAll } from "./span-weight.ts";

/** One transaction holds at most this much; one larger request goes alone. */
const MOST_SPANS = 2000;
const MOST_BYTES = 8 * 1024 * 1024;
/** A smaller batch waits so long for the requests of other senders: each would pay for a commit that they could share. */
const MOST_PATIENCE_MS = 3;
const ENOUGH_SPANS = 100;

interface IntakeOptions {
  readonly store: IngestStore;
  /** Without it nothing has a cost. */
  readonly prices?: CurrentPrices;
  /** Batches that run at once. Spans of one trace never run in two of them: a server never competes with itself. */
  readonly lanes: number;
  /** Beyond this many waiting spans, requests are refused. */
  readonly maxQueuedSpans: number;
  /** Called after every committed batch: counts for the metrics, and traces whose span sums must be recomputed. */
  readonly onBatch: (outcome: BatchOutcome) => void;
  /** Called after every commit with what it took and held, and after every attempt that failed. */
  readonly onCommit?: (commit: Omit<Commit, "endedUs">) => void;
}

interface SpanRejection {
  readonly spanKey: string;
  readonly message: string;
}

interface IntakeOutcome {
  readonly rejections: readonly SpanRejection[];
}

export interface Intake {
  /** Fails with kind `unavailable` while too many spans wait. */
  requireCapacity(): void;
  /** Stores spans; resolves when all that can be stored are durable and visible to every later read. Fails with kind
   *  `unavailable` when the database is away: then some of them may be stored, and sending all again is harmless. */
  submit(spans: readonly IncomingSpan[]): Promise<IntakeOutcome>;
  readonly pendingSpans: number;
  /** Refuses what is new and resolves when everything accepted is stored. */
  close(): Promise<void>;
}

export function createIntake(options: IntakeOptions): Intake {
  const lanes = Array.from({ length: options.lanes }, () => createLane(options));
  const places = createLanePlaces(lanes);
  let preparing = 0;
  const pendingSpans = () => lanes.reduce((sum, lane) => sum + lane.pendingItems, preparing);

  /** Sessions get their ids in the order of their first spans, whatever lane is quicker. */
  async function prepare(spans: readonly IncomingSpan[]): Promise<void> {
    if (options.store.prepare === undefined) return;
    preparing += spans.length;
    try {
      await options.store.prepare(needsOf(spans));
    } finally {
      preparing -= spans.length;
    }
  }

  return {
    requireCapacity() {
      if (pendingSpans() < options.maxQueuedSpans) return;
      throw fail("ingest.full", "unavailable", "Server is at capacity and cannot process more requests", {
        retryAfterSeconds: 1,
      });
    },
    async submit(spans) {
      if (spans.length === 0) return NOTHING;
      const placed = places.take(spans);
      try {
        if (placed.parts.size > 1) await prepare(spans);
        const outcomes = await Promise.all(
          Array.from(placed.parts, ([lane, part]) => lanes[lane]!.submit(part, part.length, weightOfAll(part))),
        );
        return { rejections: outcomes.flatMap((outcome) => outcome.rejections) };
      } finally {
        placed.leave();
      }
    },
    get pendingSpans() {
      return pendingSpans();
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

const NOTHING: IntakeOutcome = { rejections: [] };

type Lane = Batcher<readonly IncomingSpan[], IntakeOutcome>;

function createLane({ store, prices, onBatch, onCommit }: IntakeOptions): Lane {
  const company = createCompany({ mostMs: MOST_PATIENCE_MS, enoughItems: ENOUGH_SPANS });
  return createBatcher({
    maximumItems: MOST_SPANS,
    maximumBytes: MOST_BYTES,
    gather: company.gather,
    async commit(parts) {
      const began = performance.now();
      const { outcomes, away } = await commitInHalves(parts.flat(), async (half) => {
        onBatch(await ingestBatch(store, half, prices));
        return [];
      });
      const took = performance.now() - began;
      company.committed(parts.length, took);
      onCommit?.({ milliseconds: took, spans: outcomes.length, failed: away !== null });
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
        return { rejections };
      });
    },
  });
}
