// Makes calls of models: paid from budgets, and with a span for each attempt.
import type { ExportReceiver } from "../../../ingest/receiver.ts";
import { newSpanKey } from "../../../ingest/server-span.ts";
import { createBatcher, gatherWhileBusy } from "../../../kernel/batcher.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { messageOf } from "../../../kernel/failure.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { IncomingSpan } from "../../../model/span.ts";
import { callModel } from "../../../providers/call-model.ts";
import { requireModelCall } from "../../../providers/model-call-checks.ts";
import type { ModelAttempt, ModelEvent } from "../../../providers/model-event.ts";
import type { ModelCallParts } from "../../feature.ts";
import type { SpendingReservation, SpendingService } from "../spending/spending.schema.ts";
import { callSpan } from "./call-span.rules.ts";
import { callsEnded, tooManyCalls } from "./model-calls.errors.ts";
import type { CallRecord, RecordedCallRequest, RecordedCalls } from "./model-calls.schema.ts";

interface RecordedCallsDependencies {
  readonly parts: ModelCallParts;
  readonly spending: SpendingService;
  readonly receiver: Pick<ExportReceiver, "storeSpans">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Of a server. */
const MOST_AT_ONCE = 1000;
/** Spans that are stored together, and bytes of their texts. */
const MOST_SPANS = 500;
const MOST_SPAN_BYTES = 8 * 1024 * 1024;
const GATHERING_MILLISECONDS = 15;

type FinalEvent = Extract<ModelEvent, { readonly type: "finish" | "failure" }>;
type StoredSpan = Pick<CallRecord, "spanKey" | "problem">;

export function createRecordedCalls(dependencies: RecordedCallsDependencies): RecordedCalls {
  const { parts, spending, receiver, clock, log } = dependencies;
  const running = new Map<AbortController, Promise<void>>();
  /** Without those that are answered, and only being recorded. */
  let calling = 0;
  let isClosed = false;
  const spanBatches = createBatcher<IncomingSpan, string | null>({
    maximumItems: MOST_SPANS,
    maximumBytes: MOST_SPAN_BYTES,
    gather: gatherWhileBusy(GATHERING_MILLISECONDS),
    async commit(spans) {
      const { rejections } = await receiver.storeSpans(spans);
      const messages = new Map(rejections.map(({ spanKey, message }) => [spanKey, message]));
      return spans.map(({ spanKey }) => messages.get(spanKey) ?? null);
    },
  });

  /** Never fails: what could not be stored is logged. */
  async function storeSpan({ call, place, metadata }: RecordedCallRequest, attempt: ModelAttempt): Promise<StoredSpan> {
    if (place === null) return { spanKey: null, problem: null };
    const spanKey = newSpanKey();
    try {
      const span = callSpan({ call, attempt, place, spanKey, metadata });
      const bytes = 2 * (attempt.request.body.length + (attempt.response?.body.length ?? 0));
      const problem = await spanBatches.submit(span, 1, bytes);
      return problem === null ? { spanKey, problem } : { spanKey: null, problem };
    } catch (error) {
      log.error("the span of a call could not be stored", { reason: messageOf(error) });
      return { spanKey: null, problem: messageOf(error) };
    }
  }

  /** Resolves when everything about the call is durable, as far as it can be. */
  async function record(
    reservation: SpendingReservation,
    attempts: readonly ModelAttempt[],
    spans: readonly Promise<StoredSpan>[],
  ): Promise<CallRecord> {
    // It is tried again in the background.
    const settled = spending.settle(reservation, attempts).catch(() => null);
    const [stored, spent] = await Promise.all([Promise.all(spans), settled]);
    return { ...(stored.at(-1) ?? { spanKey: null, problem: null }), spent };
  }

  async function* runWith(request: RecordedCallRequest, abort: AbortController) {
    const { call, spender, purpose, projectId, retries, limits, heedsRateLimits } = request;
    calling++;
    const reservation = await spending.reserve({ call, spender, purpose, projectId }).catch((error: unknown) => {
      calling--;
      throw error;
    });
    const attempts: ModelAttempt[] = [];
    const spans: Promise<StoredSpan>[] = [];
    const take = (attempt: ModelAttempt | null) => {
      if (attempt === null) return;
      attempts.push(attempt);
      spans.push(storeSpan(request, attempt));
    };
    const rates = heedsRateLimits ? parts.rates : null;
    const events = callModel(call, { ...parts, clock, limits, retries, rates, signal: abort.signal });
    let final: FinalEvent | null = null;
    let recorded: Promise<CallRecord> | null = null;
    try {
      for (let event = await events.next(); !event.done; event = await events.next()) {
        const { value } = event;
        if (value.type === "finish" || value.type === "failure") {
          final = value;
          take(value.attempt);
          break;
        }
        if (value.type === "retry") take(value.attempt);
        yield value;
      }
    } finally {
      if (final === null) {
        // The caller has left the loop: what was received and spent so far is recorded all the same.
        abort.abort();
        for (let event = await events.next(); !event.done; event = await events.next()) {
          if ("attempt" in event.value) take(event.value.attempt);
        }
      }
      calling--;
      if (final?.type === "finish") request.onAnswered?.();
      recorded = record(reservation, attempts, spans);
      if (final === null) await recorded;
    }
    if (final !== null) yield { ...final, ...(await recorded) };
  }

  return {
    async *run(request) {
      requireModelCall(request.call);
      if (isClosed) throw callsEnded();
      if (calling >= MOST_AT_ONCE) throw tooManyCalls(MOST_AT_ONCE);
      const abort = new AbortController();
      const ended = Promise.withResolvers<void>();
      const onAbort = () => abort.abort();
      running.set(abort, ended.promise);
      request.signal.addEventListener("abort", onAbort, { once: true });
      if (request.signal.aborted) onAbort();
      try {
        yield* runWith(request, abort);
      } finally {
        request.signal.removeEventListener("abort", onAbort);
        running.delete(abort);
        ended.resolve();
      }
    },

    async close() {
      isClosed = true;
      const all = [...running];
      for (const [abort] of all) abort.abort();
      await Promise.all(all.map(([, ended]) => ended));
    },
  };
}
