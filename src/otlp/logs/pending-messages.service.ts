// Messages that come as log records are pending rows until they are given to their span. A span that is stored and a message that is
// pending each look for the other after their own commit, so that none of them is missed, whichever servers they came to.

import { callOfAttributes, isPricedKind } from "../../costs/reported-call.ts";
import type { LoggedMessage } from "../../ingest/incoming-logs.ts";
import { valueAt } from "../../ingest/span-columns.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/failure.ts";
import type { Logger } from "../../kernel/logger.ts";
import {
  addTotals,
  subtractTotals,
  type TraceTotals,
  traceTotals,
} from "../../model/summaries/rollups/rollup-totals.ts";
import { sessionDifferences } from "../../model/summaries/rollups/session-rollup.ts";
import type { ChangedCallsService } from "../../modules/tracing/models/recomputation/changed-calls.service.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { TraceSumsStore } from "../../storage/trace-sums.ts";
import type { RollupsService } from "../../summaries/rollups/rollups.service.ts";
import type { DecodedEvent } from "../decoded/decoded.ts";
import { messageEvent } from "./logged-messages.ts";
import { type FilledPath, fillWithMessages } from "./message-fill.ts";
import type { MessagedTracesStore } from "./messaged-traces.store.ts";
import type { PendingMessagesStore } from "./pending-messages.store.ts";
import type { MessagedSpan, SpanMessagesStore } from "./span-messages.store.ts";

/** Messages looked at together. */
const AT_ONCE = 500;
/** Spans of one trace that are changed in one transaction. */
const SPANS_AT_ONCE = 20;
/** Of messages that are written at once. */
const PIECE_CHARACTERS = 8 * 1024 * 1024;
/** How long a message waits for its span. */
const LONGEST_WAIT_US = 24 * 3600 * 1_000_000;

