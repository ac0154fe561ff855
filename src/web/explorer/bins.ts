// The width of the bars in a strip of time: the finest that leaves few enough of them.

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
