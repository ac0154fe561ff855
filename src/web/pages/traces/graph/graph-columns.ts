// The cards of one graph in columns: in which order they stand in each, and how high. Edges over several columns take up a little height in
// those between, so that they lead around cards.
import { evenPlaces, type Placed } from "./even-places.ts";

interface ColumnCard {
  readonly key: string;
  readonly column: number;
  readonly height: number;
  /** Below it. */
  readonly gap: number;
}

interface ColumnEdge {
  readonly from: string;
  readonly to: string;
}

export interface CardPlaces {
  /** The middle of each card, by key. */
  readonly middles: ReadonlyMap<string, number>;
  /** The same of an edge in each column between its ends. */
  readonly bends: ReadonlyMap<ColumnEdge, readonly number[]>;
}

/** Of a card, or of an edge that passes. */
interface Item extends Placed {
  readonly before: Item[];
  readonly behind: Item[];
  middle: number;
}

const PASSING: Placed = { height: 12, gap: 12 };
/** The order of columns and their heights hardly change after these. */
const SWEEPS = 4;

/** Columns are counted from 0 without gaps; each edge leads to a later one. */
export function placeInColumns(cards: readonly ColumnCard[], edges: readonly ColumnEdge[]): CardPlaces {
  const columns: Item[][] = [];
  const add = (column: number, { height, gap }: Placed): Item => {
    const item = { height, gap, before: [], behind: [], middle: 0 };
    while (columns.length <= column) columns.push([]);
    columns[column]!.push(item);
    return item;
  };
  const items = new Map(cards.map((card) => [card.key, add(card.column, card)]));
  const columnOf = new Map(cards.map(({ key, column }) => [key, column]));
  const passing = new Map<ColumnEdge, Item[]>();
  for (const edge of edges) {
    const between: Item[] = [];
    for (let column = columnOf.get(edge.from)! + 1; column < columnOf.get(edge.to)!; column++)
      between.push(add(column, PASSING));
    passing.set(edge, between);
    const way = [items.get(edge.from)!, ...between, items.get(edge.to)!];
    for (let at = 1; at < way.length; at++) {
      way[at - 1]!.behind.push(way[at]!);
      way[at]!.before.push(way[at - 1]!);
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) order(columns);
  for (const column of columns) stack(column);
  for (let sweep = 0; sweep < SWEEPS; sweep++) align(columns);
  return {
    middles: new Map([...items].map(([key, { middle }]) => [key, middle])),
    bends: new Map([...passing].map(([edge, between]) => [edge, between.map(({ middle }) => middle)])),
  };
}

/** By the mean place of what leads to them, then of what they lead to: edges cross less. */
function order(columns: Item[][]): void {
  const sort = (column: Item[], side: "before" | "behind") => {
    const wanted = new Map(column.map((item) => [item, meanMiddle(item[side]) ?? item.middle]));
    column.sort((one, other) => wanted.get(one)! - wanted.get(other)!);
    number(column);
  };
  for (const column of columns) number(column);
  for (const column of columns) sort(column, "before");
  for (const column of columns.toReversed()) sort(column, "behind");
}

/** Until there are heights, the middle is the place in the order; 0 is the middle of a column. */
function number(column: readonly Item[]): void {
  column.forEach((item, at) => {
    item.middle = at - (column.length - 1) / 2;
  });
}

function stack(column: readonly Item[]): void {
  const places = evenPlaces(
    column,
    column.map(() => 0),
  );
  column.forEach((item, at) => {
    item.middle = places[at]!;
  });
}

function align(columns: readonly (readonly Item[])[]): void {
  const pull = (column: readonly Item[], side: "before" | "behind") => {
    const places = evenPlaces(
      column,
      column.map((item) => meanMiddle(item[side]) ?? item.middle),
    );
    column.forEach((item, at) => {
      item.middle = places[at]!;
    });
  };
  for (const column of columns.toReversed()) pull(column, "behind");
  for (const column of columns) pull(column, "before");
}

function meanMiddle(items: readonly Item[]): number | null {
  return items.length === 0 ? null : items.reduce((sum, { middle }) => sum + middle, 0) / items.length;
}
