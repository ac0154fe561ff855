// The picture of a graph of agents: where cards, boxes and edges stand, where keys lead, and which part is seen.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type DrawnEdge,
  type DrawnGraph,
  type DrawnNode,
  START,
} from "../../../src/web/pages/traces/graph/drawn-graph.ts";
import { evenPlaces } from "../../../src/web/pages/traces/graph/even-places.ts";
import { type Frame, layoutGraphs } from "../../../src/web/pages/traces/graph/graph-layout.ts";
import { fit, showing, zoomAt } from "../../../src/web/pages/traces/graph/graph-viewport.ts";
import { walkGraph } from "../../../src/web/pages/traces/graph/graph-walk.ts";

const figures = { spanCount: 1, errorCount: 0, cost: 0, latencyMsP50: 1 };
const node = (key: string, column: number, more: Partial<DrawnNode> = {}): DrawnNode => ({
  ...{ ...figures, key, column, kind: "TOOL", name: key, graph: null, spanNodeIds: [] },
  ...more,
});
const edge = (from: string, to: string, times = 1, isBack = false): DrawnEdge => ({
  ...figures,
  ...{ from, to, times, isBack },
});
const graph = (key: string, nodes: DrawnNode[], edges: DrawnEdge[], isAgent = true): DrawnGraph => ({
  ...{ key, kind: "AGENT", name: key, isAgent, runCount: 1, nodeCount: nodes.length, nodes, edges },
});
const none: ReadonlySet<string> = new Set();

/** start → think → look and search side by side → think, and look again. */
const loop = graph(
  "agent",
  [node("think", 1), node("look", 2), node("search", 2)],
  [
    edge("think", "look", 9),
    edge("look", "think", 4, true),
    edge("think", "search", 2),
    edge("look", "look", 2, true),
    edge(START, "think"),
  ],
);

function isInside(inner: Frame, outer: Frame): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width + 0.01 &&
    inner.y + inner.height <= outer.y + outer.height + 0.01
  );
}

function touch(one: Frame, other: Frame): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y + one.height > other.y + 0.01 &&
    other.y + other.height > one.y + 0.01
  );
}

