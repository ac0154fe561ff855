// A range of time that narrows a statistic.

/** Microseconds UTC, the end excluded; null is unbounded. */
export interface Range {
  readonly startUs: number | null;
  readonly endUs: number | null;
}

export function isUnbounded({ startUs, endUs }: Range): boolean {
  return startUs === null && endUs === null;
}

/** What lies in both. */
export function intersectionOf(one: Range, other: Range): Range {
  const bound = (which: (...bounds: number[]) => number, bounds: readonly (number | null)[]) => {
    const known = bounds.filter((each) => each !== null);
    return known.length === 0 ? null : which(...known);
  };
  return {
    startUs: bound(Math.max, [one.startUs, other.startUs]),
    endUs: bound(Math.min, [one.endUs, other.endUs]),
  };
}
