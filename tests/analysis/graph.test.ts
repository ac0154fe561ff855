// Graphs of agents against the vectors, brute force and single cases.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AgentGraphs, type CountedGraph, type GraphSpan, START } from "../../src/analysis/graph/agent-graphs.ts";
import { placeGraph } from "../../src/analysis/graph/graph-columns.ts";
import { traces } from "./drawn-traces.ts";
import { vectorRows } from "./vectors.ts";

interface GraphRow {
  readonly name: string;
  readonly spans: readonly {
    readonly id: string;
    readonly parent: string | null;
    readonly kind: string;
    readonly name: string;
    readonly start: number;
    readonly end: number;
    readonly node?: string;
    readonly node_parent?: string;
  }[];
  readonly graphs: Readonly<
    Record<
      string,
      {
        readonly nodes: Readonly<Record<string, number>>;
        readonly edges: readonly { readonly from: string; readonly to: string; readonly times: number }[];
      }
    >
  >;
}

const PLAIN = { failed: false, cost: null, nodeId: null, nodeName: null, nodeParentId: null };

function graphsOf(...added: readonly (readonly GraphSpan[])[]): Map<string, CountedGraph> {
  const graphs = new AgentGraphs();
  for (const spans of added) graphs.add(spans);
  return graphs.graphs;
}

function countsOf({ nodes, edges }: CountedGraph) {
  return {
    nodes: Object.fromEntries([...nodes.values()].map(({ key, spans }) => [key, spans])),
    edges: [...edges.values()].map(({ from, to, times }) => `${from} → ${to} × ${times}`).sort(),
  };
}

const rows = await vectorRows<GraphRow>("graph");

