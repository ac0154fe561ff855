// Places on a line: as near as possible to where each would like to be, in their order and without touching.

export interface Placed {
  readonly height: number;
  /** Between it and the next one. */
  readonly gap: number;
}

/** The middle of each; the squares of their distances from the wanted middles are least. Takes time n. */
export function evenPlaces(items: readonly Placed[], wanted: readonly number[]): number[] {
  const offsets: number[] = [];
  items.forEach(({ height }, at) => {
    const before = items[at - 1];
    offsets.push(before === undefined ? 0 : offsets[at - 1]! + (before.height + height) / 2 + before.gap);
  });
  // Without their distances the places only have to ascend: runs that would descend share their mean.
  const runs: { sum: number; count: number }[] = [];
  for (let at = 0; at < items.length; at++) {
    let run = { sum: wanted[at]! - offsets[at]!, count: 1 };
    for (let last = runs.at(-1); last !== undefined && meanOf(last) > meanOf(run); last = runs.at(-1)) {
      runs.pop();
      run = { sum: last.sum + run.sum, count: last.count + run.count };
    }
    runs.push(run);
  }
  return runs.flatMap((run) => new Array<number>(run.count).fill(meanOf(run))).map((place, at) => place + offsets[at]!);
}

function meanOf({ sum, count }: { readonly sum: number; readonly count: number }): number {
  return sum / count;
}
