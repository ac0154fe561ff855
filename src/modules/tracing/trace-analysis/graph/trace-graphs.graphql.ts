// The graphs of the agents of a trace in GraphQL.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import type { SpanKind } from "../../../../model/span.ts";
import { SPAN } from "../../spans/spans.schema.ts";
import { spanKindType } from "../../traces/span-kind.graphql.ts";
import { TRACE } from "../../traces/traces.schema.ts";
import { millisecondsOf, usdOf } from "../trace-analysis.schema.ts";
import type { GraphEdge, GraphNode, TraceGraph } from "./trace-graph.schema.ts";
import type { TraceGraphsService } from "./trace-graphs.service.ts";

const MEDIAN = "Of their latencies; exact.";
const COST = "In USD, of the spans whose cost is known.";

export function addTraceGraphs(types: GraphqlTypes, graphs: TraceGraphsService): void {
  const { builder, ref } = types;
  builder.objectField(ref(TRACE), "agentGraphs", (t) =>
    t.field({
      type: [agentGraphType(types)],
      description: "Which steps its agents make and which follow which, the graph of its root first.",
      resolve: async ({ id }, _given, call) => [...((await call.load(graphs.readGraphs, id, null)) ?? [])],
    }),
  );
}

export function agentGraphType(types: GraphqlTypes) {
  return types.once("AgentGraph", () => graphType(types));
}

const cost = { description: COST, resolve: ({ cost }: Pick<GraphNode, "cost">) => usdOf(cost) };
const latencyMsP50 = {
  nullable: true,
  description: MEDIAN,
  resolve: ({ p50Us }: Pick<GraphNode, "p50Us">) => (p50Us === null ? null : millisecondsOf(p50Us)),
} as const;

function graphType(types: GraphqlTypes) {
  const { builder } = types;
  const Node = builder.objectRef<GraphNode>("AgentGraphNode").implement({
    fields: (t) => ({
      key: t.exposeString("key", { description: "`graph.node.id`, or kind and name." }),
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      column: t.exposeInt("column", { description: "From left to right, from 1; the start is 0." }),
      graph: t.exposeString("graph", { nullable: true, description: "The key of the graph of what is below it." }),
      spanCount: t.exposeInt("spans"),
      errorCount: t.exposeInt("failed"),
      cost: t.float(cost),
      latencyMsP50: t.float(latencyMsP50),
      spanNodeIds: t.idList({
        description: "Its spans by start; none where the graph is of many traces.",
        resolve: ({ members }) => members.map(({ id }) => globalId(SPAN, id)),
      }),
    }),
  });
  const Edge = builder.objectRef<GraphEdge>("AgentGraphEdge").implement({
    fields: (t) => ({
      from: t.exposeString("from", { description: "`start`, or the key of a node." }),
      to: t.exposeString("to"),
      times: t.exposeInt("times"),
      isBack: t.exposeBoolean("isBack", { description: "Leads to a step that is usually made earlier, or to itself." }),
      spanCount: t.exposeInt("spans"),
      errorCount: t.exposeInt("failed"),
      cost: t.float(cost),
      latencyMsP50: t.float(latencyMsP50),
    }),
  });
  return builder.objectRef<TraceGraph>("AgentGraph").implement({
    fields: (t) => ({
      key: t.exposeString("key"),
      spanKind: t.field({ type: spanKindType(types), resolve: ({ kind }) => kind as SpanKind }),
      name: t.exposeString("name"),
      isAgent: t.exposeBoolean("isAgent", {
        description: "An agent or a root; the others are folded inside those.",
      }),
      runCount: t.exposeInt("runs"),
      nodeCount: t.exposeInt("nodeCount", {
        description: "Also of those that are not listed: the rarest ones of very many.",
      }),
      nodes: t.field({ type: [Node], resolve: ({ nodes }) => [...nodes] }),
      edges: t.field({ type: [Edge], resolve: ({ edges }) => [...edges] }),
    }),
  });
}
