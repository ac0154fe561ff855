// Moves traces to another project, with all their spans. Their session stays theirs, and stays in its project.
import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { createTransferStore, type MovingTrace, type SpanPosition } from "./transfer.store.ts";

/** Spans rewritten in one transaction at most; traces without spans are counted, too. */
const SLICE = 500;

export interface TransferService {
  /** Resolves when all of the traces and their spans are in the project. Traces that are gone are passed over; the same call
   *  again finishes what was interrupted. Throws kind `not_found` when the project is gone or being deleted. */
  transferTraces(context: CallContext, traceIds: readonly number[], destinationProjectId: number): Promise<void>;
  /** Moves spans that an interrupted transfer left in the project to where their traces are: before a project goes, so that
   *  no span is left behind in it. */
  finishTransfersFrom(context: CallContext, projectId: number): Promise<void>;
}

/** A trace is in exactly one project at any time: its row moves first, and spans that arrive from then on follow it. The spans of
 *  a large trace follow in slices: until the last one some are still listed in the project they came from, each span in
 *  exactly one. */
export function createTransferService(storage: Storage): TransferService {
  const store = createTransferStore(storage.dialect);

  async function moveWhole(context: CallContext, traces: readonly MovingTrace[], projectId: number): Promise<void> {
    const keys = traces.map((trace) => trace.traceKey);
    await storage.withTraces(context, keys, async (inner, ids) => {
      await requireOpen(inner, projectId);
      await store.moveTraces(inner, ids, projectId);
      await store.moveSpansOf(inner, ids, projectId);
    });
  }

  async function moveLarge(context: CallContext, { traceKey }: MovingTrace, projectId: number): Promise<void> {
    await storage.withTraces(context, [traceKey], async (inner, ids) => {
      await requireOpen(inner, projectId);
      await store.moveTraces(inner, ids, projectId);
    });
    await moveSpansBehind(context, traceKey, projectId);
  }

  /** Walks the spans in the order of their start. Ends early when the trace is gone, or has been moved on meanwhile: then its
   *  spans are moved by that call. */
  async function moveSpansBehind(context: CallContext, traceKey: string, projectId: number): Promise<void> {
    let last: SpanPosition | undefined;
    do {
      const after: SpanPosition | null = last ?? null;
      last = await storage.withTraces(context, [traceKey], async (inner, [traceId]) => {
        if (traceId === undefined || (await store.findProject(inner, traceId)) !== projectId) return undefined;
        const spans = await store.listSpans(inner, traceId, after, SLICE);
        await store.moveSpans(
          inner,
          spans.map((span) => span.id),
          projectId,
        );
        return spans.length < SLICE ? undefined : spans.at(-1);
      });
    } while (last !== undefined);
  }

  async function requireOpen(context: CallContext, projectId: number): Promise<void> {
    if (await store.isProjectOpen(context, projectId)) return;
    throw fail("projects.not_found", "not_found", `No project has the identifier ${globalId("Project", projectId)}`);
  }

  return {
    async transferTraces(context, traceIds, destinationProjectId) {
      const traces = await store.listTraces(context, traceIds);
      const isLarge = (trace: MovingTrace) => trace.spanCount > SLICE;
      for (const slice of slicesOf(traces.filter((trace) => !isLarge(trace)))) {
        await moveWhole(context, slice, destinationProjectId);
      }
      for (const trace of traces.filter(isLarge)) await moveLarge(context, trace, destinationProjectId);
    },

    async finishTransfersFrom(context, projectId) {
      for (;;) {
        const strays = await store.listStrays(context, projectId, SLICE);
        if (strays.length === 0) return;
        for (const stray of strays) await moveSpansBehind(context, stray.traceKey, stray.projectId);
      }
    },
  };
}

function slicesOf(traces: readonly MovingTrace[]): MovingTrace[][] {
  const slices: MovingTrace[][] = [];
  let remaining = 0;
  for (const trace of traces) {
    const size = Math.max(1, trace.spanCount);
    if (size > remaining) {
      slices.push([]);
      remaining = SLICE;
    }
    slices.at(-1)!.push(trace);
    remaining -= size;
  }
  return slices;
}
