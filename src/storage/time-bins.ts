// Bins of time in the calendar of a zone. The database numbers the rows' bins, here they become instants and empty ones are put between.
import { fail } from "../kernel/failure.ts";
import type { ZoneOffsets } from "../kernel/zone-offsets.ts";

export const timeScales = ["MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"] as const;
export type TimeScale = (typeof timeScales)[number];

export interface TimeBins extends Partial<ZoneOffsets> {
  readonly scale: TimeScale;
  /** Before the first of the changes. */
  readonly offsetMinutes: number;
}

const MINUTE_US = 60_000_000;
const DAY_US = 1440 * MINUTE_US;
/** 1970 began on a Thursday: weeks begin on Mondays. */
const FIRST_MONDAY_US = 4 * DAY_US;

/** Width of a bin, and what one begins at, in microseconds; null for bins whose width is the calendar's. */
export function fixedBins(scale: TimeScale): { readonly widthUs: number; readonly beginUs: number } | null {
  switch (scale) {
    case "MINUTE":
      return { widthUs: MINUTE_US, beginUs: 0 };
    case "HOUR":
      return { widthUs: 60 * MINUTE_US, beginUs: 0 };
    case "DAY":
      return { widthUs: DAY_US, beginUs: 0 };
    case "WEEK":
      return { widthUs: 7 * DAY_US, beginUs: FIRST_MONDAY_US - 7 * DAY_US };
    default:
      return null;
  }
}

/** The number of the bin that holds the instant: bins since 1970, or months or years since year 0. */
export function binOf(instantUs: number, bins: TimeBins): number {
  const { scale } = bins;
  const offsetMinutes = bins.changes?.findLast(({ atUs }) => atUs <= instantUs)?.offsetMinutes ?? bins.offsetMinutes;
  const local = instantUs + offsetMinutes * MINUTE_US;
  const fixed = fixedBins(scale);
  if (fixed !== null) return Math.floor((local - fixed.beginUs) / fixed.widthUs);
  const date = new Date(Math.floor(local / 1000));
  return scale === "YEAR" ? date.getUTCFullYear() : date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Every bin begins on a whole hour UTC. */
export function beginOnHours({ scale, offsetMinutes, changes = [] }: TimeBins): boolean {
  return scale !== "MINUTE" && [{ offsetMinutes }, ...changes].every((part) => part.offsetMinutes % 60 === 0);
}

/** Microseconds UTC of the beginning of a bin. */
export function beginOfBin(bin: number, { scale, offsetMinutes, changes = [] }: TimeBins): number {
  const fixed = fixedBins(scale);
  const local =
    fixed !== null
      ? fixed.beginUs + bin * fixed.widthUs
      : scale === "YEAR"
        ? Date.UTC(bin, 0) * 1000
        : Date.UTC(Math.floor(bin / 12), bin % 12) * 1000;
  // The first instant at which the clocks show that time, or a later one where they leap over it.
  const parts = [{ atUs: Number.NEGATIVE_INFINITY, offsetMinutes }, ...changes];
  for (const [position, part] of parts.entries()) {
    const instant = Math.max(part.atUs, local - part.offsetMinutes * MINUTE_US);
    if (instant < (parts[position + 1]?.atUs ?? Number.POSITIVE_INFINITY)) return instant;
  }
  return local - offsetMinutes * MINUTE_US;
}

/** Bins of one series at most. */
const MOST_BINS = 20_000;

/** The bins from the one that holds the start up to the end, which is excluded. Throws kind `invalid` for too many. */
export function binsBetween(startUs: number, endUs: number, bins: TimeBins): number[] {
  if (endUs <= startUs) return [];
  const first = binOf(startUs, bins);
  const last = binOf(endUs - 1, bins);
  if (last - first >= MOST_BINS) {
    throw fail("time.too_many_bins", "invalid", `timeRange: more than ${MOST_BINS} bins; ask for a wider scale`);
  }
  return Array.from({ length: last - first + 1 }, (_, position) => first + position);
}