test.each(rows.map((row) => [row.name, row] as const))("the vectors of graphs: %s", (_name, { spans, graphs }) => {
  const read = spans.map(({ id, parent, start, end, node, node_parent, ...span }) => ({
    ...PLAIN,
    ...span,
    spanKey: id,
    parentKey: parent,
    startUs: start,
    endUs: end,
    nodeId: node ?? null,
    nodeParentId: node_parent ?? null,
  }));
  const found = [...graphsOf(read).values()]
    .filter(({ isAgent }) => isAgent)
    .map((graph) => [graph.name, countsOf(graph)]);
  const expected = Object.entries(graphs).map(([name, { nodes, edges }]) => [
    name,
    { nodes: { ...nodes }, edges: edges.map(({ from, to, times }) => `${from} → ${to} × ${times}`).sort() },
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

const graphTraces = traces({ roots: 2 }).chain((spans) =>
  fc
    .array(
      fc.record({
        named: fc.nat(9),
        nodeId: fc.constantFrom("n", "m"),
        nodeParentId: fc.option(fc.constantFrom("n", "m", "k")),
      }),
      {
        minLength: spans.length,
        maxLength: spans.length,
      },
    )
    .map((drawn) =>
      spans.map((span, at): GraphSpan => {
        const { named, nodeId, nodeParentId } = drawn[at]!;
        return {
          ...span,
          nodeName: null,
          nodeId: named === 0 ? nodeId : null,
          nodeParentId: named === 0 ? nodeParentId : null,
        };
      }),
    ),
);

/** Counts by the definition: pairs of steps are looked at one by one. */
function slowCounts(all: readonly (readonly GraphSpan[])[]) {
  const counts = new Map<string, number>();
  const count = (text: string) => void counts.set(text, (counts.get(text) ?? 0) + 1);
  const keyOf = ({ nodeId, kind, name }: GraphSpan) => nodeId ?? `${kind}:${name}`;
  for (const spans of all) {
    for (const owner of spans) {
      const below = spans.filter(({ parentKey }) => parentKey === owner.spanKey);
      const steps = below
        .map((span, at) => ({ span, at }))
        .sort((a, b) => a.span.startUs - b.span.startUs || a.at - b.at)
        .map(({ span }) => span);
      const graph = `${owner.kind}:${owner.name}`;
      for (const step of steps) count(`${graph} has ${keyOf(step)}`);
      const named = steps.filter(({ nodeId, nodeParentId }) => nodeId !== null || nodeParentId !== null);
      if (named.length > 0) {
        for (const step of named) {
          const from = step.nodeParentId === null || step.nodeParentId === owner.nodeId ? START : step.nodeParentId;
          count(`${graph}: ${from} → ${keyOf(step)}`);
        }
        continue;
      }
      // The wave of a step: how many steps up to it start when all before have ended.
      const waveOf = (at: number) =>
        steps.slice(0, at + 1).filter((step, each) => steps.slice(0, each).every(({ endUs }) => endUs <= step.startUs))
          .length;
      const pairs = new Set<string>();
      steps.forEach((to, at) => {
        if (waveOf(at) === 1) pairs.add(`1 ${graph}: ${START} → ${keyOf(to)}`);
        steps.forEach((from, other) => {
          if (waveOf(other) + 1 === waveOf(at)) pairs.add(`${waveOf(at)} ${graph}: ${keyOf(from)} → ${keyOf(to)}`);
        });
      });
      for (const pair of pairs) count(pair.replace(/^\d+ /, ""));
    }
  }
  return counts;
}

describe("generated traces", () => {
  test("have the counts of the slow way, one by one and together, in any order", () => {
    fc.assert(
      fc.property(fc.array(graphTraces, { minLength: 1, maxLength: 3 }), (all) => {
        const found = new Map<string, number>();
        for (const graph of graphsOf(...all).values()) {
          for (const { key, spans } of graph.nodes.values()) if (spans > 0) found.set(`${graph.key} has ${key}`, spans);
          for (const { from, to, times } of graph.edges.values()) found.set(`${graph.key}: ${from} → ${to}`, times);
        }
        const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(found)).toEqual(sorted(slowCounts(all)));
        const reversed = graphsOf(...all.toReversed());
        for (const [key, graph] of graphsOf(...all)) {
          expect(countsOf(reversed.get(key)!)).toEqual(countsOf(graph));
          const shown = (of: CountedGraph) => placeGraph(of).nodes.map(({ node, column }) => [node.key, column]);
          expect(shown(reversed.get(key)!)).toEqual(shown(graph));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("are drawn so that only counted back edges lead to an earlier or the same column", () => {
    fc.assert(
      fc.property(fc.array(graphTraces, { minLength: 1, maxLength: 3 }), (all) => {
        for (const graph of graphsOf(...all).values()) {
          const { nodes, edges } = placeGraph(graph);
          const columns = new Map(nodes.map(({ node, column }) => [node.key, column]));
          expect(columns.size).toBe(graph.nodes.size);
          expect(edges.length).toBe(graph.edges.size);
          for (const { edge, isBack } of edges) {
            if (isBack) expect(edge.from).not.toBe(START);
            else expect(columns.get(edge.to)!).toBeGreaterThan(columns.get(edge.from) ?? 0);
          }
        }
      }),
    );
  });
});

describe("single graphs", () => {
  const span = (
    spanKey: string,
    parentKey: string | null,
    kind: string,
    name: string,
    startUs: number,
    endUs: number,
    more: Partial<GraphSpan> = {},
  ): GraphSpan => ({ ...PLAIN, spanKey, parentKey, kind, name, startUs, endUs, ...more });

  test("have no edges between waves of very many different steps", () => {
    const wave = (count: number, startUs: number) =>
      Array.from({ length: count }, (_, at) =>
        span(`${startUs} ${at}`, "r", "TOOL", `${startUs} ${at}`, startUs, startUs + 5),
      );
    const many = [span("r", null, "AGENT", "agent", 0, 99), ...wave(101, 0), ...wave(100, 10), ...wave(1, 20)];
    const { nodes, edges } = graphsOf(many).get("AGENT:agent")!;
    // From the start to the first wave, and from the second to the third.
    expect([nodes.size, edges.size]).toEqual([202, 201]);
    expect(placeGraph(graphsOf(many).get("AGENT:agent")!).nodes.at(-1)).toMatchObject({ column: 3 });
  });

  test("count failures, cost and times of nodes and edges", () => {
    const graph = graphsOf([
      span("r", null, "AGENT", "agent", 0, 100),
      span("1", "r", "LLM", "think", 0, 10, { cost: 5 }),
      span("2", "r", "TOOL", "act", 10, 40, { failed: true }),
      span("3", "r", "TOOL", "act", 20, 30, { cost: 2 }),
      span("4", "r", "LLM", "think", 50, 70, { cost: 6 }),
    ]).get("AGENT:agent")!;
    const { durationsUs, ...figures } = graph.nodes.get("TOOL:act")!;
    expect(figures).toMatchObject({ spans: 2, failed: 1, cost: 2, graph: null });
    expect([durationsUs.percentile(0.5), durationsUs.percentile(0.99)]).toEqual([10, 30]);
    const edge = [...graph.edges.values()].find(({ to }) => to === "TOOL:act")!;
    expect(edge).toMatchObject({ from: "LLM:think", times: 1, spans: 2, failed: 1, cost: 2 });
  });

  test("mark loops as back edges and put parallel branches into one column", () => {
    const graph = graphsOf([
      span("r", null, "AGENT", "agent", 0, 100),
      span("1", "r", "LLM", "think", 0, 10),
      span("2", "r", "TOOL", "a", 10, 20),
      span("3", "r", "TOOL", "b", 11, 20),
      span("4", "r", "LLM", "think", 20, 30),
      span("5", "r", "LLM", "answer", 30, 40),
    ]).get("AGENT:agent")!;
    const { nodes, edges } = placeGraph(graph);
    expect(nodes.map(({ node, column }) => `${column} ${node.key}`)).toEqual([
      "1 LLM:think",
      "2 TOOL:a",
      "2 TOOL:b",
      "3 LLM:answer",
    ]);
    const back = edges.filter(({ isBack }) => isBack).map(({ edge }) => `${edge.from} → ${edge.to}`);
    expect(back).toEqual(["TOOL:a → LLM:think", "TOOL:b → LLM:think"]);
  });

  test("fold what is below a step, and open chains that only hold other steps", () => {
    const spans = [
      span("r", null, "AGENT", "agent", 0, 100),
      span("c", "r", "CHAIN", "sequence", 0, 50),
      span("1", "c", "LLM", "think", 0, 10),
      span("2", "c", "TOOL", "act", 10, 20),
      span("3", "r", "LLM", "answer", 60, 70),
    ];
    const folded = graphsOf(spans);
    expect(folded.get("AGENT:agent")!.nodes.get("CHAIN:sequence")!.graph).toBe("CHAIN:sequence");
    expect(countsOf(folded.get("CHAIN:sequence")!).nodes).toEqual({ "LLM:think": 1, "TOOL:act": 1 });
    expect(folded.get("CHAIN:sequence")!.isAgent).toBe(false);
    const opened = new AgentGraphs();
    opened.add(spans, true);
    expect([...opened.graphs.values()].map((graph) => [graph.key, countsOf(graph)])).toEqual([
      [
        "AGENT:agent",
        {
          nodes: { "LLM:think": 1, "TOOL:act": 1, "LLM:answer": 1 },
          edges: ["LLM:think → TOOL:act × 1", "TOOL:act → LLM:answer × 1", "start → LLM:think × 1"],
        },
      ],
    ]);
  });

  test("of agents that are each other's parents end", () => {
    expect(graphsOf([span("a", "b", "AGENT", "a", 0, 1), span("b", "a", "AGENT", "b", 0, 1)]).size).toBe(1);
    expect(graphsOf([]).size).toBe(0);
  });
});
