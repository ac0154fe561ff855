// The best way to pair two sequences of steps in order: as many pairs of equal steps as there can be, and of those the ones that have most
// else in common.

/** Of each step a number for each property; equal numbers are equal properties. */
export interface StepKeys {
  /** Kind and name: only steps of one label are paired. */
  readonly label: Int32Array;
  /** Labels of everything above it. */
  readonly path: Int32Array;
  readonly input: Int32Array;
  readonly output: Int32Array;
}

export type Pair = readonly [a: number, b: number];

/** A pair more counts more than everything that pairs may have in common. */
const LABEL = 16;
const PATH = 6;
const INPUT = 5;
const OUTPUT = 3;
const ALL = LABEL + PATH + INPUT + OUTPUT;

/** Steps of the one times steps of the other that are tried in every way: a byte each. */
const MOST_CELLS = 25_000_000;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Pairs of positions, both ascending. Takes n · m time and bytes up to MOST_CELLS; beyond, the sequences are cut at steps that
 *  both have once and in full, and where there are none, equal labels are paired by their number. */
export function alignSteps(a: StepKeys, b: StepKeys, mostCells = MOST_CELLS): readonly Pair[] {
  const pairs: Pair[] = [];
  const ranges: (readonly [Range, Range])[] = [[wholeOf(a), wholeOf(b)]];
  while (ranges.length > 0) {
    const [inA, inB] = trimmed(a, b, ...ranges.pop()!, pairs);
    const cells = (inA.to - inA.from) * (inB.to - inB.from);
    if (cells === 0) continue;
    if (cells <= mostCells) {
      pairs.push(...alignRange(a, b, inA, inB));
      continue;
    }
    const anchors = anchorsOf(a, b, inA, inB);
    if (anchors.length === 0) pairs.push(...pairsByNumber(a, b, inA, inB));
    else {
      pairs.push(...anchors);
      ranges.push(...between(anchors, inA, inB));
    }
  }
  return pairs.sort(([one], [other]) => one - other);
}

/** What the pair is worth; 0 of steps that cannot be one. */
export function worthOf(a: StepKeys, b: StepKeys, inA: number, inB: number): number {
  if (a.label[inA] !== b.label[inB]) return 0;
  let worth = LABEL;
  if (a.path[inA] === b.path[inB]) worth += PATH;
  if (a.input[inA] === b.input[inB]) worth += INPUT;
  if (a.output[inA] === b.output[inB]) worth += OUTPUT;
  return worth;
}

function wholeOf({ label }: StepKeys): Range {
  return { from: 0, to: label.length };
}

/** Steps at the beginning and at the end that are equal in everything are pairs of some best way. */
function trimmed(a: StepKeys, b: StepKeys, inA: Range, inB: Range, pairs: Pair[]): readonly [Range, Range] {
  let [fromA, fromB, toA, toB] = [inA.from, inB.from, inA.to, inB.to];
  while (fromA < toA && fromB < toB && worthOf(a, b, fromA, fromB) === ALL) pairs.push([fromA++, fromB++]);
  while (fromA < toA && fromB < toB && worthOf(a, b, toA - 1, toB - 1) === ALL) pairs.push([--toA, --toB]);
  return [
    { from: fromA, to: toA },
    { from: fromB, to: toB },
  ];
}

const SKIP_A = 1;
const SKIP_B = 2;
const MATCH = 3;

function alignRange(a: StepKeys, b: StepKeys, inA: Range, inB: Range): readonly Pair[] {
  const [rows, columns] = [inA.to - inA.from, inB.to - inB.from];
  const choices = new Uint8Array(rows * columns);
  let below = new Int32Array(columns + 1);
  let current = new Int32Array(columns + 1);
  for (let row = rows - 1; row >= 0; row--) {
    const at = inA.from + row;
    const label = a.label[at]!;
    for (let column = columns - 1; column >= 0; column--) {
      const skipA = below[column]!;
      const skipB = current[column + 1]!;
      let best = Math.max(skipA, skipB);
      let choice = best === skipA ? SKIP_A : SKIP_B;
      const other = inB.from + column;
      if (b.label[other] === label) {
        const match = below[column + 1]! + worthOf(a, b, at, other);
        if (match >= best) {
          best = match;
          choice = MATCH;
        }
      }
      current[column] = best;
      choices[row * columns + column] = choice;
    }
    [below, current] = [current, below];
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const choice = choices[row * columns + column];
    if (choice === MATCH) pairs.push([inA.from + row, inB.from + column]);
    if (choice !== SKIP_B) row++;
    if (choice !== SKIP_A) column++;
  }
  return pairs;
}

/** Steps that are in each of the two once and in full, as many as keep their order. */
function anchorsOf(a: StepKeys, b: StepKeys, inA: Range, inB: Range): readonly Pair[] {
  const once = (keys: StepKeys, { from, to }: Range) => {
    const positions = new Map<string, number>();
    for (let at = from; at < to; at++) {
      const key = `${keys.label[at]} ${keys.path[at]} ${keys.input[at]} ${keys.output[at]}`;
      positions.set(key, positions.has(key) ? -1 : at);
    }
    return positions;
  };
  const positions = once(b, inB);
  const pairs: Pair[] = [];
  for (const [key, at] of once(a, inA)) {
    const other = positions.get(key) ?? -1;
    if (at >= 0 && other >= 0) pairs.push([at, other]);
  }
  return longestAscending(pairs);
}

/** The first step of a label with the first of the same one, the second with the second, as many as keep their order. */
function pairsByNumber(a: StepKeys, b: StepKeys, inA: Range, inB: Range): readonly Pair[] {
  const waiting = new Map<number, number[]>();
  for (let at = inB.to - 1; at >= inB.from; at--) {
    const label = b.label[at]!;
    const list = waiting.get(label);
    if (list === undefined) waiting.set(label, [at]);
    else list.push(at);
  }
  const pairs: Pair[] = [];
  for (let at = inA.from; at < inA.to; at++) {
    const other = waiting.get(a.label[at]!)?.pop();
    if (other !== undefined) pairs.push([at, other]);
  }
  return longestAscending(pairs);
}

/** The longest part of the pairs, which ascend in a, that ascends in b. */
function longestAscending(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  pairs.forEach(([, b], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[ends[middle]!]![1] < b) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = at;
  });
  const longest: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) longest.push(pairs[at]!);
  return longest.reverse();
}

function between(anchors: readonly Pair[], inA: Range, inB: Range): (readonly [Range, Range])[] {
  const ranges: (readonly [Range, Range])[] = [];
  let [fromA, fromB] = [inA.from, inB.from];
  for (const [a, b] of [...anchors, [inA.to, inB.to] as const]) {
    ranges.push([
      { from: fromA, to: a },
      { from: fromB, to: b },
    ]);
    [fromA, fromB] = [a + 1, b + 1];
  }
  return ranges;
}
