// What the roll-ups of spans share: every span carries the sums of itself and everything below it, and one
// walk without recursion computes them for a batch, for the ancestors of a batch, or for a whole trace.
//
// Parent links that lie on a cycle count as absent, self-parents too.

/** Counts of one span, or of a span and everything below it, or a difference between two such sums. Integers. */
export interface SumVector {
  readonly errors: number;
  readonly prompt: number;
  readonly completion: number;
}

/** A difference that belongs to the span `parentKey` of the trace and to all its ancestors. */
export interface Climbing {
  readonly traceId: number;
  readonly parentKey: string;
  readonly delta: SumVector;
}

/** Adds the values of every position to its parent's, a parent only after all its children, and returns the positions on
 *  cycles, which add nothing. Each position has one parent at most (-1: none), so what never runs out of open children is
 *  on a cycle itself. */
export function sumUpwards(parents: Int32Array, values: Float64Array): number[] {
  const openChildren = new Int32Array(parents.length);
  for (const parent of parents) if (parent >= 0) openChildren[parent]!++;
  for (let leaf = 0; leaf < parents.length; leaf++) {
    let position = leaf;
    while (openChildren[position] === 0) {
      openChildren[position] = -1;
      const parent = parents[position]!;
      if (parent < 0) break;
      for (let part = 0; part < 3; part++) values[parent * 3 + part]! += values[position * 3 + part]!;
      openChildren[parent]!--;
      position = parent;
    }
  }
  const members: number[] = [];
  for (let position = 0; position < parents.length; position++) if (openChildren[position]! > 0) members.push(position);
  return members;
}

/** Positions by trace id, then span key: a key is unique only inside its trace. */
export function positionsByKey(spans: readonly { readonly traceId: number; readonly spanKey: string }[]) {
  const byTrace = new Map<number, Map<string, number>>();
  for (let position = 0; position < spans.length; position++) {
    const { traceId, spanKey } = spans[position]!;
    const byKey = byTrace.get(traceId);
    if (byKey === undefined) byTrace.set(traceId, new Map([[spanKey, position]]));
    else byKey.set(spanKey, position);
  }
  return byTrace;
}

/** Vectors lie one behind the other, three numbers a position. */
export function addVector(values: Float64Array, position: number, vector: SumVector): void {
  values[position * 3]! += vector.errors;
  values[position * 3 + 1]! += vector.prompt;
  values[position * 3 + 2]! += vector.completion;
}

export function isZeroAt(values: Float64Array, position: number): boolean {
  return values[position * 3] === 0 && values[position * 3 + 1] === 0 && values[position * 3 + 2] === 0;
}

export function vectorAt(values: ArrayLike<number>, position: number): SumVector {
  return { errors: values[position * 3]!, prompt: values[position * 3 + 1]!, completion: values[position * 3 + 2]! };
}

export function allVectors(values: Float64Array): SumVector[] {
  return Array.from({ length: values.length / 3 }, (_, position) => vectorAt(values, position));
}
