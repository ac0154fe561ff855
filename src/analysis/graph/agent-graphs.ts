// The graphs of agents: which steps they make, and which follow which. Of one trace or of many, added one after the other.
import type { NamedSpan } from "../critical-path/instant-steps.ts";
import { type Forest, forestOf } from "../forest.ts";
import { Samples } from "../samples.ts";
import { wavesOf } from "../waves.ts";

export interface GraphSpan extends NamedSpan {
  readonly failed: boolean;
  /** Its own, in 10^-12 USD; null where it is not known. */
  readonly cost: number | null;
  /** `graph.node.id`, `graph.node.name` and `graph.node.parent_id`. */
  readonly nodeId: string | null;
  readonly nodeName: string | null;
  readonly nodeParentId: string | null;
}

/** What is known of the spans of a node or behind an edge. */
interface StepFigures {
  spans: number;
  failed: number;
  /** Of those whose cost is known. */
  cost: number;
  readonly durationsUs: Samples;
}

export interface CountedNode extends StepFigures {
  /** `graph.node.id`, or kind and name as `TOOL:search`. */
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** The key of the graph of the spans below it; null where there are none. */
  graph: string | null;
  /** In how many runs of the owner it is, and the sum of the waves in which it was first. */
  runs: number;
  firstWaves: number;
}

export interface CountedEdge extends StepFigures {
  /** START, or the key of a node. */
  readonly from: string;
  readonly to: string;
  /** How often one wave with `from` was followed by one with `to`; the figures are those of the spans of `to` in it. */
  times: number;
}

export interface CountedGraph {
  /** Kind and name of the spans whose steps these are. */
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** An agent or a root; others are folded inside the graphs of those. */
  isAgent: boolean;
  runs: number;
  readonly nodes: Map<string, CountedNode>;
  readonly edges: Map<string, CountedEdge>;
}

export const START = "start";
const SEPARATOR = "\u0000";
/** Different steps of a wave times those of the next one. Where they are more, as with names that are all different, there are no edges between. */
const MOST_PAIRS = 10_000;

export class AgentGraphs {
  /** By key, in the order in which they came. */
  readonly graphs = new Map<string, CountedGraph>();

  /** `onSpan` hears of each span of a node, by its position among the spans that are added. */
  constructor(private readonly onSpan?: (node: CountedNode, at: number) => void) {}

  /** Adds the spans of one trace. With `opensChains` the steps of chains without a node id are those of their parent. Takes time n log n,
   *  and for two waves that follow each other the product of their different steps. */
  add(spans: readonly GraphSpan[], opensChains = false): void {
    const forest = forestOf(spans);
    for (const at of forest.preorder) {
      if (opensChains && isOpened(spans, forest, at)) continue;
      const steps = opensChains ? openedSteps(spans, forest, at) : forest.children[at]!;
      if (steps.length === 0) continue;
      const graph = this.graphOf(spans[at]!, forest.parents[at]! < 0);
      graph.runs++;
      const waves = wavesOf(spans, steps);
      const named = steps.filter((step) => spans[step]!.nodeId !== null || spans[step]!.nodeParentId !== null);
      this.addNodes(graph, spans, forest, waves);
      if (named.length > 0) addGivenEdges(graph, spans, named, spans[at]!);
      else addEdgesOfWaves(graph, spans, waves);
    }
  }

  private graphOf({ kind, name }: GraphSpan, isRoot: boolean): CountedGraph {
    const key = `${kind}:${name}`;
    const graph = this.graphs.get(key) ?? {
      key,
      kind,
      name,
      isAgent: false,
      runs: 0,
      nodes: new Map(),
      edges: new Map(),
    };
    this.graphs.set(key, graph);
    graph.isAgent ||= isRoot || kind === "AGENT";
    return graph;
  }

