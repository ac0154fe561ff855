// Deletes one span: its own values leave the trace and its session, its sums leave everything above it; its children stay as
// they are and become orphans.

import { climb, MAXIMUM_ANCESTORS } from "../../../model/summaries/rollups/rollup-climb.ts";
import { subtractTotals, traceTotals } from "../../../model/summaries/rollups/rollup-totals.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { TraceSumsStore } from "../../../storage/trace-sums.ts";
import type { RollupsService } from "../../../summaries/rollups/rollups.service.ts";
import { spanGone } from "./delete.errors.ts";
import type { DeleteStore } from "./delete.store.ts";
import type { DeleteSpansStore, DoomedSpan } from "./delete-spans.store.ts";
import type { SliceDeletion } from "./slices.service.ts";

export interface SpanToDelete {
  readonly id: number;
  readonly traceKey: string;
}

interface SpanDeletionDependencies {
  readonly storage: Storage;
  readonly store: DeleteStore;
  readonly spans: DeleteSpansStore;
  readonly sums: TraceSumsStore;
  readonly slices: SliceDeletion;
  readonly rollups: RollupsService;
}

/** Every trace that a call names is wanted. */
const ALWAYS = { isWanted: () => true };

export function createSpanDeletion(dependencies: SpanDeletionDependencies) {
  const { storage, store, spans, sums, slices, rollups } = dependencies;

  /** Takes the sums of the span from everything above it; false where they must be recomputed instead. */
  async function subtractFromAncestors(context: CallContext, traceId: number, span: DoomedSpan): Promise<boolean> {
    const { errors, prompt, completion } = span.sums;
    if (span.parentKey === null || (errors === 0 && prompt === 0 && completion === 0)) return true;
    const delta = { errors: 0 - errors, prompt: 0 - prompt, completion: 0 - completion };
    const above = await spans.listAncestors(context, traceId, span.parentKey, MAXIMUM_ANCESTORS + 1);
    const climbed = climb([{ traceId, parentKey: span.parentKey, delta }], above);
    if (climbed.newCycles.length > 0 || climbed.tooDeep.length > 0) return false;
    await spans.addToSums(context, climbed.updates);
    return true;
  }

  /** One transaction; the id of the trace when its sums must be recomputed. */
  function removeSpan(context: CallContext, { id, traceKey }: SpanToDelete): Promise<number | null> {
    return storage.withTraces(context, [traceKey], async (inner, traceIds) => {
      const [trace] = await sums.readTraces(inner, traceIds);
      const span = trace === undefined ? null : await spans.find(inner, trace.id, id);
      if (trace === undefined || span === null) throw spanGone(id);
      if (trace.totals.spanCount === 1) {
        await slices.removeWhole(inner, [trace], ALWAYS);
        return null;
      }
      await store.removeSpans(inner, [id]);
      const mustRecompute =
        trace.hasCycle ||
        (await spans.isPending(inner, trace.id)) ||
        (span.parentKey !== null && (await spans.repeatsChild(inner, trace.id, span.parentKey))) ||
        !(await subtractFromAncestors(inner, trace.id, span));
      if (mustRecompute) await sums.markPending(inner, trace.id);
      const removed = traceTotals([span.counted]).get(trace.id)!;
      const after = { sessionId: trace.sessionId, totals: subtractTotals(trace.totals, removed) };
      await sums.changeTrace(inner, trace, after.totals);
      await slices.settleSessions(inner, [{ before: trace, after }], ALWAYS);
      return mustRecompute ? trace.id : null;
    });
  }

  /** Resolves when the span is gone and the sums are right. Throws kind `not_found`. */
  return async function deleteSpan(context: CallContext, span: SpanToDelete): Promise<void> {
    const pendingTraceId = await removeSpan(context, span);
    if (pendingTraceId !== null) await rollups.settle(context, { id: pendingTraceId, traceKey: span.traceKey });
  };
}
