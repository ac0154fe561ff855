// The graphs of the agents of a trace, as records and as a body of the API.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  AgentGraphs,
  type CountedGraph,
  type CountedNode,
  type GraphSpan,
  START,
} from "../../../../analysis/graph/agent-graphs.ts";
import { placeGraph } from "../../../../analysis/graph/graph-columns.ts";
import { Nullable } from "../../../../kernel/schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";

/** `graph.node.id`, `graph.node.name` and `graph.node.parent_id` of a span. */
export type NodeNames = readonly [id: string | null, name: string | null, parentId: string | null];
export const NO_NAMES: NodeNames = [null, null, null];

/** Of the spans of a node or behind an edge. */
interface GraphFigures {
  readonly spans: number;
  readonly failed: number;
  /** In 10^-12 USD, of those whose cost is known. */
  readonly cost: number;
  readonly p50Us: number | null;
}

/** A span of a trace as its graph takes it. */
interface GraphMember extends GraphSpan {
  readonly id: number;
}

export interface GraphNode extends GraphFigures {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly column: number;
  readonly graph: string | null;
  /** Its spans by start. */
  readonly members: readonly GraphMember[];
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
  /** Also of those that are not listed: the rarest ones of very many. */
  readonly nodeCount: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export function traceGraphsOf(spans: readonly GraphMember[]): readonly TraceGraph[] {
  const members = new Map<CountedNode, GraphMember[]>();
  const graphs = new AgentGraphs((node, at) => {
    const known = members.get(node);
    if (known === undefined) members.set(node, [spans[at]!]);
    else known.push(spans[at]!);
  });
  graphs.add(spans, true);
  for (const each of members.values()) each.sort((one, other) => one.startUs - other.startUs);
  return [...graphs.graphs.values()].map((graph) => placed(graph, members));
}

/** The most frequent nodes and edges of each, and the graphs that ran most often first. */
export function graphsOfMany({ graphs }: AgentGraphs, most: GraphLimits): readonly TraceGraph[] {
  const frequent = [...graphs.values()].sort((one, other) => other.runs - one.runs).slice(0, most.graphs);
  return frequent.map((graph) => placed(graph, new Map(), most));
}

export interface GraphLimits {
  readonly graphs: number;
  /** Of one graph, both. */
  readonly nodes: number;
  readonly edges: number;
}

const EVERYTHING: Omit<GraphLimits, "graphs"> = { nodes: Number.POSITIVE_INFINITY, edges: Number.POSITIVE_INFINITY };

function placed(
  graph: CountedGraph,
  members: ReadonlyMap<CountedNode, readonly GraphMember[]>,
  most = EVERYTHING,
): TraceGraph {
  const { key, kind, name, isAgent, runs } = graph;
  const all = placeGraph(graph);
  const frequent = all.nodes.toSorted((one, other) => other.node.spans - one.node.spans).slice(0, most.nodes);
  const shown = new Set(frequent.map(({ node }) => node.key));
  const nodes = all.nodes.filter(({ node }) => shown.has(node.key));
  const edges = all.edges
    .filter(({ edge: { from, to } }) => (from === START || shown.has(from)) && shown.has(to))
    .slice(0, most.edges);
  return {
    ...{ key, kind, name, isAgent, runs, nodeCount: all.nodes.length },
    nodes: nodes.map(({ node, column }) => ({
      ...{ key: node.key, kind: node.kind, name: node.name, graph: node.graph, column },
      ...figuresOf(node),
      members: members.get(node) ?? [],
    })),
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

const NodeBody = Type.Object({
  key: Type.String({ description: "`graph.node.id`, or kind and name." }),
  span_kind: Type.String(),
  name: Type.String(),
  column: Type.Integer({ description: "From left to right, from 1; the start is 0." }),
  graph: Nullable(Type.String(), { description: "The key of the graph of what is below it." }),
  ...Figures,
});

function graphWith<Node extends TSchema>(node: Node) {
  return Type.Object({
    key: Type.String(),
    span_kind: Type.String(),
    name: Type.String(),
    is_agent: Type.Boolean({ description: "An agent or a root; the others are folded inside those." }),
    run_count: Type.Integer(),
    node_count: Type.Integer({ description: "Also of those that are not listed: the rarest ones of very many." }),
    nodes: Type.Array(node),
    edges: Type.Array(
      Type.Object({
        from: Type.String({ description: "`start`, or the key of a node." }),
        to: Type.String(),
        times: Type.Integer(),
        is_back: Type.Boolean({ description: "Leads to a step that is usually made earlier, or to itself." }),
        ...Figures,
      }),
    ),
  });
}

/** A graph of many traces. */
export const AgentGraphBody = graphWith(NodeBody);

export const AgentGraphAnswer = Type.Object({
  data: Type.Object({
    trace_id: Type.String(),
    graphs: Type.Array(
      graphWith(
        Type.Object({ ...NodeBody.properties, span_ids: Type.Array(Type.String(), { description: "By start." }) }),
      ),
    ),
  }),
});
type AgentGraphAnswer = Static<typeof AgentGraphAnswer>;

export function agentGraphAnswer(traceKey: string, graphs: readonly TraceGraph[]): AgentGraphAnswer {
  return {
    data: {
      trace_id: traceKey,
      graphs: graphs.map((graph) => {
        const spanIds = new Map(graph.nodes.map(({ key, members }) => [key, members.map(({ spanKey }) => spanKey)]));
        const body = agentGraphBody(graph);
        return { ...body, nodes: body.nodes.map((node) => ({ ...node, span_ids: spanIds.get(node.key)! })) };
      }),
    },
  };
}

export function agentGraphBody(graph: TraceGraph): Static<typeof AgentGraphBody> {
  const { key, kind, name, isAgent, runs, nodeCount, nodes, edges } = graph;
  return {
    ...{ key, span_kind: kind, name, is_agent: isAgent, run_count: runs, node_count: nodeCount },
    nodes: nodes.map((node) => ({
      ...{ key: node.key, span_kind: node.kind, name: node.name, column: node.column, graph: node.graph },
      ...figuresBody(node),
    })),
    edges: edges.map((edge) => ({
      ...{ from: edge.from, to: edge.to, times: edge.times, is_back: edge.isBack },
      ...figuresBody(edge),
    })),
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
