// The width of the bars in a strip of time: the finest that leaves few enough of them.
import { foldOf, placeOf } from "../kit/charts/series.ts";

export type BinScale = "MINUTE" | "HOUR" | "DAY" | "WEEK" | "MONTH";

const MINUTE = 60_000;
export const binLengths: Readonly<Record<BinScale, number>> = {
  MINUTE,
  HOUR: 60 * MINUTE,
  DAY: 1440 * MINUTE,
  WEEK: 7 * 1440 * MINUTE,
  MONTH: 30 * 1440 * MINUTE,
};
const scales = Object.keys(binLengths) as BinScale[];

/** For a period of this many milliseconds. */
export function binScaleFor(lengthMs: number, mostBins: number): BinScale {
  return scales.find((scale) => lengthMs / binLengths[scale] <= mostBins) ?? "MONTH";
}

/** Bars of a strip at most, however wide it is. */
export const MOST_BARS = 60;
/** A bar and the gap behind it, in pixels. */
const LEAST_BAR = 5;
export interface CountedBin {
  readonly timestamp: string;
  readonly totalCount: number;
  readonly errorCount: number;
}

/** A bar of one or several bins. Milliseconds. */
export interface Bar {
  readonly fromMs: number;
  readonly toMs: number;
  readonly totalCount: number;
  readonly errorCount: number;
}

/** As many bars as can be distinguished in so many pixels. Whole bars begin at the same times whatever the range begins with. */
export function barsOf(bins: readonly CountedBin[], lengthMs: number, zone: string, width: number): Bar[] {
  const most = Math.max(1, Math.min(MOST_BARS, Math.floor(width / LEAST_BAR)));
  const fold = foldOf(bins.length, most);
  const bars = new Map<number, Bar>();
  bins.forEach(({ timestamp, totalCount, errorCount }, at) => {
    const fromMs = Date.parse(timestamp);
    const toMs = bins[at + 1] === undefined ? fromMs + lengthMs : Date.parse(bins[at + 1]!.timestamp);
    const place = placeOf(fromMs, lengthMs, zone, fold);
    const bar = bars.get(place) ?? { fromMs, toMs, totalCount: 0, errorCount: 0 };
    bars.set(place, {
      fromMs: bar.fromMs,
      toMs,
      totalCount: bar.totalCount + totalCount,
      errorCount: bar.errorCount + errorCount,
    });
  });
  return [...bars.values()];
}
