// The one door through which traces go: slices of whole traces, or parts of a large one, each a short transaction after which
// ingestion has its turn. What is deleted stays deleted; the same call again finishes.
import { subtractTotals, traceTotals } from "../../../model/summaries/rollups/rollup-totals.ts";
import { sessionDifferences, type TraceChange } from "../../../model/summaries/rollups/session-rollup.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { SummedTrace, TraceSumsStore } from "../../../storage/trace-sums.ts";
import type { DeleteStore } from "./delete.store.ts";
import type { ListedTrace } from "./delete-lists.store.ts";
import type { DeleteSpansStore } from "./delete-spans.store.ts";

/** Spans of one slice at most; traces without spans are counted, too. */
const SLICE = 500;

export interface DeletionOptions {
  /** Asked under the lock: a trace may have been moved or linked since it was listed. */
  readonly isWanted: (trace: SummedTrace) => boolean;
  /** Sessions of this project that lose their last trace go in the same transaction. */
  readonly emptySessionsOf?: number;
  readonly pace?: DeletionPace;
}

/** Of a deletion in the background: smaller slices, and a pause after each. */
export interface DeletionPace {
  /** Of one slice at most. */
  readonly spans: number;
  /** Called with the milliseconds that the slice took. */
  readonly rest: (worked: number) => Promise<void>;
}

export interface SliceDeletion {
  /** Deletes the traces with everything in them and takes them out of their sessions. Traces that are gone or not wanted any
   *  more are passed over. */
  deleteTraces(context: CallContext, traces: readonly ListedTrace[], options: DeletionOptions): Promise<void>;
  /** Inside the transaction that has locked the traces. */
  removeWhole(context: CallContext, traces: readonly SummedTrace[], options: DeletionOptions): Promise<void>;
  /** What sessions lose by the changes; the last step of a transaction. */
  settleSessions(context: CallContext, changes: readonly TraceChange[], options: DeletionOptions): Promise<void>;
}

interface SliceDeletionDependencies {
  readonly storage: Storage;
  readonly store: DeleteStore;
  readonly spans: DeleteSpansStore;
  readonly sums: TraceSumsStore;
}

export function createSliceDeletion({ storage, store, spans, sums }: SliceDeletionDependencies): SliceDeletion {
  async function settleSessions(
    context: CallContext,
    changes: readonly TraceChange[],
    { emptySessionsOf }: DeletionOptions,
  ): Promise<void> {
    const differences = sessionDifferences(changes);
    await sums.changeSessions(context, differences);
    const ids = differences.map((difference) => difference.sessionId);
    if (emptySessionsOf !== undefined) await store.removeEmptySessions(context, ids, emptySessionsOf);
  }

  async function removeWhole(
    context: CallContext,
    traces: readonly SummedTrace[],
    options: DeletionOptions,
  ): Promise<void> {
    const ids = traces.map((trace) => trace.id);
    await store.removeSpans(context, await store.spanIds(context, ids));
    await store.removeTraces(context, ids);
    await settleSessions(
      context,
      traces.map((trace) => ({ before: trace, after: null })),
      options,
    );
  }

  /** The earliest spans of a trace that is too large for one slice. */
  async function removePart(context: CallContext, trace: SummedTrace, options: DeletionOptions): Promise<void> {
    const doomed = await spans.listEarliest(context, trace.id, sizeOf(options));
    const removed = traceTotals(doomed.map((span) => span.counted)).get(trace.id)!;
    await store.removeSpans(
      context,
      doomed.map((span) => span.id),
    );
    // What is above a child in time may hold its sums: right again before they are next read, should this be the last slice.
    await sums.markPending(context, trace.id);
    const after = { sessionId: trace.sessionId, totals: subtractTotals(trace.totals, removed) };
    await sums.changeTrace(context, trace, after.totals);
    await settleSessions(context, [{ before: trace, after }], options);
  }

  /** One transaction; true when all of the traces are gone. */
  function deleteSlice(context: CallContext, keys: readonly string[], options: DeletionOptions): Promise<boolean> {
    return storage.withTraces(context, keys, async (inner, ids) => {
      if (ids.length === 0) return true;
      const wanted = (await sums.readTraces(inner, ids)).filter(options.isWanted).map(withSpanCount);
      const [whole] = slicesOf(wanted, sizeOf(options));
      if (whole === undefined) return true;
      if (whole[0]!.spanCount > sizeOf(options)) {
        await removePart(inner, whole[0]!, options);
        return false;
      }
      await removeWhole(inner, whole, options);
      return whole.length === wanted.length;
    });
  }

  return {
    removeWhole,
    settleSessions,
    async deleteTraces(context, traces, options) {
      for (const slice of slicesOf(traces, sizeOf(options))) {
        const keys = slice.map((trace) => trace.traceKey);
        for (let isGone = false; !isGone; ) {
          const began = performance.now();
          isGone = await deleteSlice(context, keys, options);
          await options.pace?.rest(performance.now() - began);
        }
      }
    },
  };
}

function withSpanCount(trace: SummedTrace) {
  return { ...trace, spanCount: trace.totals.spanCount };
}

function sizeOf({ pace }: DeletionOptions): number {
  return pace?.spans ?? SLICE;
}

/** Whole traces up to the size of a slice; a larger one is a slice of its own. */
export function slicesOf<Trace extends ListedTrace>(traces: readonly Trace[], spans = SLICE): Trace[][] {
  const slices: Trace[][] = [];
  let remaining = 0;
  for (const trace of traces) {
    const size = Math.max(1, trace.spanCount);
    if (size > remaining || slices.length === 0) {
      slices.push([]);
      remaining = spans;
    }
    slices.at(-1)!.push(trace);
    remaining -= size;
  }
  return slices;
}
