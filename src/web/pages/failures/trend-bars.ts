// The bars of a trend: one for each day, also for those without failures.
import { LiveRange } from "../../lib/time-range.ts";

export interface TrendPoint {
  readonly timestamp: string;
  readonly spanCount: number;
}

const DAYS = 14;
export const DAY_MS = 86_400_000;

/** Days of UTC up to today, as the server counts them. */
export function trendBars(points: readonly TrendPoint[], nowMs: number) {
  const counts = new Map(points.map(({ timestamp, spanCount }) => [Date.parse(timestamp), spanCount]));
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, at) => {
    const startMs = today - (DAYS - 1 - at) * DAY_MS;
    return { startMs, count: counts.get(startMs) ?? 0 };
  });
}

/** What the trend is asked for: it moves on with the clock. */
class TrendRange extends LiveRange {
  override get start(): string {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    return new Date(today - (DAYS - 1) * DAY_MS).toISOString();
  }
}

export const trendRange = new TrendRange({ preset: "all" });
