// Where the cards, boxes and edges of graphs stand, in pixels. Steps go from left to right; what a step holds is a box in its place while it
// is open; edges that lead back go below the cards.
import { type DrawnEdge, type DrawnGraph, type DrawnNode, outerGraphs, START, stepId } from "./drawn-graph.ts";
import { type CardPlaces, placeInColumns } from "./graph-columns.ts";
import { backPath, type Drawn, forwardPath, ownPath } from "./graph-paths.ts";

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface GraphCard extends Frame {
  /** Unique in the picture: the keys from the outermost graph on. */
  readonly id: string;
  /** Of the box around it, or of the outermost graph. */
  readonly parent: string;
  /** The same wherever the step is drawn. */
  readonly step: string;
  readonly graph: DrawnGraph;
  readonly node: DrawnNode;
  /** From 0, within its graph. */
  readonly column: number;
  /** Null where it holds no steps, or those of a graph around it. */
  readonly isOpen: boolean | null;
}

interface GraphTitle extends Frame {
  readonly id: string;
  readonly graph: DrawnGraph;
  /** Rare steps that are not drawn, as there are too many. */
  readonly hidden: number;
}

interface GraphLine extends Drawn {
  readonly id: string;
  /** Ids of cards; of the graph itself at its start. */
  readonly from: string;
  readonly to: string;
  readonly edge: DrawnEdge;
  /** Pixels. */
  readonly stroke: number;
}

interface StartMark {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** The frames of the outermost graphs. */
  readonly titles: readonly GraphTitle[];
  /** As they are read: by column, then from top to bottom, each before what is in it. */
  readonly cards: readonly GraphCard[];
  readonly starts: readonly StartMark[];
  readonly lines: readonly GraphLine[];
}

const CARD = { width: 172, height: 54 };
export const START_RADIUS = 5;
const START_WIDTH = 2 * START_RADIUS;
export const HEAD_HEIGHT = 34;
const PADDING = 20;
const COLUMN_GAP = 56;
const ROW_GAP = 18;
/** Below a card with an edge to itself. */
const LOOP_GAP = 34;
const LANE = 20;
const BETWEEN_GRAPHS = 24;
/** The key of the start among those of nodes, which may be called so. */
const BEGIN = "\0start";
/** Pixels; the widest is the wider the more calls there are. */
const STROKE = { least: 1.25, most: 6, step: 1.2 };
/** Of one graph; the most frequent are drawn, the table has all. */
const MOST_CARDS = 150;
const MOST_EDGES = 400;
/** Boxes inside each other that are open until they are closed by hand. */
const OPEN_DEPTH = 2;

/** `turned`: ids of cards that were opened or closed by hand. Takes time n log n for each open graph. */
export function layoutGraphs(graphs: readonly DrawnGraph[], turned: ReadonlySet<string>): GraphLayout {
  const byKey = new Map(graphs.map((graph) => [graph.key, graph]));
  const layout = {
    titles: [] as GraphTitle[],
    cards: [] as GraphCard[],
    starts: [] as StartMark[],
    lines: [] as GraphLine[],
  };
  let [width, y] = [0, 0];
  for (const graph of outerGraphs(graphs)) {
    const block = measure(graph, graph.key, [graph.key], { byKey, turned });
    const frame = { x: 0, y, width: block.width, height: block.height };
    layout.titles.push({ id: graph.key, graph, hidden: block.hidden, ...frame });
    block.draw(0, y, layout);
    width = Math.max(width, block.width);
    y += block.height + BETWEEN_GRAPHS;
  }
  return { ...layout, width, height: Math.max(0, y - BETWEEN_GRAPHS) };
}

interface Drawing {
  readonly cards: GraphCard[];
  readonly starts: StartMark[];
  readonly lines: GraphLine[];
}

/** A graph with its head and its frame. */
interface Block {
  readonly width: number;
  readonly height: number;
  readonly hidden: number;
  readonly draw: (x: number, y: number, drawing: Drawing) => void;
}