  private addNodes(
    graph: CountedGraph,
    spans: readonly GraphSpan[],
    forest: Forest,
    waves: readonly (readonly number[])[],
  ): void {
    const seen = new Set<string>();
    waves.forEach((wave, number) => {
      for (const at of wave) {
        const span = spans[at]!;
        const node = nodeOf(graph, nodeKey(span), span);
        addSpan(node, span);
        this.onSpan?.(node, at);
        if (forest.children[at]!.length > 0) node.graph ??= `${span.kind}:${span.name}`;
        if (seen.has(node.key)) continue;
        seen.add(node.key);
        node.runs++;
        node.firstWaves += number;
      }
    });
  }
}

function nodeKey({ nodeId, kind, name }: GraphSpan): string {
  return nodeId ?? `${kind}:${name}`;
}

function nodeOf(
  graph: CountedGraph,
  key: string,
  span: Pick<GraphSpan, "kind" | "name" | "nodeName"> | null,
): CountedNode {
  const found = graph.nodes.get(key);
  if (found !== undefined) return found;
  const name = key === `${span?.kind}:${span?.name}` ? span!.name : (span?.nodeName ?? key);
  const node = { ...emptyFigures(), key, kind: span?.kind ?? "UNKNOWN", name, graph: null, runs: 0, firstWaves: 0 };
  graph.nodes.set(key, node);
  return node;
}

/** Each kind of step of a wave leads to each kind of step of the next one, START to those of the first. */
function addEdgesOfWaves(
  graph: CountedGraph,
  spans: readonly GraphSpan[],
  waves: readonly (readonly number[])[],
): void {
  let before: readonly string[] = [START];
  for (const wave of waves) {
    const steps = Map.groupBy(wave, (at) => nodeKey(spans[at]!));
    for (const from of before.length * steps.size > MOST_PAIRS ? [] : before) {
      for (const [to, positions] of steps) {
        const edge = edgeOf(graph, from, to);
        edge.times++;
        for (const at of positions) addSpan(edge, spans[at]!);
      }
    }
    before = [...steps.keys()];
  }
}

/** What the program says about its nodes alone makes the edges. A parent that is the owner itself is the start. */
function addGivenEdges(
  graph: CountedGraph,
  spans: readonly GraphSpan[],
  named: readonly number[],
  owner: GraphSpan,
): void {
  for (const at of named) {
    const span = spans[at]!;
    const parent = span.nodeParentId;
    const from = parent === null || parent === owner.nodeId ? START : parent;
    if (from !== START) nodeOf(graph, from, null);
    const edge = edgeOf(graph, from, nodeKey(span));
    edge.times++;
    addSpan(edge, span);
  }
}

function edgeOf({ edges }: CountedGraph, from: string, to: string): CountedEdge {
  const key = from + SEPARATOR + to;
  const found = edges.get(key);
  if (found !== undefined) return found;
  const edge = { ...emptyFigures(), from, to, times: 0 };
  edges.set(key, edge);
  return edge;
}

function emptyFigures(): StepFigures {
  return { spans: 0, failed: 0, cost: 0, durationsUs: new Samples() };
}

function addSpan(figures: StepFigures, { startUs, endUs, failed, cost }: GraphSpan): void {
  figures.spans++;
  if (failed) figures.failed++;
  figures.cost += cost ?? 0;
  figures.durationsUs.add(Math.max(0, endUs - startUs));
}

/** A chain that only holds other steps. */
function isOpened(spans: readonly GraphSpan[], { parents, children }: Forest, at: number): boolean {
  const { kind, nodeId } = spans[at]!;
  return kind === "CHAIN" && nodeId === null && parents[at]! >= 0 && children[at]!.length > 0;
}

function openedSteps(spans: readonly GraphSpan[], forest: Forest, at: number): readonly number[] {
  const steps: number[] = [];
  const waiting = [...forest.children[at]!];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isOpened(spans, forest, next)) waiting.push(...forest.children[next]!);
    else steps.push(next);
  }
  return steps.sort((a, b) => spans[a]!.startUs - spans[b]!.startUs || a - b);
}
