// The sums of one whole trace from scratch: for traces with cycles, for climbs that would be too long, for `verify`.
import { addVector, type SumVector, sumUpwards, vectorAt } from "./rollup.ts";
import { type CallCounts, type CountedCall, countedOnce, isSameCall } from "./rollup-repeats.ts";

export interface RecomputeRow {
  readonly id: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly own: SumVector;
  readonly call: CallCounts | null;
  /** 10^-12 USD. */
  readonly cost: bigint;
}

interface Recomputed {
  readonly sums: Map<number, SumVector>;
  /** Ids of the rows whose parent link lies on a cycle. */
  readonly onCycle: Set<number>;
  /** Ids of the rows that repeat a child. */
  readonly repeats: Set<number>;
  /** Of all rows together, each call once. */
  readonly counted: CountedCall;
}

/** The sums of a whole trace from the own counts of all its rows, in any order of arrival. */
export function recompute(rows: readonly RecomputeRow[]): Recomputed {
  const positions = new Map<string, number>();
  for (let position = 0; position < rows.length; position++) positions.set(rows[position]!.spanKey, position);
  const parents = new Int32Array(rows.length);
  for (let position = 0; position < rows.length; position++) {
    const { spanKey, parentKey } = rows[position]!;
    parents[position] = parentKey === null || parentKey === spanKey ? -1 : (positions.get(parentKey) ?? -1);
  }
  let repeating = repeatsAmong(rows, parents, new Set());
  let values = ownValues(rows, repeating);
  // The members of a cycle end with their own counts and those of their children off the cycle, which is their sum.
  const members = new Set(sumUpwards(parents, values));
  if (members.size > 0 && repeating.size > 0) {
    // Known only now: spans on a cycle do not count as children.
    repeating = repeatsAmong(rows, parents, members);
    values = ownValues(rows, repeating);
    sumUpwards(parents, values);
  }
  const onCycle = new Set<number>();
  for (const { id, spanKey, parentKey } of rows) if (parentKey === spanKey) onCycle.add(id);
  for (const member of members) onCycle.add(rows[member]!.id);
  const sums = new Map<number, SumVector>();
  const counted = { prompt: 0, completion: 0, cost: 0n };
  for (let position = 0; position < rows.length; position++) {
    const { id, own, cost } = rows[position]!;
    sums.set(id, vectorAt(values, position));
    if (repeating.has(position)) continue;
    counted.prompt += own.prompt;
    counted.completion += own.completion;
    if (cost !== 0n) counted.cost += cost;
  }
  return { sums, onCycle, repeats: new Set([...repeating].map((position) => rows[position]!.id)), counted };
}

function ownValues(rows: readonly RecomputeRow[], repeating: ReadonlySet<number>): Float64Array {
  const values = new Float64Array(rows.length * 3);
  for (let position = 0; position < rows.length; position++) {
    addVector(values, position, countedOnce(rows[position]!.own, repeating.has(position)));
  }
  return values;
}

/** Positions of the rows that repeat a child. */
function repeatsAmong(
  rows: readonly RecomputeRow[],
  parents: Int32Array,
  onCycle: ReadonlySet<number>,
): ReadonlySet<number> {
  const repeating = new Set<number>();
  for (let position = 0; position < rows.length; position++) {
    const parent = parents[position]!;
    if (parent < 0 || onCycle.has(position)) continue;
    if (isSameCall(rows[parent]!.call, rows[position]!.call)) repeating.add(parent);
  }
  return repeating;
}
