// Where the nodes of a graph stand from left to right, and which edges lead back.
import { type CountedEdge, type CountedGraph, type CountedNode, START } from "./agent-graphs.ts";

interface PlacedNode {
  readonly node: CountedNode;
  /** From 1; nodes of one column are beside each other. The start is column 0. */
  readonly column: number;
}

interface PlacedEdge {
  readonly edge: CountedEdge;
  /** Leads to a step that is usually made earlier, or to itself: a loop. */
  readonly isBack: boolean;
}

interface PlacedGraph {
  /** By column, those made first before others. */
  readonly nodes: readonly PlacedNode[];
  /** Those counted most first. */
  readonly edges: readonly PlacedEdge[];
}

/** From left to right by the wave in which nodes are first on average, and behind everything that leads to them; what leads back is left
 *  out of that. Takes time (n + e) log n. */
export function placeGraph(graph: CountedGraph): PlacedGraph {
  const ordered = [...graph.nodes.values()].sort(byFirstTime);
  const ranks = new Map(ordered.map(({ key }, rank) => [key, rank]));
  const rankOf = (key: string) => (key === START ? -1 : ranks.get(key)!);
  const edges = [...graph.edges.values()].map((edge) => ({ edge, isBack: rankOf(edge.from) >= rankOf(edge.to) }));
  const columns = new Map<string, number>();
  const entering = Map.groupBy(
    edges.filter(({ isBack }) => !isBack),
    ({ edge }) => edge.to,
  );
  const waves = new Map([...new Set(ordered.map(firstWave))].map((wave, number) => [wave, number]));
  for (const node of ordered) {
    const before = (entering.get(node.key) ?? []).map(({ edge }) => columns.get(edge.from) ?? 0);
    columns.set(node.key, 1 + Math.max(waves.get(firstWave(node))!, ...before));
  }
  const placed = ordered.map((node) => ({ node, column: columns.get(node.key)! }));
  return {
    nodes: placed.sort((one, other) => one.column - other.column),
    edges: edges.sort(
      ({ edge: one }, { edge: other }) =>
        other.times - one.times || compare(one.from, other.from) || compare(one.to, other.to),
    ),
  };
}

/** A node that only edges name comes before those that they lead to. */
function byFirstTime(one: CountedNode, other: CountedNode): number {
  return meanFirstWave(one) - meanFirstWave(other) || compare(one.key, other.key);
}

function meanFirstWave({ firstWaves, runs }: CountedNode): number {
  return runs === 0 ? -1 : firstWaves / runs;
}

/** Whole, so that steps that are mostly made at the same time share a column. */
function firstWave(node: CountedNode): number {
  return Math.round(meanFirstWave(node));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
