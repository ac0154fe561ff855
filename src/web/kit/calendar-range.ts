// Ranges of the calendar, from midnight to midnight in the chosen zone.
import type { TimeRange } from "../lib/time-range.ts";
import { fromZonedFields, zonedFields } from "./zoned-fields.ts";

export const calendarPeriods = ["today", "yesterday", "this-month", "last-month"] as const;
type CalendarPeriod = (typeof calendarPeriods)[number];

/** A period that lasts has no end: it moves on with the clock. */
export function calendarRange(period: CalendarPeriod, nowMs: number, zone: string): TimeRange {
  const [year, month, day] = zonedFields(new Date(nowMs).toISOString(), zone).slice(0, 10).split("-").map(Number) as [
    number,
    number,
    number,
  ];
  /** Days and months beyond their end are those of the next or the last month. */
  const midnight = (ofMonth: number, ofDay: number) =>
    fromZonedFields(`${new Date(Date.UTC(year, ofMonth - 1, ofDay)).toISOString().slice(0, 10)}T00:00:00`, zone)!;
  const between = (from: string, to: string | null): TimeRange => ({ preset: null, from, to });
  switch (period) {
    case "today":
      return between(midnight(month, day), null);
    case "yesterday":
      return between(midnight(month, day - 1), midnight(month, day));
    case "this-month":
      return between(midnight(month, 1), null);
    case "last-month":
      return between(midnight(month - 1, 1), midnight(month, 1));
  }
}
