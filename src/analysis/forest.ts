// The spans of a trace as trees. Positions in the list stand for spans.

export interface TreeSpan {
  readonly spanKey: string;
  /** Null of a root. A span whose parent is not in the list is a root, too. */
  readonly parentKey: string | null;
  readonly startUs: number;
  readonly endUs: number;
}

export interface Forest {
  /** By start; of equal starts the one before in the list. */
  readonly roots: readonly number[];
  /** Of each span, in the same order. */
  readonly children: readonly (readonly number[])[];
  /** Of each span; -1 of a root. */
  readonly parents: Int32Array;
  /** Every span once, each before what is below it. */
  readonly preorder: Int32Array;
}

const NO_CHILDREN: number[] = [];

/** Takes time n log n. Of two spans with one key the first is the parent. Where spans are each other's parents, the one that starts first
 *  becomes a root. */
export function forestOf(spans: readonly TreeSpan[]): Forest {
  const parents = parentsOf(spans);
  breakCycles(spans, parents);
  const children: number[][] = new Array(spans.length).fill(NO_CHILDREN);
  const roots: number[] = [];
  for (let at = 0; at < spans.length; at++) {
    const parent = parents[at]!;
    if (parent < 0) roots.push(at);
    else if (children[parent] === NO_CHILDREN) children[parent] = [at];
    else children[parent]!.push(at);
  }
  sortByStart(spans, roots);
  for (const each of children) if (each.length > 1) sortByStart(spans, each);
  return { roots, children, parents, preorder: preorderOf(roots, children, spans.length) };
}

function parentsOf(spans: readonly TreeSpan[]): Int32Array {
  const positions = new Map<string, number>();
  for (let at = spans.length - 1; at >= 0; at--) positions.set(spans[at]!.spanKey, at);
  const parents = new Int32Array(spans.length);
  for (let at = 0; at < spans.length; at++) {
    const key = spans[at]!.parentKey;
    parents[at] = key === null ? -1 : (positions.get(key) ?? -1);
  }
  return parents;
}

const UNSEEN = 0;
const ON_WAY = 1;
const DONE = 2;

function breakCycles(spans: readonly TreeSpan[], parents: Int32Array): void {
  const state = new Uint8Array(spans.length);
  for (let begin = 0; begin < spans.length; begin++) {
    const way: number[] = [];
    let at = begin;
    while (at >= 0 && state[at] === UNSEEN) {
      state[at] = ON_WAY;
      way.push(at);
      at = parents[at]!;
    }
    if (at >= 0 && state[at] === ON_WAY) parents[firstToStart(spans, way.slice(way.indexOf(at)))] = -1;
    for (const each of way) state[each] = DONE;
  }
}

function firstToStart(spans: readonly TreeSpan[], positions: readonly number[]): number {
  return [...positions].sort((a, b) => spans[a]!.startUs - spans[b]!.startUs || a - b)[0]!;
}

function sortByStart(spans: readonly TreeSpan[], positions: number[]): void {
  positions.sort((a, b) => spans[a]!.startUs - spans[b]!.startUs || a - b);
}

function preorderOf(roots: readonly number[], children: readonly (readonly number[])[], count: number): Int32Array {
  const order = new Int32Array(count);
  const waiting = roots.toReversed();
  let filled = 0;
  while (waiting.length > 0) {
    const at = waiting.pop()!;
    order[filled++] = at;
    const below = children[at]!;
    for (let child = below.length - 1; child >= 0; child--) waiting.push(below[child]!);
  }
  return order;
}
