// Where decoded spans wait for their transaction: group commit per lane, bounded in spans, a culprit rejected alone.
import { type Batcher, commitInHalves, createBatcher } from "../kernel/batcher.ts";
import { fail, messageOf } from "../kernel/failure.ts";
import type { IncomingSpan } from "../model/span.ts";
import type { IngestStore } from "../storage/ingest-store.ts";
import { type BatchOutcome, ingestBatch, needsOf } from "./ingest-batch.ts";
import { weightOfAll } from "./span-weight.ts";

/** One transaction holds at most this much; one larger request goes alone. */
const MOST_SPANS = 2000;
const MOST_BYTES = 8 * 1024 * 1024;

interface IntakeOptions {
  readonly store: IngestStore;
  /** Batches that run at once. Spans of one trace always take the same lane: a server never competes with itself. */
  readonly lanes: number;
  /** Beyond this many waiting spans, requests are refused. */
  readonly maxQueuedSpans: number;
  /** Called after every committed batch: counts for the metrics, and traces whose span sums must be recomputed. */
  readonly onBatch: (outcome: BatchOutcome) => void;
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
      const parts = byLane(spans, lanes.length);
      if (parts.filter((part) => part.length > 0).length > 1) await prepare(spans);
      const outcomes = await Promise.all(
        parts.map((part, number) =>
          part.length === 0 ? NOTHING : lanes[number]!.submit(part, part.length, weightOfAll(part)),
        ),
      );
      return { rejections: outcomes.flatMap((outcome) => outcome.rejections) };
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

function createLane({ store, onBatch }: IntakeOptions): Lane {
  return createBatcher({
    maximumItems: MOST_SPANS,
    maximumBytes: MOST_BYTES,
    // SQLite commits without giving the thread back: let the requests that arrived meanwhile join the next batch.
    gather: () => new Promise((resolve) => setImmediate(resolve)),
    async commit(parts) {
      const { outcomes, away } = await commitInHalves(parts.flat(), async (half) => {
        onBatch(await ingestBatch(store, half));
        return [];
      });
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

function byLane(spans: readonly IncomingSpan[], lanes: number): IncomingSpan[][] {
  if (lanes === 1) return [[...spans]];
  const parts = Array.from({ length: lanes }, (): IncomingSpan[] => []);
  for (const span of spans) parts[Number(Bun.hash.crc32(span.traceKey)) % lanes]!.push(span);
  return parts;
}
