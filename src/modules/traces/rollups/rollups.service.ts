// Recomputes the span sums of a trace: after a new cycle, or where a climb would have been too long. Code that reads `sum_*`
// of a trace settles it first.
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { recompute } from "./rollup-recompute.rules.ts";
import { createRollupsStore, ROWS_AT_ONCE, type SumRow, type SumUpdate } from "./rollups.store.ts";

/** Spans may keep arriving while a trace is computed; after this many attempts they have to wait until it is done. */
const ATTEMPTS_BESIDE_INGESTION = 3;

export interface RollupsService {
  /** Settles the trace when its sums are pending, also while spans of it keep arriving; inside a transaction it joins it. */
  settle(context: CallContext, trace: { readonly id: number; readonly traceKey: string }): Promise<void>;
  /** Settles those of the traces, by row id, whose sums are pending. */
  settleTraces(context: CallContext, traceIds: readonly number[]): Promise<void>;
  /** Settles the traces of the project whose sums are pending. */
  settleProject(context: CallContext, projectId: number): Promise<void>;
  /** Settles up to `limit` pending traces and returns how many. */
  settlePending(context: CallContext, limit: number): Promise<number>;
}

export function createRollupsService(storage: Storage): RollupsService {
  const store = createRollupsStore(storage);

  /** One attempt; true when nothing changed meanwhile. The rows are written in slices, each its own short transaction; the
   *  trace stays pending until the last one has found it unchanged. */
  async function attempt(context: CallContext, traceId: number, traceKey: string): Promise<boolean> {
    const before = await store.readVersion(context, traceId);
    const rows = await store.readSums(context, traceId);
    const updates = differences(rows);
    const hasCycle = updates.onCycle > 0;
    while (updates.rows.length > ROWS_AT_ONCE) {
      const slice = updates.rows.splice(0, ROWS_AT_ONCE);
      await storage.withTraces(context, [traceKey], (inner) => store.writeSums(inner, slice));
    }
    return storage.withTraces(context, [traceKey], async (inner) => {
      const after = await store.readVersion(inner, traceId);
      if (after.spanCount !== before.spanCount || after.newestId !== before.newestId) return false;
      await store.writeSums(inner, updates.rows);
      await store.markSettled(inner, traceId, hasCycle);
      return true;
    });
  }

  /** Computes and writes while the trace is locked, so that nothing can change meanwhile. */
  function computeLocked(context: CallContext, traceId: number, traceKey: string): Promise<void> {
    return storage.withTraces(context, [traceKey], async (inner) => {
      const { rows, onCycle } = differences(await store.readSums(inner, traceId));
      while (rows.length > 0) await store.writeSums(inner, rows.splice(0, ROWS_AT_ONCE));
      await store.markSettled(inner, traceId, onCycle > 0);
    });
  }

  return {
    async settle(context, { id, traceKey }) {
      if (!(await store.isPending(context, id))) return;
      for (let number = 1; number <= ATTEMPTS_BESIDE_INGESTION; number++) {
        if (await attempt(context, id, traceKey)) return;
      }
      await computeLocked(context, id, traceKey);
    },
    async settleTraces(context, traceIds) {
      for (const trace of await store.listPendingOf(context, { traceIds })) await this.settle(context, trace);
    },
    async settleProject(context, projectId) {
      for (const trace of await store.listPendingOf(context, { projectId })) await this.settle(context, trace);
    },
    async settlePending(context, limit) {
      const pending = await store.listPending(context, limit);
      for (const trace of pending) await this.settle(context, trace);
      return pending.length;
    },
  };
}

function differences(rows: readonly SumRow[]): { rows: SumUpdate[]; onCycle: number } {
  const { sums, onCycle } = recompute(rows);
  const changed: SumUpdate[] = [];
  for (const row of rows) {
    const now = sums.get(row.id)!;
    const isOnCycle = onCycle.has(row.id);
    const same =
      now.errors === row.sums.errors && now.prompt === row.sums.prompt && now.completion === row.sums.completion;
    if (!same || isOnCycle !== row.onCycle) changed.push({ id: row.id, sums: now, onCycle: isOnCycle });
  }
  return { rows: changed, onCycle: onCycle.size };
}
