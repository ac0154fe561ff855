// A trace and what arrives later: asked again while it may still grow, and while the page is live.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { buildTree, type TraceTree } from "../../../domain/trace/tree.ts";
import { useLiveInterval } from "../../../lib/live.ts";
import { traceSource } from "./trace-source.ts";
import { TraceState, type TraceView } from "./trace-state.ts";

/** How soon a span that was sent should be seen. */
const GROWING_MS = 2_000;
/** A trace whose last span ended this long ago is not followed any more, even if spans are missing. */
const GIVEN_UP_MS = 30 * 60_000;
/** Exporters send in batches, every five seconds by default: this long after the last span another may come. */
const SETTLING_MS = 20_000;

export interface OpenTrace {
  readonly view: TraceView;
  readonly tree: TraceTree;
  /** Its root or a named parent has not arrived, and still may. */
  readonly unfinished: boolean;
  readonly reload: () => void;
}

export function useTrace(projectId: string, traceId: string): OpenTrace {
  const state = useMemo(() => new TraceState(traceSource(projectId, traceId)), [projectId, traceId]);
  const view = useSyncExternalStore(state.subscribe, state.view);
  const tree = useMemo(() => buildTree(view.spans, view.complete), [view.spans, view.complete]);
  useEffect(() => {
    void state.load();
    return () => state.stop();
  }, [state]);

  const lacking = view.complete && lacksParents(tree);
  const live = useLiveInterval();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      // By the present time: a page that shows nothing new is not drawn again.
      if (live !== false || mayGrow(state.view(), lacking)) void state.refresh();
    }, GROWING_MS);
    return () => clearInterval(timer);
  }, [state, live, lacking]);
  const unfinished = lacking && sinceEndMs(view) < GIVEN_UP_MS;
  return { view, tree, unfinished, reload: () => void state.load() };
}

function sinceEndMs({ trace }: TraceView): number {
  return trace === null ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(trace.endTime);
}

/** A named parent is missing, or the trace has no span without a parent. */
function lacksParents({ representative, missing }: TraceTree): boolean {
  return representative !== null && (missing > 0 || representative.parent !== null);
}

function mayGrow(view: TraceView, lacking: boolean): boolean {
  return sinceEndMs(view) < (lacking ? GIVEN_UP_MS : SETTLING_MS);
}
