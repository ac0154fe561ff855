// The bins of series over a range: the finest width that leaves few enough, in the calendar of the chosen zone.
import { useMemo } from "react";
import { zoneName } from "../kit/zoned-fields.ts";
import { boundsOf, LiveRange, type TimeRange } from "../lib/time-range.ts";
import { useTimeZone } from "../lib/time-zone.ts";
import { type BinScale, binLengths, binScaleFor } from "./bins.ts";

/** A range with a beginning, as a series needs one. */
class BoundedRange extends LiveRange {
  constructor(
    range: TimeRange,
    readonly first: string,
  ) {
    super(range);
  }
  override get start(): string {
    return super.start ?? this.first;
  }
}

/** First and last trace of a project: the bounds of a range that has none. */
interface Lifetime {
  readonly startTime: string | null;
  readonly endTime: string | null;
}

export interface Bins {
  /** Null while nothing is known to begin at. */
  readonly timeRange: BoundedRange | null;
  readonly config: { readonly scale: BinScale; readonly timeZone: string };
  readonly lengthMs: number;
}

export function useBins(range: TimeRange, { startTime, endTime }: Lifetime, mostBins: number): Bins {
  const zone = useTimeZone();
  return useMemo(() => {
    // The time at which the range was chosen: with the time of each render, each answer would cause the next request.
    const nowMs = Date.now();
    const bounds = boundsOf(range, nowMs);
    const from = bounds.from ?? startTime;
    const end = bounds.to ?? (bounds.from === null ? endTime : null);
    const length = (end === null ? nowMs : Date.parse(end)) - Date.parse(from ?? "");
    const scale = binScaleFor(Number.isNaN(length) ? 0 : length, mostBins);
    return {
      timeRange: from === null ? null : new BoundedRange(range, from),
      config: { scale, timeZone: zoneName(zone) },
      lengthMs: binLengths[scale],
    };
  }, [range, startTime, endTime, mostBins, zone]);
}
