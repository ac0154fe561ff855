// The graphs of the agents of a trace, as records and as a body of the API.
import { type Static, Type } from "@sinclair/typebox";
import {
  AgentGraphs,
  type CountedGraph,
  type CountedNode,
  type GraphSpan,
} from "../../../../analysis/graph/agent-graphs.ts";
import { placeGraph } from "../../../../analysis/graph/graph-columns.ts";
import { Nullable } from "../../../../kernel/schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";

/** Of the spans of a node or behind an edge. */
interface GraphFigures {
  readonly spans: number;
  readonly failed: number;
  /** In 10^-12 USD, of those whose cost is known. */
  readonly cost: number;
  readonly p50Us: number | null;
}

export interface GraphNode extends GraphFigures {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly column: number;
  readonly graph: string | null;
}

export interface GraphEdge extends GraphFigures {
  readonly from: string;
  readonly to: string;
  readonly times: number;
  readonly isBack: boolean;
}

export interface TraceGraph {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly isAgent: boolean;
  readonly runs: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export function traceGraphsOf(spans: readonly GraphSpan[]): readonly TraceGraph[] {
  const graphs = new AgentGraphs();
  graphs.add(spans, true);
  return [...graphs.graphs.values()].map(placed);
}

function placed(graph: CountedGraph): TraceGraph {
  const { key, kind, name, isAgent, runs } = graph;
  const { nodes, edges } = placeGraph(graph);
  return {
    ...{ key, kind, name, isAgent, runs },
    nodes: nodes.map(
      ({ node: { key: nodeKey, kind: nodeKind, name: nodeName, graph: below, ...figures }, column }) => ({
        ...{ key: nodeKey, kind: nodeKind, name: nodeName, graph: below, column },
        ...figuresOf(figures),
      }),
    ),
    edges: edges.map(({ edge: { from, to, times, ...figures }, isBack }) => ({
      ...{ from, to, times, isBack },
      ...figuresOf(figures),
    })),
  };
}

type Counted = Pick<CountedNode, "spans" | "failed" | "cost" | "durationsUs">;

function figuresOf({ spans, failed, cost, durationsUs }: Counted): GraphFigures {
  return { spans, failed, cost, p50Us: durationsUs.percentile(0.5) };
}

const Figures = {
  span_count: Type.Integer(),
  error_count: Type.Integer(),
  cost: Type.Number({ description: "In USD, of the spans whose cost is known." }),
  latency_ms_p50: Nullable(Type.Number()),
};

export const AgentGraphAnswer = Type.Object({
  data: Type.Object({
    trace_id: Type.String(),
    graphs: Type.Array(
      Type.Object({
        key: Type.String(),
        span_kind: Type.String(),
        name: Type.String(),
        is_agent: Type.Boolean({ description: "An agent or a root; the others are folded inside those." }),
        run_count: Type.Integer(),
        nodes: Type.Array(
          Type.Object({
            key: Type.String({ description: "`graph.node.id`, or kind and name." }),
            span_kind: Type.String(),
            name: Type.String(),
            column: Type.Integer({ description: "From left to right, from 1; the start is 0." }),
            graph: Nullable(Type.String(), { description: "The key of the graph of what is below it." }),
            ...Figures,
          }),
        ),
        edges: Type.Array(
          Type.Object({
            from: Type.String({ description: "`start`, or the key of a node." }),
            to: Type.String(),
            times: Type.Integer(),
            is_back: Type.Boolean({ description: "Leads to a step that is usually made earlier, or to itself." }),
            ...Figures,
          }),
        ),
      }),
    ),
  }),
});
type AgentGraphAnswer = Static<typeof AgentGraphAnswer>;

export function agentGraphAnswer(traceKey: string, graphs: readonly TraceGraph[]): AgentGraphAnswer {
  return {
    data: {
      trace_id: traceKey,
      graphs: graphs.map(({ key, kind, name, isAgent, runs, nodes, edges }) => ({
        ...{ key, span_kind: kind, name, is_agent: isAgent, run_count: runs },
        nodes: nodes.map((node) => ({
          ...{ key: node.key, span_kind: node.kind, name: node.name, column: node.column, graph: node.graph },
          ...figuresBody(node),
        })),
        edges: edges.map((edge) => ({
          ...{ from: edge.from, to: edge.to, times: edge.times, is_back: edge.isBack },
          ...figuresBody(edge),
        })),
      })),
    },
  };
}

function figuresBody({ spans, failed, cost, p50Us }: GraphFigures) {
  return {
    span_count: spans,
    error_count: failed,
    cost: usdOf(cost),
    latency_ms_p50: p50Us === null ? null : millisecondsOf(p50Us),
  };
}