interface Measuring {
  readonly byKey: ReadonlyMap<string, DrawnGraph>;
  readonly turned: ReadonlySet<string>;
}

interface Measured {
  readonly node: DrawnNode;
  readonly id: string;
  readonly column: number;
  readonly width: number;
  readonly height: number;
  /** What is drawn in its place; null of a card. */
  readonly block: Block | null;
  readonly isOpen: boolean | null;
}

/** `around`: keys of this graph and of those around it, which are not opened inside themselves. */
function measure(graph: DrawnGraph, id: string, around: readonly string[], measuring: Measuring): Block {
  const nodes = mostFrequent(graph.nodes);
  const shown = nodes.map((node) => measureNode(node, `${id}/${node.key}`, around, measuring));
  const byKey = new Map(shown.map((each) => [each.node.key, each]));
  const edges = graph.edges
    .filter(({ from, to }) => (from === START || byKey.has(from)) && byKey.has(to))
    .slice(0, MOST_EDGES)
    .map((edge) => ({ edge, from: edge.from === START ? BEGIN : edge.from, to: edge.to, isBack: edge.isBack }));
  const own = new Set(edges.flatMap(({ from, to }) => (from === to ? [to] : [])));
  const forward = edges.filter(({ isBack }) => !isBack);
  const hasStart = forward.some(({ from }) => from === BEGIN);
  const places = placeInColumns(
    [
      ...(hasStart ? [{ key: BEGIN, column: 0, height: START_WIDTH, gap: ROW_GAP }] : []),
      ...shown.map(({ node: { key }, column, height }) => ({
        ...{ key, height, column: hasStart ? column + 1 : column },
        gap: own.has(key) ? LOOP_GAP : ROW_GAP,
      })),
    ],
    forward,
  );
  const columns = columnPlaces(shown, hasStart);
  const below = [...own].reduce(
    (most, key) => Math.max(most, bottomOf(byKey.get(key)!, places) + LOOP_GAP - ROW_GAP),
    0,
  );
  const top = shown.reduce((least, each) => Math.min(least, topOf(each, places)), 0);
  const bottom = shown.reduce((most, each) => Math.max(most, bottomOf(each, places)), below);
  const reach = ({ from, to }: (typeof edges)[number]) => byKey.get(from)!.column - byKey.get(to)!.column;
  // The short ones are nearer to the cards.
  const lanes = edges
    .filter(({ isBack, from, to }) => isBack && from !== to)
    .sort((one, other) => reach(one) - reach(other));
  const last = columns.at(-1);
  const inner = last === undefined ? 0 : last.x + last.width;
  return {
    width: inner + 2 * PADDING,
    height: HEAD_HEIGHT + bottom - top + lanes.length * LANE + PADDING + (lanes.length > 0 ? LANE / 2 : 0),
    hidden: graph.nodeCount - nodes.length,
    draw(x, y, drawing) {
      const at = { x: x + PADDING, y: y + HEAD_HEIGHT - top };
      const columnOf = (column: number) => columns[hasStart ? column + 1 : column]!;
      const frames = new Map(
        shown.map((each) => [
          each.node.key,
          {
            ...{ x: at.x + columnOf(each.column).x, y: at.y + topOf(each, places) },
            ...{ width: each.width, height: each.height },
          },
        ]),
      );
      const ordered = shown.toSorted(
        (one, other) => one.column - other.column || frames.get(one.node.key)!.y - frames.get(other.node.key)!.y,
      );
      for (const { node, id: card, column, block, isOpen } of ordered) {
        const frame = frames.get(node.key)!;
        drawing.cards.push({ ...frame, id: card, parent: id, step: stepId(graph, node), graph, node, column, isOpen });
        block?.draw(frame.x, frame.y, drawing);
      }
      if (hasStart) {
        const startY = at.y + places.middles.get(BEGIN)!;
        drawing.starts.push({ id, x: at.x + START_RADIUS, y: startY });
        frames.set(BEGIN, { x: at.x, y: startY - START_RADIUS, width: START_WIDTH, height: START_WIDTH });
      }
      const most = Math.max(...edges.map(({ edge }) => edge.times));
      const line = ({ edge, from, to }: (typeof edges)[number], drawn: Drawn) =>
        drawing.lines.push({
          ...drawn,
          id: `${id}/${from}>${to}`,
          from: byKey.get(from)?.id ?? id,
          to: byKey.get(to)!.id,
          edge,
          stroke: strokeOf(edge.times, most),
        });
      for (const each of forward) {
        const from = byKey.get(each.from)?.column ?? -1;
        const between = places.bends.get(each)!.map((middle, step) => {
          const column = columnOf(from + 1 + step);
          return { x: at.x + column.x, width: column.width, y: at.y + middle };
        });
        const right = at.x + columnOf(from).x + columnOf(from).width;
        const ends = [frames.get(each.from)!, frames.get(each.to)!] as const;
        line(each, forwardPath(ends[0], right, between, ends[1], strokeOf(each.edge.times, most)));
      }
      lanes.forEach((each, lane) => {
        const column = columnOf(byKey.get(each.from)!.column);
        const way = { right: at.x + column.x + column.width, laneY: at.y + bottom + LANE * (lane + 0.75), lane };
        line(each, backPath(frames.get(each.from)!, frames.get(each.to)!, way));
      });
      for (const each of edges) if (each.from === each.to) line(each, ownPath(frames.get(each.to)!));
    },
  };
}