interface PendingMessagesDependencies {
  readonly storage: Storage;
  readonly pending: PendingMessagesStore;
  readonly spans: SpanMessagesStore;
  readonly traces: MessagedTracesStore;
  readonly sums: TraceSumsStore;
  readonly rollups: RollupsService;
  readonly calls: ChangedCallsService;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface PendingMessages {
  /** Resolves when they are durable, and in their spans as far as those are stored. */
  keep(context: CallContext, messages: readonly LoggedMessage[]): Promise<void>;
  /** Gives those whose span has arrived since to it; answers with the number. */
  apply(context: CallContext): Promise<number>;
  /** Drops what has waited for a day; answers with the number. */
  dropOld(context: CallContext): Promise<number>;
}

/** What one span was and is for its trace. */
interface Change {
  readonly before: TraceTotals;
  readonly after: TraceTotals;
  /** The sums above it, and which call is counted, must be recomputed. */
  readonly isCountedOtherwise: boolean;
  readonly sessionKey: string | null;
  /** Null where it reports the same call as before, whose cost stays. */
  readonly changedCall: { readonly span: MessagedSpan; readonly call: string | null } | null;
}

export function createPendingMessages(dependencies: PendingMessagesDependencies): PendingMessages {
  const { storage, pending, spans, traces, sums, rollups, calls, clock, log } = dependencies;

  /** Null where the span is gone, or has these messages already. */
  async function changeSpan(
    context: CallContext,
    trace: { readonly id: number; readonly traceKey: string },
    spanKey: string,
  ): Promise<Change | null> {
    const span = await spans.findSpan(context, trace.id, spanKey);
    if (span === null) return null;
    const { taken, refused } = await spans.takeMessages(context, span.id, trace.traceKey, spanKey);
    if (refused > 0)
      log.warning("a span has too many messages, further ones are dropped", { span: spanKey, dropped: refused });
    if (taken === 0) return null;
    const filled = await spans.readFilled(context, span.id);
    const events = (await spans.listMessages(context, span.id)).map(({ body }) => messageEvent(body));
    const callBefore = reportedCallOf(span);
    const sorted = events.sort((left, right) => left.timeUs - right.timeUs);
    const content = filledWith(span, filled, sorted);
    if (content === null) return null;
    await spans.writeSpan(context, span, filled, content);
    const { columns } = content;
    const now = { ...span, ...columns };
    const call = columns.modelCall;
    return {
      before: totalsOf(trace.id, span),
      after: totalsOf(trace.id, now),
      isCountedOtherwise:
        span.kind !== now.kind ||
        span.promptTokens !== now.promptTokens ||
        span.completionTokens !== now.completionTokens,
      sessionKey: columns.sessionKey,
      changedCall: call === callBefore ? null : { span, call },
    };
  }

  /** Null where that fails, which must not stop the messages of other spans. */
  function filledWith(span: MessagedSpan, filled: readonly FilledPath[], messages: readonly DecodedEvent[]) {
    try {
      return fillWithMessages(span.attributes, filled, messages, span);
    } catch (error) {
      log.error("messages could not be given to their span", { span: span.id, reason: messageOf(error) });
      return null;
    }
  }

  /** The trace and its session after changes of its spans. */
  async function changeTrace(context: CallContext, traceId: number, changes: readonly Change[]): Promise<void> {
    const trace = (await sums.readTraces(context, [traceId]))[0]!;
    const totals = changes.reduce(
      (sum, { before, after }) => addTotals(subtractTotals(sum, before), after),
      trace.totals,
    );
    const sessionKey = changes.find((change) => change.sessionKey !== null)?.sessionKey ?? null;
    const isLinkedNow = trace.sessionId === null && sessionKey !== null;
    const sessionId = isLinkedNow ? await traces.ensureSession(context, sessionKey, trace) : trace.sessionId;
    if (changes.some(({ isCountedOtherwise }) => isCountedOtherwise)) await sums.markPending(context, traceId);
    await sums.changeTrace(context, trace, totals);
    if (isLinkedNow) await traces.linkSession(context, traceId, sessionId!);
    const differences = sessionDifferences([{ before: trace, after: { sessionId, totals } }]);
    await sums.changeSessions(context, differences);
    if (isLinkedNow) await sums.widenSessions(context, differences);
    await calls.priceChangedCalls(
      context,
      changes.flatMap(({ changedCall }) => {
        if (changedCall === null) return [];
        const { span, call } = changedCall;
        const { id: spanId, startUs, repeatsChild, cost: before } = span;
        return [{ spanId, traceId, sessionId, startUs, repeatsChild, before, call }];
      }),
    );
  }

  /** One transaction. */
  async function giveTo(context: CallContext, traceKey: string, spanKeys: readonly string[]): Promise<void> {
    const changed = await storage.withTraces(context, [traceKey], async (inner, [traceId]) => {
      if (traceId === undefined) return null;
      const changes: Change[] = [];
      for (const spanKey of spanKeys) {
        const change = await changeSpan(inner, { id: traceId, traceKey }, spanKey);
        if (change !== null) changes.push(change);
      }
      if (changes.length === 0) return null;
      await changeTrace(inner, traceId, changes);
      return traceId;
    });
    if (changed !== null) await rollups.settle(context, { id: changed, traceKey });
  }

  async function applyOf(context: CallContext, traceKeys: readonly string[] | null): Promise<number> {
    let applied = 0;
    for (let after = 0; ; ) {
      const waiting = await pending.list(context, { after, traceKeys, limit: AT_ONCE });
      const arrived = waiting.filter(({ hasSpan }) => hasSpan);
      for (const [traceKey, messages] of Map.groupBy(arrived, (message) => message.traceKey)) {
        const spanKeys = [...new Set(messages.map(({ spanKey }) => spanKey))];
        for (let first = 0; first < spanKeys.length; first += SPANS_AT_ONCE) {
          await giveTo(context, traceKey, spanKeys.slice(first, first + SPANS_AT_ONCE));
        }
      }
      applied += arrived.length;
      if (waiting.length < AT_ONCE) return applied;
      after = waiting.at(-1)!.id;
    }
  }

  return {
    async keep(context, messages) {
      for (const some of inPieces(messages)) await pending.add(context, some, clock.now());
      // The span may have been stored between the look and the commit.
      await applyOf(context, [...new Set(messages.map(({ traceKey }) => traceKey))]);
    },

    apply: async (context) => ((await pending.hasAny(context)) ? applyOf(context, null) : 0),

    dropOld: (context) => pending.removeOlder(context, clock.now() - LONGEST_WAIT_US),
  };
}

/** The call of a model that the span reports; null for none. */
function reportedCallOf({ kind, attributes }: Pick<MessagedSpan, "kind" | "attributes">): string | null {
  const word = valueAt(attributes, "openinference", "span", "kind");
  return kind === "LLM" && (word === undefined || isPricedKind(word)) ? callOfAttributes(attributes) : null;
}

/** In pieces that one statement takes. */
function inPieces(messages: readonly LoggedMessage[]): LoggedMessage[][] {
  const pieces: LoggedMessage[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    characters += message.body.length;
    if (characters > PIECE_CHARACTERS) {
      pieces.push([]);
      characters = message.body.length;
    }
    pieces.at(-1)!.push(message);
  }
  return pieces;
}

type Counted = Pick<
  MessagedSpan,
  "kind" | "status" | "promptTokens" | "completionTokens" | "repeatsChild" | "startUs" | "endUs"
>;

function totalsOf(traceId: number, span: Counted) {
  const { kind, status, promptTokens, completionTokens, repeatsChild, startUs, endUs } = span;
  // What a span costs is changed afterwards.
  const counted = { traceId, kind, status, promptTokens, completionTokens, repeatsChild, cost: null, startUs, endUs };
  return traceTotals([counted]).get(traceId)!;
}
