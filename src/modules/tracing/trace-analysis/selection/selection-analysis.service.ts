// What many traces are made of: the graphs of their agents as one, and the steps that would save most if they took no time. Computed when
// it is asked for; nothing is stored.
import { InstantSteps } from "../../../../analysis/critical-path/instant-steps.ts";
import { AgentGraphs } from "../../../../analysis/graph/agent-graphs.ts";
import { countFitting } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TraceListScope, TraceListService } from "../../traces/list/trace-list.service.ts";
import { type GraphLimits, graphsOfMany, NO_NAMES } from "../graph/trace-graph.schema.ts";
import type { TraceGraphsService } from "../graph/trace-graphs.service.ts";
import { NamingSpans } from "./naming-spans.rules.ts";
import type { SelectedStepsStore } from "./selected-steps.store.ts";
import type { SelectionAnalysis } from "./selection-analysis.schema.ts";

export interface SelectionAnalysisService {
  /** Of the newest traces that match, at most so many. Throws `filter.invalid`. */
  analyse(context: CallContext, scope: TraceListScope, mostTraces: number): Promise<SelectionAnalysis>;
}

interface SelectionLimits {
  /** Of all traces together. */
  readonly spans: number;
  /** Of the answer. */
  readonly graph: GraphLimits;
  /** Different steps in memory: names that are all different are no steps. */
  readonly nodes: number;
}

const LIMITS: SelectionLimits = {
  spans: 400_000,
  graph: { graphs: 50, nodes: 100, edges: 400 },
  nodes: 20_000,
};
/** Spans that are in memory at a time. */
const SPANS_A_READ = 10_000;
const MOST_STEPS = 20;

interface SelectionDependencies {
  readonly store: SelectedStepsStore;
  readonly traces: Pick<TraceListService, "listOfProject">;
  readonly graphs: Pick<TraceGraphsService, "readNames">;
  readonly limits?: SelectionLimits;
}

export function createSelectionAnalysisService(dependencies: SelectionDependencies): SelectionAnalysisService {
  const { store, traces, graphs: traceGraphs, limits = LIMITS } = dependencies;

  return {
    async analyse(context, scope, mostTraces) {
      const request = { sort: "startTime", order: "desc", start: null, limit: mostTraces } as const;
      const page = await traces.listOfProject(context, scope, request);
      const kept = page.items.slice(
        0,
        countFitting(page.items, limits.spans, ({ spanCount }) => spanCount),
      );
      const graphs = new AgentGraphs();
      const instant = new InstantSteps();
      const asked = new NamingSpans();
      let [traceCount, spanCount] = [0, 0];
      const parts = partsOf(kept);
      // The next part is read while one is analysed.
      let coming = parts.length === 0 ? null : store.list(context, parts[0]!);
      for (let at = 0; coming !== null && countNodes(graphs) <= limits.nodes; at++) {
        const found = await coming;
        coming = at + 1 < parts.length ? store.list(context, parts[at + 1]!) : null;
        coming?.catch(() => undefined);
        const naming = await asked.among([...found.values()].flat(), (ids) => traceGraphs.readNames(context, ids));
        for (const steps of found.values()) {
          const named = steps.map((step) => {
            const [nodeId, nodeName, nodeParentId] = naming.get(step.id) ?? NO_NAMES;
            return { ...step, nodeId, nodeName, nodeParentId };
          });
          graphs.add(named, true);
          instant.add(steps);
          traceCount++;
          spanCount += steps.length;
        }
      }
      await coming;
      return {
        traceCount,
        spanCount,
        isComplete: page.next === null && traceCount >= page.items.length,
        durationUs: instant.durationUs,
        graphs: graphsOfMany(graphs, limits.graph),
        instantSteps: instant.most(MOST_STEPS),
      };
    },
  };
}

/** Row ids of traces whose spans are read together; at least one. */
function partsOf(
  traces: readonly { readonly id: number; readonly spanCount: number }[],
): readonly (readonly number[])[] {
  const parts: (readonly number[])[] = [];
  for (let rest = traces; rest.length > 0; ) {
    const count = countFitting(rest, SPANS_A_READ, ({ spanCount }) => spanCount);
    parts.push(rest.slice(0, count).map(({ id }) => id));
    rest = rest.slice(count);
  }
  return parts;
}

function countNodes({ graphs }: AgentGraphs): number {
  return graphs.values().reduce((sum, { nodes }) => sum + nodes.size, 0);
}
