// The trace as the graphs of its agents, in the place of its spans. A step that is chosen shows its spans in the details.
import { ListTree } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { Repeats } from "../../../../domain/trace/shown-span.ts";
import type { TraceTree, TreeNode } from "../../../../domain/trace/tree.ts";
import { Button } from "../../../../kit/Button.tsx";
import { Loaded, Skeleton } from "../../../../kit/States.tsx";
import { useGraphql } from "../../../../lib/queries.ts";
import { text } from "../../../../texts/texts.ts";
import { AgentGraph } from "../../graph/AgentGraph.tsx";
import { type DrawnGraph, type DrawnNode, drawnGraphs, stepId } from "../../graph/drawn-graph.ts";
import { traceGraphs } from "./graph.queries.ts";
import type { GraphView } from "./use-graph-view.ts";

interface TraceGraphProps {
  /** Global id. */
  readonly traceId: string;
  readonly tree: TraceTree;
  /** Global id of the span that the details show. */
  readonly selected: string | null;
  readonly view: GraphView;
  /** The spans of the chosen step; null for a single one. */
  readonly onFound: (spans: Repeats | null) => void;
  readonly onSelect: (key: string) => void;
}

export default function TraceGraph({ traceId, tree, selected, view, onFound, onSelect }: TraceGraphProps) {
  const query = useGraphql(traceGraphs, { id: traceId });
  const node = query.data?.node;
  const answer = node?.__typename === "Trace" ? node.agentGraphs : undefined;
  const graphs = useMemo(() => (answer === undefined ? [] : drawnGraphs(answer)), [answer]);
  const byId = useMemo(() => {
    const spans = [...tree.byKey.values()].filter(({ span }) => span !== null);
    return new Map(spans.map((each) => [each.span!.id, each]));
  }, [tree]);
  // The step in the address, as long as the details show one of its spans; else the one of the span that they show.
  const chosen = useMemo(() => {
    const steps = graphs.flatMap((graph) => graph.nodes.map((step) => ({ id: stepId(graph, step), step })));
    const holding = steps.filter(({ step }) => selected !== null && step.spanNodeIds.includes(selected));
    const named = holding.filter(({ id }) => id === view.step);
    return named.length > 0 ? named : holding;
  }, [graphs, view.step, selected]);
  const spans = useMemo(
    () => (chosen[0]?.id === view.step ? repeatsOf(chosen[0].step, byId) : null),
    [chosen, view.step, byId],
  );
  useEffect(() => {
    onFound(spans);
    return () => onFound(null);
  }, [spans, onFound]);
  const choose = (graph: DrawnGraph, step: DrawnNode) => {
    const members = membersOf(step, byId);
    const first = members.find(({ span }) => span!.status === "ERROR") ?? members[0];
    if (first === undefined) return;
    onSelect(first.key);
    view.setStep(stepId(graph, step));
  };
  return (
    <Loaded query={query} loading={<Skeleton lines={8} />}>
      {() => (
        <AgentGraph
          graphs={graphs}
          asTable={view.asTable}
          onTable={view.setTable}
          chosen={new Set(chosen.map(({ id }) => id))}
          onChoose={choose}
        >
          <Button look="quiet" icon={<ListTree />} onClick={() => view.show(false)}>
            {text("trace.spans")}
          </Button>
        </AgentGraph>
      )}
    </Loaded>
  );
}

function membersOf({ spanNodeIds }: DrawnNode, byId: ReadonlyMap<string, TreeNode>): readonly TreeNode[] {
  return spanNodeIds.flatMap((id) => byId.get(id) ?? []);
}

function repeatsOf(step: DrawnNode, byId: ReadonlyMap<string, TreeNode>): Repeats | null {
  const members = membersOf(step, byId);
  if (members.length < 2) return null;
  const lengths = members.map(({ startUs, endUs }) => endUs - startUs).sort((one, other) => one - other);
  return {
    name: step.name,
    kind: step.kind,
    times: members.length,
    p50Us: lengths[Math.ceil(lengths.length / 2) - 1]!,
    members,
    failed: members.filter(({ span }) => span!.status === "ERROR"),
  };
}
