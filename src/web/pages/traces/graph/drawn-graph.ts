// A graph of agents as it is drawn: what of the answer of the server the picture and the table need.
import type { SpanKind } from "../../../domain/trace/trace-span.ts";

interface Figures {
  readonly spanCount: number;
  readonly errorCount: number;
  /** US dollars, of what is known. */
  readonly cost: number;
  readonly latencyMsP50: number | null;
}

export interface DrawnNode extends Figures {
  readonly key: string;
  readonly kind: SpanKind;
  readonly name: string;
  /** From left to right; from 1. */
  readonly column: number;
  /** The key of the graph of what is below it. */
  readonly graph: string | null;
  /** Global ids by start; none where the graph is of many traces. */
  readonly spanNodeIds: readonly string[];
}

export interface DrawnEdge extends Figures {
  /** START, or the key of a node. */
  readonly from: string;
  readonly to: string;
  readonly times: number;
  readonly isBack: boolean;
}

export interface DrawnGraph {
  readonly key: string;
  readonly kind: SpanKind;
  readonly name: string;
  readonly isAgent: boolean;
  readonly runCount: number;
  /** Also of those that the server does not list, as they are rare. */
  readonly nodeCount: number;
  readonly nodes: readonly DrawnNode[];
  /** The most frequent first. */
  readonly edges: readonly DrawnEdge[];
}

export const START = "start";

/** As the server answers it; the kinds of spans in its own spelling. */
interface AnsweredGraph extends Omit<DrawnGraph, "kind" | "nodes"> {
  readonly spanKind: string;
  readonly nodes: readonly (Omit<DrawnNode, "kind" | "spanNodeIds"> & {
    readonly spanKind: string;
    readonly spanNodeIds?: readonly string[];
  })[];
}

export function drawnGraphs(graphs: readonly AnsweredGraph[]): readonly DrawnGraph[] {
  return graphs.map(({ spanKind, nodes, ...graph }) => ({
    ...graph,
    kind: kindOf(spanKind),
    nodes: nodes.map(({ spanKind: kind, ...node }) => ({ spanNodeIds: [], ...node, kind: kindOf(kind) })),
  }));
}

export function kindOf(spanKind: string): SpanKind {
  return spanKind.toUpperCase() as SpanKind;
}

/** A step of a graph in the address. */
export function stepId(graph: Pick<DrawnGraph, "key">, node: Pick<DrawnNode, "key">): string {
  return `${graph.key}/${node.key}`;
}

/** Those that no other one holds; where they hold each other, the first. */
export function outerGraphs(graphs: readonly DrawnGraph[]): readonly DrawnGraph[] {
  const held = new Set(
    graphs.flatMap(({ key, nodes }) => nodes.flatMap(({ graph }) => (graph === null || graph === key ? [] : [graph]))),
  );
  const outer = graphs.filter(({ key }) => !held.has(key));
  return outer.length > 0 ? outer : graphs.slice(0, 1);
}
