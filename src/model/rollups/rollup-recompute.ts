// The sums of one whole trace from scratch: for traces with cycles, for climbs that would be too long, for `verify`.
import { addVector, type SumVector, sumUpwards, vectorAt } from "./rollup.ts";

interface RecomputeRow {
  readonly id: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly own: SumVector;
}

interface Recomputed {
  readonly sums: Map<number, SumVector>;
  /** Ids of the rows whose parent link lies on a cycle. */
  readonly onCycle: Set<number>;
}

/** The sums of a whole trace from the own counts of all its rows, in any order of arrival. */
export function recompute(rows: readonly RecomputeRow[]): Recomputed {
  const positions = new Map<string, number>();
  for (let position = 0; position < rows.length; position++) positions.set(rows[position]!.spanKey, position);
  const parents = new Int32Array(rows.length);
  const values = new Float64Array(rows.length * 3);
  const onCycle = new Set<number>();
  for (let position = 0; position < rows.length; position++) {
    const { id, spanKey, parentKey, own } = rows[position]!;
    addVector(values, position, own);
    if (parentKey === spanKey) onCycle.add(id);
    parents[position] = parentKey === null || parentKey === spanKey ? -1 : (positions.get(parentKey) ?? -1);
  }
  // The members of a cycle end with their own counts and those of their children off the cycle, which is their sum.
  for (const member of sumUpwards(parents, values)) onCycle.add(rows[member]!.id);
  const sums = new Map<number, SumVector>();
  for (let position = 0; position < rows.length; position++) sums.set(rows[position]!.id, vectorAt(values, position));
  return { sums, onCycle };
}
