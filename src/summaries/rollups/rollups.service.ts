// Recomputes the span sums of a trace: after a new cycle, or where a climb would have been too long. Code that reads `sum_*`
// of a trace settles it first, and shows so by the type `Settled`.
import type { Filter } from "../../filter/filter.ts";
import { readsFailures, readsRollups, type StatisticScope } from "../../filter/scope.ts";
import { type Settled, type SumsOf, settledBy } from "../../filter/settled.ts";
import { recompute } from "../../model/summaries/rollups/rollup-recompute.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import { createRollupsStore, ROWS_AT_ONCE, type SettledTrace, type SumRow, type SumUpdate } from "./rollups.store.ts";

/** Spans may keep arriving while a trace is computed; after this many attempts they have to wait until it is done. */
const ATTEMPTS_BESIDE_INGESTION = 3;
/** Pending traces that are looked up at a time before a reading of every trace. */
const TRACES_AT_ONCE = 100;

const nothing = () => Promise.resolve();

/** A statistic of projects. */
export type ScopeStatistic<Given extends StatisticScope, Value> = (
  context: CallContext,
  projectIds: readonly number[],
  scope: Given,
) => Promise<Value>;

export interface RollupsService {
  /** Settles the trace when its sums are pending, also while spans of it keep arriving; inside a transaction it joins it. */
  settle(context: CallContext, trace: { readonly id: number; readonly traceKey: string }): Promise<void>;
  /** Settles those of the traces whose sums are pending, and hands `reader` back, which reads them. */
  settled<Reader>(context: CallContext, of: SumsOf, reader: Reader): Promise<Settled<Reader>>;
  /** The filter as stores take it, null when it matches everything. Settles only what the filter reads. */
  settledFilter<Language extends Filter>(
    context: CallContext,
    of: SumsOf,
    filter: Language | null,
  ): Promise<Settled<Language> | null>;
  /** The scope as stores take it. Settles only what its conditions read. */
  settledScope<Given extends StatisticScope>(
    context: CallContext,
    projectIds: readonly number[],
    scope: Given,
  ): Promise<Settled<Given>>;
  /** The statistic, which settles what its scope reads before. */
  settling<Given extends StatisticScope, Value>(
    read: (context: CallContext, projectIds: readonly number[], scope: Settled<Given>) => Promise<Value>,
  ): ScopeStatistic<Given, Value>;
  /** Has filters and scopes that read groups of failures call this before. The feature that groups them registers it. */
  settleFailuresBy(settle: (context: CallContext) => Promise<void>): void;
  /** Settles up to `limit` pending traces and returns how many. */
  settlePending(context: CallContext, limit: number): Promise<number>;
}

interface RollupsOptions {
  /** Nothing is settled: the sums of a trace are those that were settled last. */
  readonly isReadOnly?: boolean;
}

export function createRollupsService(storage: Storage, { isReadOnly = false }: RollupsOptions = {}): RollupsService {
  const store = createRollupsStore(storage);

  /** One attempt; true when nothing changed meanwhile. The rows are written in slices, each its own short transaction; the
   *  trace stays pending until the last one has found it unchanged. */
  async function attempt(context: CallContext, traceId: number, traceKey: string): Promise<boolean> {
    const before = await store.readVersion(context, traceId);
    const rows = await store.readSums(context, traceId);
    const updates = differences(rows);
    while (updates.rows.length > ROWS_AT_ONCE) {
      const slice = updates.rows.splice(0, ROWS_AT_ONCE);
      await storage.withTraces(context, [traceKey], (inner) => store.writeSums(inner, slice));
    }
    return storage.withTraces(context, [traceKey], async (inner) => {
      const after = await store.readVersion(inner, traceId);
      if (after.spanCount !== before.spanCount || after.newestId !== before.newestId) return false;
      await store.writeSums(inner, updates.rows);
      await store.markSettled(inner, traceId, updates.settled);
      return true;
    });
  }

  /** Computes and writes while the trace is locked, so that nothing can change meanwhile. */
  function computeLocked(context: CallContext, traceId: number, traceKey: string): Promise<void> {
    return storage.withTraces(context, [traceKey], async (inner) => {
      const { rows, settled } = differences(await store.readSums(inner, traceId));
      while (rows.length > 0) await store.writeSums(inner, rows.splice(0, ROWS_AT_ONCE));
      await store.markSettled(inner, traceId, settled);
    });
  }

  const settle: RollupsService["settle"] = async (context, { id, traceKey }) => {
    if (isReadOnly) return;
    if (!(await store.isPending(context, id))) return;
    for (let number = 1; number <= ATTEMPTS_BESIDE_INGESTION; number++) {
      if (await attempt(context, id, traceKey)) return;
    }
    await computeLocked(context, id, traceKey);
  };

  const settlePending: RollupsService["settlePending"] = async (context, limit) => {
    const pending = await store.listPending(context, limit);
    for (const trace of pending) await settle(context, trace);
    return pending.length;
  };

  async function settleOf(context: CallContext, of: SumsOf): Promise<void> {
    if (isReadOnly) return;
    if (of === "every trace") {
      while ((await settlePending(context, TRACES_AT_ONCE)) > 0);
      return;
    }
    const keys = "traceIds" in of ? [of] : of.projectIds.map((projectId) => ({ projectId }));
    for (const key of keys) {
      for (const trace of await store.listPendingOf(context, key)) await settle(context, trace);
    }
  }

  let settleFailures: (context: CallContext) => Promise<void> = nothing;

  const settledScope: RollupsService["settledScope"] = async (context, projectIds, scope) =>
    settledBy(async () => {
      if (readsRollups(scope)) await settleOf(context, { projectIds });
      if (readsFailures(scope)) await settleFailures(context);
    }, scope);

  return {
    settle,
    settlePending,
    settleFailuresBy: (settle) => {
      settleFailures = settle;
    },
    settled: (context, of, reader) => settledBy(() => settleOf(context, of), reader),
    async settledFilter(context, of, filter) {
      if (filter === null || filter.matchesAll) return null;
      return settledBy(async () => {
        if (filter.readsRollups) await settleOf(context, of);
        if (filter.readsFailures) await settleFailures(context);
      }, filter);
    },
    settledScope,
    settling: (read) => async (context, projectIds, scope) =>
      read(context, projectIds, await settledScope(context, projectIds, scope)),
  };
}

function differences(rows: readonly SumRow[]): { rows: SumUpdate[]; settled: SettledTrace } {
  const { sums, onCycle, repeats, counted } = recompute(rows);
  const changed: SumUpdate[] = [];
  for (const row of rows) {
    const now = sums.get(row.id)!;
    const isOnCycle = onCycle.has(row.id);
    const repeatsChild = repeats.has(row.id);
    const isCountedOtherwise = repeatsChild !== row.repeatsChild;
    const same =
      now.errors === row.sums.errors && now.prompt === row.sums.prompt && now.completion === row.sums.completion;
    if (!same || isOnCycle !== row.onCycle || isCountedOtherwise)
      changed.push({ id: row.id, sums: now, onCycle: isOnCycle, repeatsChild, isCountedOtherwise });
  }
  return { rows: changed, settled: { hasCycle: onCycle.size > 0, counted } };
}
