// Examines spans that may have failed, and keeps the groups of their failures right. Readers of groups settle first, so that what is
// read is current to the last span that was stored; a job settles soon after spans were stored, so that there is little left to do.
import { Failure, messageOf } from "../../../../kernel/failure.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { createFailedRows } from "./failed-rows.service.ts";
import type { FailedSpans } from "./failed-spans.service.ts";
import type { GroupCountsStore } from "./group-counts.store.ts";
import type { PendingFailuresStore, PendingSpan } from "./pending-failures.store.ts";
import type { SettlementStore } from "./settlement.store.ts";

/** Spans of one transaction, which on SQLite keeps ingestion waiting for about 10 ms. */
const SPANS_AT_ONCE = 200;
const GROUPS_AT_ONCE = 100;
/** Row ids that are looked through together for spans from before the upgrade. */
const OLDER_AT_ONCE = 1000;

export interface SettlementService {
  /** Resolves when every span that was stored before the call is in its group, and every count is right. Does nothing where nothing may be
   *  changed. */
  settle(context: CallContext): Promise<void>;
  /** One slice of the same; resolves to the spans that were examined. */
  settleSlice(context: CallContext): Promise<number>;
  /** Counts groups again that wait for it. */
  recount(context: CallContext): Promise<void>;
  /** Examines some of the spans that were stored before failures were grouped; false when all of them are. */
  examineOlder(context: CallContext): Promise<boolean>;
}

interface SettlementDependencies {
  readonly storage: Pick<Storage, "transaction" | "withTraces">;
  readonly pending: PendingFailuresStore;
  readonly store: SettlementStore;
  readonly counts: GroupCountsStore;
  readonly failed: FailedSpans;
  readonly isReadOnly: boolean;
  readonly log: Logger;
}

export function createSettlementService(dependencies: SettlementDependencies): SettlementService {
  const { storage, pending, store, counts, failed: examine, isReadOnly, log } = dependencies;
  const writeFailed = createFailedRows(store, counts);

  async function settleUpTo(context: CallContext, newest: number): Promise<number> {
    const spans = await pending.listPending(context, newest, SPANS_AT_ONCE);
    if (spans.length === 0) return 0;
    try {
      await settleSpans(context, spans);
    } catch (error) {
      if (isAway(error)) throw error;
      for (const span of spans) await settleAlone(context, span);
    }
    return spans.length;
  }

  /** What cannot be read is left out, so that it does not keep the others waiting; `verify` names it. */
  async function settleAlone(context: CallContext, span: PendingSpan): Promise<void> {
    try {
      await settleSpans(context, [span]);
    } catch (error) {
      if (isAway(error)) throw error;
      log.error("a span cannot be examined for failures", { span: span.id, reason: messageOf(error) });
      await pending.takePending(context, [span.id]);
    }
  }

  async function settleSpans(context: CallContext, spans: readonly PendingSpan[]): Promise<void> {
    const keys = [...new Set(spans.map(({ traceKey }) => traceKey))];
    await storage.withTraces(context, keys, async (inner) => {
      const taken = await pending.takePending(
        inner,
        spans.map(({ id }) => id),
      );
      if (taken.length === 0) return;
      await pending.lock(inner);
      const failed = await examine(inner, taken);
      const groups = await writeFailed(inner, taken, failed);
      await store.markRecounts(inner, [...groups, ...(await store.changePassing(inner, taken))]);
    });
  }

  async function recountSome(context: CallContext): Promise<boolean> {
    const groupIds = await counts.listRecounts(context, GROUPS_AT_ONCE);
    if (groupIds.length === 0) return false;
    await storage.transaction(context, async (inner) => {
      await pending.lock(inner);
      await counts.takeRecounts(inner, groupIds);
      const counted = await counts.count(inner, groupIds);
      await counts.writeCounts(inner, counted);
      const found = new Set(counted.map(({ groupId }) => groupId));
      await counts.clearEmpty(
        inner,
        groupIds.filter((id) => !found.has(id)),
      );
    });
    return true;
  }

  async function recount(context: CallContext): Promise<void> {
    while (await recountSome(context));
  }

  async function settlePending(context: CallContext): Promise<void> {
    // Those that come meanwhile are of later spans: a reader does not wait for them.
    const newest = await pending.findNewestPending(context);
    if (newest !== null) while ((await settleUpTo(context, newest)) > 0);
  }

  return {
    recount,
    settleSlice: (context) => settleUpTo(context, Number.MAX_SAFE_INTEGER),

    async settle(context) {
      if (isReadOnly) return;
      await settlePending(context);
      await recount(context);
    },

    async examineOlder(context) {
      if (!(await pending.hasOlder(context))) return false;
      const isLeft = await storage.transaction(context, async (inner) => {
        await pending.lock(inner);
        return pending.markOlder(inner, OLDER_AT_ONCE);
      });
      if (isLeft) await settlePending(context);
      return isLeft;
    },
  };
}

/** Nothing is known about the spans: the database is away, or the caller has left. */
function isAway(error: unknown): boolean {
  return error instanceof Failure && error.kind === "unavailable";
}
