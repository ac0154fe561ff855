// Step 8 of the ingest transaction: what the stored ancestors of late children gain, one difference a row.
import { addVector, type Climbing, isZeroAt, positionsByKey, type SumVector, sumUpwards, vectorAt } from "./rollup.ts";

/** Longer climbs cost more than computing the trace once, when it is read. */
export const MAXIMUM_ANCESTORS = 10_000;

/** A stored span as a climb sees it. */
export interface AncestorRow {
  readonly id: number;
  readonly traceId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly onCycle: boolean;
}

interface Climbed {
  /** One non-zero difference for each row that changes. */
  readonly updates: { readonly id: number; readonly delta: SumVector }[];
  /** Traces in which the walk returned to a row it came through: no updates, to be recomputed. */
  readonly newCycles: number[];
  /** Traces with more ancestors than allowed: no updates, to be recomputed before their sums are next read. */
  readonly tooDeep: number[];
}

/** One difference for each distinct ancestor. `ancestors` holds every stored ancestor of the starts, rows of the same
 *  batch included, in any order. A difference stops at a row that is on a cycle or has no stored parent. To take a span
 *  away, climb from its parent with its sums negated; a trace with a cycle is recomputed instead. */
export function climb(
  starts: readonly Climbing[],
  ancestors: readonly AncestorRow[],
  maximumAncestors = MAXIMUM_ANCESTORS,
): Climbed {
  const positions = positionsByKey(ancestors);
  const parents = new Int32Array(ancestors.length);
  const values = new Float64Array(ancestors.length * 3);
  for (const { traceId, parentKey, delta } of starts) {
    const position = positions.get(traceId)?.get(parentKey);
    if (position !== undefined) addVector(values, position, delta);
  }
  for (let position = 0; position < ancestors.length; position++) {
    const { traceId, parentKey, onCycle } = ancestors[position]!;
    parents[position] = onCycle || parentKey === null ? -1 : (positions.get(traceId)?.get(parentKey) ?? -1);
  }

  const tooDeep = new Set<number>();
  for (const [traceId, rows] of positions) if (rows.size > maximumAncestors) tooDeep.add(traceId);
  const newCycles = new Set<number>();
  for (const member of sumUpwards(parents, values)) newCycles.add(ancestors[member]!.traceId);
  const updates: Climbed["updates"] = [];
  for (let position = 0; position < ancestors.length; position++) {
    const { id, traceId } = ancestors[position]!;
    if (isZeroAt(values, position) || newCycles.has(traceId) || tooDeep.has(traceId)) continue;
    updates.push({ id, delta: vectorAt(values, position) });
  }
  return { updates, newCycles: [...newCycles], tooDeep: [...tooDeep].filter((traceId) => !newCycles.has(traceId)) };
}
