// What a histogram shows, and what can be worked out from it without drawing.

interface HistogramSeries {
  readonly key: string;
  readonly label: string;
  /** Name of a colour token. */
  readonly color: string;
  /** One for each bin; the first series lies at the bottom. */
  readonly counts: readonly number[];
}

export interface HistogramData {
  readonly bins: readonly { readonly min: number; readonly max: number }[];
  readonly series: readonly HistogramSeries[];
}

/** All that lies in a bin. */
export function countOf({ series }: HistogramData, bin: number): number {
  return series.reduce((sum, { counts }) => sum + (counts[bin] ?? 0), 0);
}

/** The bin with most in it; the first of several. */
export function highestBin(data: HistogramData): number {
  return data.bins.reduce((best, _, at) => (countOf(data, at) > countOf(data, best) ? at : best), 0);
}

/** Steps between labelled edges: a few fit on a phone. */
const MOST_LABELS = 5;

/** Edges that are labelled, with their places from 0 to 1: the first, and then as many as fit. A single value lies in the middle. */
export function edgeLabels(bins: HistogramData["bins"]): { readonly place: number; readonly value: number }[] {
  const [first] = bins;
  if (first === undefined) return [];
  if (bins.length === 1 && first.min === first.max) return [{ place: 0.5, value: first.min }];
  const step = Math.ceil(bins.length / MOST_LABELS);
  const edges = [first.min, ...bins.map(({ max }) => max)];
  return edges.flatMap((value, at) => (at % step === 0 ? [{ place: at / bins.length, value }] : []));
}
