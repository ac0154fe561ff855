// Two traces step by step: what was inserted, removed, renamed, moved and changed to make the second of the first.
import { alignSteps } from "./alignment.ts";
import { type ComparedSpan, type ComparedTrace, comparedTrace, Numbers } from "./compared-trace.ts";
import { TracePairs } from "./trace-pairs.ts";

type ChangedPart = "input" | "output" | "status" | "model" | "parameters" | "promptVersion";

export interface ComparedStep {
  /** Positions in the two lists; null in the one that has no such step. */
  readonly a: number | null;
  readonly b: number | null;
  /** The first that holds: a moved step may also be renamed, and both may have changed. */
  readonly edit: "inserted" | "removed" | "moved" | "renamed" | "changed" | "equal";
  readonly changes: readonly ChangedPart[];
  /** Of the second, less that of the first; null where one of them is not known. */
  readonly durationUs: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

const parts: readonly ChangedPart[] = ["input", "output", "status", "model", "parameters", "promptVersion"];

/** Rows in the order in which they are shown side by side; a moved step stands where it is in the second. As many steps as possible are
 *  paired in order, see `alignSteps`; of those left, equal ones are moved, and those with the same content or children are renamed. */
export function compareTraces(a: readonly ComparedSpan[], b: readonly ComparedSpan[]): readonly ComparedStep[] {
  const numbers = new Numbers();
  const [inA, inB] = [comparedTrace(a, numbers), comparedTrace(b, numbers)];
  const pairs = new TracePairs(inA, inB, alignSteps(inA.keys, inB.keys));
  pairs.pairEqual();
  pairs.pairRenamed();
  return rowsOf(inA, inB, pairs);
}

function rowsOf(inA: ComparedTrace, inB: ComparedTrace, pairs: TracePairs): readonly ComparedStep[] {
  const rows: ComparedStep[] = [];
  const orderA = inA.forest.preorder;
  let placeA = 0;
  const removedUntil = (end: number) => {
    for (; placeA < end; placeA++) {
      const at = orderA[placeA]!;
      if (pairs.ofA[at]! < 0) rows.push({ ...NO_DIFFERENCE, a: at, b: null, edit: "removed" });
    }
  };
  const next = nextPlaces(inA, inB, pairs);
  inB.forest.preorder.forEach((at, place) => {
    const partner = pairs.ofB[at]!;
    // What was removed stands before what was inserted in its place.
    removedUntil(next[place]!);
    if (pairs.isInOrder(at)) placeA++;
    if (partner < 0) rows.push({ ...NO_DIFFERENCE, a: null, b: at, edit: "inserted" });
    else rows.push(stepOf(inA.spans[partner]!, inB.spans[at]!, partner, at, pairs.isMoved(at)));
  });
  removedUntil(orderA.length);
  return rows;
}

/** For each place in b the one in a of the next pair in order. */
function nextPlaces(inA: ComparedTrace, inB: ComparedTrace, pairs: TracePairs): Int32Array {
  const order = inB.forest.preorder;
  const next = new Int32Array(order.length);
  let place = inA.spans.length;
  for (let at = order.length - 1; at >= 0; at--) {
    if (pairs.isInOrder(order[at]!)) place = inA.places[pairs.ofB[order[at]!]!]!;
    next[at] = place;
  }
  return next;
}

const NO_DIFFERENCE = { changes: [], durationUs: null, tokens: null, cost: null };

function stepOf(a: ComparedSpan, b: ComparedSpan, atA: number, atB: number, isMoved: boolean): ComparedStep {
  const changes = parts.filter((part) => a[part] !== b[part]);
  const edit = isMoved ? "moved" : a.name !== b.name ? "renamed" : changes.length > 0 ? "changed" : "equal";
  return {
    a: atA,
    b: atB,
    edit,
    changes,
    durationUs: b.endUs - b.startUs - (a.endUs - a.startUs),
    tokens: difference(a.tokens, b.tokens),
    cost: difference(a.cost, b.cost),
  };
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : b - a;
}