function measureNode(node: DrawnNode, id: string, around: readonly string[], measuring: Measuring): Measured {
  const graph = node.graph === null || around.includes(node.graph) ? undefined : measuring.byKey.get(node.graph);
  const base = { node, id, column: node.column };
  if (graph === undefined) return { ...base, ...CARD, block: null, isOpen: null };
  const opens = graph.isAgent && around.length <= OPEN_DEPTH;
  if (opens === measuring.turned.has(id)) return { ...base, ...CARD, block: null, isOpen: false };
  const block = measure(graph, id, [...around, graph.key], measuring);
  return { ...base, width: Math.max(CARD.width, block.width), height: block.height, block, isOpen: true };
}

function mostFrequent(nodes: readonly DrawnNode[]): readonly DrawnNode[] {
  const kept = new Set(nodes.toSorted((one, other) => other.spanCount - one.spanCount).slice(0, MOST_CARDS));
  const shown = nodes.filter((node) => kept.has(node));
  // Without the columns of those that are left out.
  const columns = [...new Set(shown.map(({ column }) => column))].sort((one, other) => one - other);
  const numbers = new Map(columns.map((column, number) => [column, number]));
  return shown.map((node) => ({ ...node, column: numbers.get(node.column)! }));
}

/** From left to right, that of the start first. */
function columnPlaces(
  shown: readonly Measured[],
  hasStart: boolean,
): readonly { readonly x: number; readonly width: number }[] {
  const widths: number[] = hasStart ? [START_WIDTH] : [];
  for (const { column, width } of shown) {
    const at = hasStart ? column + 1 : column;
    widths[at] = Math.max(widths[at] ?? 0, width);
  }
  let x = 0;
  return widths.map((width) => {
    const place = { x, width };
    x += width + COLUMN_GAP;
    return place;
  });
}

function topOf({ node, height }: Measured, { middles }: CardPlaces): number {
  return middles.get(node.key)! - height / 2;
}

function bottomOf({ node, height }: Measured, { middles }: CardPlaces): number {
  return middles.get(node.key)! + height / 2;
}

/** Its area grows with the calls, so that one beside a thousand is still seen. */
function strokeOf(times: number, most: number): number {
  const widest = Math.min(STROKE.most - STROKE.least, STROKE.step * Math.sqrt(most - 1));
  return STROKE.least + widest * Math.sqrt((times - 1) / Math.max(1, most - 1));
}
