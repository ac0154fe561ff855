// A range of time that narrows a statistic.

/** Microseconds UTC, the end excluded; null is unbounded. */
export interface Range {
  readonly startUs: number | null;
  readonly endUs: number | null;
}

export function isUnbounded({ startUs, endUs }: Range): boolean {
  return startUs === null && endUs === null;
}
