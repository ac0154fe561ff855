// Where decoded spans wait for their transaction: group commit per queue, bounded in spans, a culprit rejected alone, and what cannot
// be stored at present tried again for a while.
import { fail } from "../kernel/failure.ts";
import type { IncomingSpan } from "../model/span.ts";
import { HOLD_MILLISECONDS, HOLD_PAUSE_MILLISECONDS } from "../storage/hold.ts";
import { TracesHeld } from "../storage/ingest-store.ts";
import { needsOf } from "./ingest-batch.ts";
import { createIngestQueue, type IngestQueueOptions, type SpanRejection } from "./ingest-queue.ts";
import { createQueuePlacement } from "./queue-placement.ts";
import { weightOfAll } from "./span-weight.ts";
import { createStall } from "./stall.ts";

interface IntakeOptions extends IngestQueueOptions {
  /** Batches that run at once. Spans of one trace never run in two of them: a server never competes with itself. */
  readonly queues: number;
  /** Beyond this many waiting spans, requests are refused. */
  readonly maxQueuedSpans: number;
  /** True for the failure of a database that may be back soon. */
  readonly isPassing?: (reason: unknown) => boolean;
}

interface IntakeOutcome {
  readonly rejections: readonly SpanRejection[];
}

export interface Intake {
  /** Fails with kind `unavailable` while too many spans wait. */
  requireCapacity(): void;
  /** Stores spans; resolves when all that can be stored are durable and visible to every later read. Fails with kind
   *  `unavailable` when some of them cannot be stored for now: sending all again is harmless. */
  submit(spans: readonly IncomingSpan[]): Promise<IntakeOutcome>;
  readonly pendingSpans: number;
  /** For how long nothing could be stored although there was something to store, for reasons that pass; else 0. */
  readonly stalledMilliseconds: number;
  /** Refuses what is new and resolves when everything accepted is stored. */
  close(): Promise<void>;
}

export function createIntake(options: IntakeOptions): Intake {
  const stall = createStall();
  const isPassing = (reason: unknown) => reason instanceof TracesHeld || options.isPassing?.(reason) === true;
  const queues = Array.from({ length: options.queues }, () =>
    createIngestQueue({
      ...options,
      onCommit(commit) {
        if (!commit.failed && commit.spans > 0) stall.progressed();
        options.onCommit?.(commit);
      },
    }),
  );
  const places = createQueuePlacement(queues);
  /** Spans in no queue: their rows are made, or they are to be tried again. */
  let besideQueues = 0;
  let closing = false;
  const pendingSpans = () => queues.reduce((sum, queue) => sum + queue.pendingItems, besideQueues);

  async function beside(count: number, work: Promise<void>): Promise<void> {
    besideQueues += count;
    try {
      await work;
    } finally {
      besideQueues -= count;
    }
  }

  /** Stores what can be stored of these parts, each in its queue. */
  async function attempt(parts: Parts): Promise<Attempt> {
    const queuesUsed = [...parts.keys()];
    const outcomes = await Promise.allSettled(
      Array.from(parts, ([queue, part]) => queues[queue]!.submit(part, part.length, weightOfAll(part))),
    );
    const rejections: SpanRejection[] = [];
    const left = new Map<number, readonly IncomingSpan[]>();
    const reasons: unknown[] = [];
    for (const [position, outcome] of outcomes.entries()) {
      const queue = queuesUsed[position]!;
      if (outcome.status === "rejected") {
        left.set(queue, parts.get(queue)!);
        reasons.push(outcome.reason);
        continue;
      }
      rejections.push(...outcome.value.rejections);
      if (outcome.value.held === null) continue;
      left.set(queue, outcome.value.held.spans);
      reasons.push(outcome.value.held.reason);
    }
    return { rejections, left, reasons };
  }

  async function storeParts(given: Parts): Promise<IntakeOutcome> {
    const until = performance.now() + HOLD_MILLISECONDS;
    const rejections: SpanRejection[] = [];
    for (let parts = given; ; ) {
      const { left, reasons, ...outcome } = await attempt(parts);
      rejections.push(...outcome.rejections);
      if (left.size === 0) return { rejections };
      const lasting = reasons.find((reason) => !isPassing(reason));
      if (lasting !== undefined) throw lasting;
      if (closing || performance.now() > until) throw reasons[0];
      await beside(countOf(left), Bun.sleep(HOLD_PAUSE_MILLISECONDS));
      parts = left;
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
      let isBlocked = false;
      stall.began();
      try {
        // Sessions get their ids in the order of their first spans, whatever queue is quicker.
        if (placed.parts.size > 1 && options.store.prepare !== undefined)
          await beside(spans.length, options.store.prepare(needsOf(spans)));
        return await storeParts(placed.parts);
      } catch (error) {
        isBlocked = isPassing(error);
        throw error;
      } finally {
        stall.ended(isBlocked);
        placed.leave();
      }
    },
    get pendingSpans() {
      return pendingSpans();
    },
    get stalledMilliseconds() {
      return stall.milliseconds;
    },
    async close() {
      closing = true;
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

const NOTHING: IntakeOutcome = { rejections: [] };

/** Spans by the number of their queue. */
type Parts = ReadonlyMap<number, readonly IncomingSpan[]>;

interface Attempt extends IntakeOutcome {
  /** What could not be stored, with a reason for each part. */
  readonly left: Parts;
  readonly reasons: readonly unknown[];
}

function countOf(parts: Parts): number {
  return Array.from(parts.values(), (part) => part.length).reduce((sum, count) => sum + count, 0);
}