describe("the picture of a graph", () => {
  test("goes from left to right, parallel steps below each other, ways back below the cards", () => {
    const { cards, lines, starts, width, height } = layoutGraphs([loop], none);
    expect(cards.map(({ id }) => id)).toEqual(["agent/think", "agent/look", "agent/search"]);
    const [think, look, search] = [cards[0]!, cards[1]!, cards[2]!];
    expect(think.x + think.width).toBeLessThan(look.x);
    expect(look.x).toBe(search.x);
    expect(look.y + look.height).toBeLessThan(search.y);
    expect(starts[0]!.x).toBeLessThan(think.x);
    const back = lines.find(({ id }) => id === "agent/look>think")!;
    expect(back.labelY).toBeGreaterThan(search.y + search.height);
    expect(isInside({ x: back.labelX, y: back.labelY, width: 0, height: 0 }, { x: 0, y: 0, width, height })).toBe(true);
    const own = lines.find(({ id }) => id === "agent/look>look")!;
    expect([own.labelY > look.y + look.height, own.labelY < search.y]).toEqual([true, true]);
    const strokes = Object.fromEntries(lines.map(({ id, stroke }) => [id, stroke]));
    expect(strokes["agent/think>look"]!).toBeGreaterThan(strokes["agent/look>think"]!);
    expect(strokes["agent/look>think"]!).toBeGreaterThan(strokes["agent/think>search"]!);
  });

  test("leads an edge around the cards between its ends", () => {
    const long = graph(
      "g",
      [node("a", 1), node("b", 2), node("c", 3)],
      [edge("a", "b"), edge("b", "c"), edge("a", "c")],
    );
    const { cards, lines } = layoutGraphs([long], none);
    const between = cards.find(({ id }) => id === "g/b")!;
    const { path } = lines.find(({ id }) => id === "g/a>c")!;
    // The straight piece through the column of b.
    const heights = [...path.matchAll(/ (-?[\d.]+)H/g)].map(([, y]) => Number(y));
    expect(heights.length).toBe(2);
    expect(heights[1]! < between.y || heights[1]! > between.y + between.height).toBe(true);
  });

  test("opens the graphs of agents in their boxes, folds the others, and opens none inside itself", () => {
    const inner = graph("researcher", [node("read", 1), node("researcher", 2, { graph: "researcher" })], []);
    const folded = graph("reader", [node("page", 1)], [], false);
    const outer = graph(
      "crew",
      [node("researcher", 1, { graph: "researcher" }), node("reader", 2, { graph: "reader" })],
      [],
    );
    const all = [outer, inner, folded];
    const { titles, cards } = layoutGraphs(all, none);
    expect(titles.map(({ id }) => id)).toEqual(["crew"]);
    expect(cards.map(({ id, isOpen }) => `${id} ${isOpen}`)).toEqual([
      "crew/researcher true",
      "crew/researcher/read null",
      "crew/researcher/researcher null",
      "crew/reader false",
    ]);
    const turned = layoutGraphs(all, new Set(["crew/researcher", "crew/reader"]));
    expect(turned.cards.map(({ id, isOpen }) => `${id} ${isOpen}`)).toEqual([
      "crew/researcher false",
      "crew/reader true",
      "crew/reader/page null",
    ]);
  });

  test("draws a step that is called as the start is in the answers", () => {
    const { lines, starts } = layoutGraphs([graph("g", [node("start", 1)], [edge(START, "start")])], none);
    expect([starts.length, lines.map(({ from, to }) => `${from} ${to}`)]).toEqual([1, ["g g/start"]]);
  });

  test("leaves out the rarest steps of very many, and says how many", () => {
    const nodes = Array.from({ length: 200 }, (_, at) => node(`n${at}`, 1 + (at % 7), { spanCount: at }));
    const { titles, cards } = layoutGraphs([graph("g", nodes, [])], none);
    expect([cards.length, titles[0]!.hidden]).toEqual([150, 50]);
    expect(cards.some(({ node: { spanCount } }) => spanCount < 50)).toBe(false);
  });

  test("of no graph is empty", () => {
    expect(layoutGraphs([], none)).toMatchObject({ width: 0, height: 0, cards: [], lines: [] });
  });

  const drawn = fc.record({
    columns: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 14 }),
    pairs: fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.integer({ min: 1, max: 50 })), { maxLength: 40 }),
    holds: fc.array(fc.nat(13), { maxLength: 3 }),
  });

  test("lets no card touch another, keeps all inside the frame, and every edge between its cards", () => {
    const sub = graph("sub", [node("x", 1), node("y", 2)], [edge("x", "y"), edge("y", "x", 2, true)]);
    fc.assert(
      fc.property(drawn, ({ columns, pairs, holds }) => {
        const nodes = columns.map((column, at) => node(`n${at}`, column, { graph: holds.includes(at) ? "sub" : null }));
        const edges = new Map<string, DrawnEdge>();
        for (const [from, to, times] of pairs) {
          const [one, other] = [nodes[from % nodes.length]!, nodes[to % nodes.length]!];
          edges.set(`${one.key} ${other.key}`, edge(one.key, other.key, times, one.column >= other.column));
        }
        const { titles, cards, lines, width, height } = layoutGraphs(
          [graph("g", nodes, [...edges.values()]), ...(nodes.some((each) => each.graph !== null) ? [sub] : [])],
          none,
        );
        const whole = { x: 0, y: 0, width, height };
        expect(cards.filter((card) => !isInside(card, titles[0]!) || !isInside(card, whole))).toEqual([]);
        for (const one of cards) {
          const box = cards.find(({ id }) => id === one.parent);
          if (box !== undefined) expect(isInside(one, box)).toBe(true);
          const beside = cards.filter((other) => other !== one && other.parent === one.parent);
          expect(beside.filter((other) => touch(one, other))).toEqual([]);
        }
        expect(lines.filter(({ path }) => /NaN|undefined|Infinity/.test(path))).toEqual([]);
        for (const {
          edge: { isBack, from, to },
          from: one,
          to: other,
        } of lines) {
          const [begin, end] = [one, other].map((id) => cards.find((card) => card.id === id));
          if (!isBack && begin !== undefined) expect(begin.x + begin.width).toBeLessThan(end!.x);
          expect(end!.node.key).toBe(to);
          if (begin !== undefined) expect(begin.node.key).toBe(from);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test("places stay in their order and apart, and are the wanted ones where those are free", () => {
  const item = fc.record({ height: fc.integer({ min: 1, max: 60 }), gap: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(item, fc.integer({ min: -300, max: 300 })), { minLength: 1, maxLength: 12 }),
      (given) => {
        const items = given.map(([each]) => each);
        const wanted = given.map(([, middle]) => middle);
        const distance = (at: number) => (items[at - 1]!.height + items[at]!.height) / 2 + items[at - 1]!.gap;
        const areFree = (middles: readonly number[]) =>
          middles.every((middle, at) => at === 0 || middle - middles[at - 1]! >= distance(at) - 1e-6);
        const places = evenPlaces(items, wanted);
        expect(areFree(places)).toBe(true);
        if (areFree(wanted)) expect(places.map((place) => Math.round(place))).toEqual(wanted);
        // No single place can be moved towards where it would like to be.
        const cost = (middles: readonly number[]) =>
          middles.reduce((sum, each, at) => sum + (each - wanted[at]!) ** 2, 0);
        for (let at = 0; at < places.length; at++) {
          for (const step of [-0.5, 0.5]) {
            const other = places.with(at, places[at]! + step);
            if (areFree(other)) expect(cost(other)).toBeGreaterThan(cost(places) - 1e-6);
          }
        }
      },
    ),
  );
});

describe("keys", () => {
  const inner = graph("inner", [node("read", 1), node("write", 2)], [edge("read", "write")]);
  const layout = layoutGraphs(
    [
      graph(
        "agent",
        [node("think", 1), node("look", 2, { graph: "inner" }), node("search", 2)],
        [edge("think", "look", 9), edge("think", "search", 12), edge("look", "think", 4, true), edge(START, "think")],
      ),
      inner,
    ],
    none,
  );
  const order = layout.cards.map(({ id }) => id);
  const walk = (from: string, ...keys: Parameters<typeof walkGraph>[2][]) =>
    keys.reduce<string | null>((at, key) => (at === null ? null : walkGraph(layout, at, key)), from);

  test("walk along the edges with most calls, forwards before back", () => {
    expect(walk("agent/think", "ArrowRight")).toBe("agent/search");
    expect(walk("agent/search", "ArrowLeft")).toBe("agent/think");
    // Nothing follows it but what came before.
    expect(walk("agent/look", "ArrowRight")).toBe("agent/think");
    expect(walk("agent/search", "ArrowRight")).toBeNull();
  });

  test("walk to the steps beside, into a box and out of it", () => {
    const [above, below] = order.filter((id) => /^agent\/(look|search)$/.test(id));
    expect([above, below].toSorted()).toEqual(["agent/look", "agent/search"]);
    expect(walk(below!, "ArrowUp")).toBe(above!);
    expect(walk("agent/look", "ArrowDown", "ArrowRight")).toBe("agent/look/write");
    expect(walk("agent/look/write", "ArrowLeft", "ArrowLeft")).toBe("agent/look");
    expect([walk("agent/search", "Home"), walk("agent/think", "End")]).toEqual([order[0]!, order.at(-1)!]);
  });
});

describe("the part that is seen", () => {
  const view = { width: 400, height: 300 };

  test("is the whole in the middle, not larger than it is and as small as allowed", () => {
    expect(fit({ width: 100, height: 100 }, view, 0.75)).toEqual({ x: 150, y: 100, scale: 1 });
    expect(fit({ width: 736, height: 100 }, view, 0)).toEqual({ x: 16, y: 125, scale: 0.5 });
    expect(fit({ width: 4000, height: 100 }, view, 0.75)).toEqual({ x: 16, y: 112.5, scale: 0.75 });
  });

  test("keeps the point under the pointer when it is zoomed", () => {
    const before = { x: 20, y: -40, scale: 0.8 };
    const after = zoomAt(before, 1.5, 130, 70);
    const at = (viewport: typeof before) => [(130 - viewport.x) / viewport.scale, (70 - viewport.y) / viewport.scale];
    expect(after.scale).toBeCloseTo(1.2);
    expect(at(after)[0]!).toBeCloseTo(at(before)[0]!);
    expect(at(after)[1]!).toBeCloseTo(at(before)[1]!);
    expect(zoomAt(before, 1000, 0, 0).scale).toBe(2);
  });

  test("moves as little as needed to show a card", () => {
    const here = { x: 0, y: 0, scale: 1 };
    const card = (x: number, y: number) => ({ x, y, width: 100, height: 50 });
    expect(showing(here, card(50, 50), view)).toEqual(here);
    expect(showing(here, card(500, 50), view)).toEqual({ x: -216, y: 0, scale: 1 });
    expect(showing(here, card(-80, 50), view)).toEqual({ x: 96, y: 0, scale: 1 });
  });
});
