// Histograms: round edges between the lowest and the highest value, and how many values lie between each two.

export interface HistogramBin {
  readonly min: number;
  /** Excluded, but in the last bin. */
  readonly max: number;
  readonly count: number;
}

/** Maximum number of bins: more bars could not be distinguished. */
export const MOST_HISTOGRAM_BINS = 40;
/** Steps between edges, times a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10];
/** Edges between two powers of ten, from fine to coarse. */
const GROWING_STEPS = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
/** Where the highest value is at most so many times the lowest, growing bins are too wide. */
const LEAST_GROWTH = 8;
/** Behind these digits a multiple of a step is no longer as it would be written. */
const DIGITS = 12;

/** The smallest round step that is at least as long. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (ROUND_STEPS.find((each) => each * power >= least) ?? 10) * power;
}

/** A multiple of a round step, as it would be written. */
export function multipleOf(step: number, times: number): number {
  return Number((times * step).toPrecision(DIGITS));
}

/** A multiple of the step is a whole number of times in itself, within the precision of the numbers. */
function timesIn(value: number, step: number): number {
  return Number((value / step).toPrecision(DIGITS));
}

/** Edges at equal distances: `most` bins at most. Of whole numbers a bin is a whole number wide. */
export function evenEdges(lowest: number, highest: number, most: number, whole = false): readonly number[] {
  const alone = [lowest, highest];
  const range = highest - lowest;
  if (!(range > 0) || !Number.isFinite(range)) return alone;
  for (let step = roundStep(range / most); Number.isFinite(step); step = roundStep(step * 1.01)) {
    const [first, last] = [Math.floor(timesIn(lowest, step)), Math.ceil(timesIn(highest, step))];
    if (last - first > most || (whole && !Number.isInteger(step))) continue;
    const edges = Array.from({ length: last - first + 1 }, (_, at) => multipleOf(step, first + at));
    const ascending = edges.every((edge, at) => at === 0 || edge > edges[at - 1]!);
    return ascending && edges[0]! <= lowest && edges.at(-1)! >= highest ? edges : alone;
  }
  return alone;
}

/** Edges at distances that grow with the value, for whole numbers above 0: `most` bins at most. Values that lie near each other get
 *  even ones. */
export function growingEdges(lowest: number, highest: number, most: number): readonly number[] {
  if (highest <= lowest * LEAST_GROWTH) return evenEdges(lowest, highest, most, true);
  for (const steps of GROWING_STEPS) {
    const edges: number[] = [];
    for (let power = 1; edges.length === 0 || edges.at(-1)! < highest; power *= 10) {
      for (const step of steps) {
        const edge = step * power;
        if (edge <= lowest) edges.length = 0;
        if (Number.isInteger(edge) && (edges.at(-1) ?? 0) < highest) edges.push(edge);
      }
    }
    if (edges.length - 1 <= most) return edges;
  }
  return evenEdges(lowest, highest, most, true);
}

/** The bins between the edges; of one that is not counted there is nothing. */
export function histogramBins(edges: readonly number[], counts: ReadonlyMap<number, number>): HistogramBin[] {
  return edges.slice(1).map((max, at) => ({ min: edges[at]!, max, count: counts.get(at) ?? 0 }));
}
