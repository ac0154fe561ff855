// Which steps the agents of traces make, and which follow which.
import type { CallContext } from "../../../../storage/storage.ts";
import type { SpanReadsService } from "../../spans/reading/span-reads.service.ts";
import type { TraceAnalysisService } from "../trace-analysis.service.ts";
import { NO_NAMES, type NodeNames, type TraceGraph, traceGraphsOf } from "./trace-graph.schema.ts";

export interface TraceGraphsService {
  /** By row id of the trace, the graph of its root first. Throws kind `too_large` beyond 20,000 spans in all. */
  readGraphs(context: CallContext, traceIds: readonly number[]): Promise<Map<number, readonly TraceGraph[]>>;
  /** By row id of the span: what its program says of its node. */
  readNames(context: CallContext, spanIds: readonly number[]): Promise<Map<number, NodeNames>>;
}

/** What programs say of their nodes themselves. */
const NODE_PATHS = ["id", "name", "parent_id"].map((name) => ["graph", "node", name]);
/** Spans whose attributes are read together. */
const SPANS_A_READ = 1000;

export function createTraceGraphsService(
  analysis: TraceAnalysisService,
  spanReads: Pick<SpanReadsService, "readAttributes">,
): TraceGraphsService {
  async function readNames(context: CallContext, ids: readonly number[]): Promise<Map<number, NodeNames>> {
    const names = new Map<number, NodeNames>();
    for (let first = 0; first < ids.length; first += SPANS_A_READ) {
      const found = await spanReads.readAttributes(context, ids.slice(first, first + SPANS_A_READ), NODE_PATHS);
      for (const [id, [nodeId = null, name = null, parentId = null]] of found) names.set(id, [nodeId, name, parentId]);
    }
    return names;
  }

  return {
    readNames,

    async readGraphs(context, traceIds) {
      const spans = await analysis.listSpans(context, traceIds);
      const ids = [...spans.values()].flatMap((each) => each.map(({ id }) => id));
      const names = await readNames(context, ids);
      return new Map(
        [...spans].map(([traceId, each]) => {
          const steps = each.map((span) => {
            const [nodeId, nodeName, nodeParentId] = names.get(span.id) ?? NO_NAMES;
            return { ...span, failed: span.status === "ERROR", nodeId, nodeName, nodeParentId };
          });
          return [traceId, traceGraphsOf(steps)];
        }),
      );
    },
  };
}
