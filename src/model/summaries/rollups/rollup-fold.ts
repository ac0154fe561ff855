// Step 5 of the ingest transaction: the sums of new spans inside their own batch, and what leaves the batch upwards.
import {
  addVector,
  allVectors,
  type Climbing,
  isZeroAt,
  positionsByKey,
  type SumVector,
  sumUpwards,
  vectorAt,
} from "./rollup.ts";

export interface FoldSpan {
  readonly traceId: number;
  /** Unique only inside its trace. */
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly own: SumVector;
}

export interface Folded {
  /** For each span of the batch its own counts and those of everything known below it. */
  readonly sums: SumVector[];
  /** One non-zero difference for each parent that is not in the batch, without the traces of `cyclic`. */
  readonly outgoing: Climbing[];
  /** Positions of spans that name themselves as parent: stored with `on_cycle`, and their link counts as absent. */
  readonly selfParents: number[];
  /** Traces in which spans of this batch close a cycle among themselves: their sums are void until recomputed. */
  readonly cyclic: number[];
}

/** Sums of new spans inside their batch, children before parents, and what leaves the batch upwards.
 *  `batch` holds each (trace, span key) once; `inherited` gives, by position in the batch, the sums of the stored children
 *  whose link counts. In a cycle whose counts are all zero nothing leaves the batch, so it may stay unmarked until the
 *  first count reaches it: its sums are right all the same. */
export function fold(batch: readonly FoldSpan[], inherited: ReadonlyMap<number, SumVector>): Folded {
  const positions = positionsByKey(batch);
  const parents = new Int32Array(batch.length);
  const values = new Float64Array(batch.length * 3);
  const selfParents: number[] = [];
  let position = 0;
  for (const span of batch) {
    addVector(values, position, span.own);
    let parent = -1;
    if (span.parentKey === span.spanKey) selfParents.push(position);
    else if (span.parentKey !== null) parent = positions.get(span.traceId)?.get(span.parentKey) ?? -1;
    parents[position++] = parent;
  }
  for (const [child, sums] of inherited) addVector(values, child, sums);

  const cyclic = new Set<number>();
  for (const member of sumUpwards(parents, values)) cyclic.add(batch[member]!.traceId);
  return {
    sums: allVectors(values),
    outgoing: outgoingOf(batch, parents, values, cyclic),
    selfParents,
    cyclic: [...cyclic],
  };
}

function outgoingOf(
  batch: readonly FoldSpan[],
  parents: Int32Array,
  values: Float64Array,
  cyclic: ReadonlySet<number>,
): Climbing[] {
  const byTrace = new Map<number, Map<string, number>>();
  const targets: { traceId: number; parentKey: string }[] = [];
  const leaving: number[] = [];
  for (let position = 0; position < parents.length; position++) {
    if (parents[position] !== -1 || isZeroAt(values, position)) continue;
    const { traceId, spanKey, parentKey } = batch[position]!;
    if (parentKey === null || parentKey === spanKey || cyclic.has(traceId)) continue;
    let byParent = byTrace.get(traceId);
    if (byParent === undefined) {
      byParent = new Map();
      byTrace.set(traceId, byParent);
    }
    let target = byParent.get(parentKey);
    if (target === undefined) {
      target = targets.push({ traceId, parentKey }) - 1;
      byParent.set(parentKey, target);
      leaving.push(0, 0, 0);
    }
    for (let part = 0; part < 3; part++) leaving[target * 3 + part]! += values[position * 3 + part]!;
  }
  return targets.map(({ traceId, parentKey }, target) => ({ traceId, parentKey, delta: vectorAt(leaving, target) }));
}
