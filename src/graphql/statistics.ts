// Arguments that the statistics of projects share, checked.
import type { StatisticScope } from "../filter/scope.ts";
import type { Range } from "../storage/period.ts";
import { type TimeBins, type TimeScale, timeScales } from "../storage/time-bins.ts";
import type { Builder } from "./builder.ts";
import { argumentRefused } from "./connection.ts";

type Given<Value> = Value | null | undefined;
export type GivenRange = Given<{ readonly start?: Given<number>; readonly end?: Given<number> }>;

export function rangeOf(range: GivenRange): Range {
  return { startUs: range?.start ?? null, endUs: range?.end ?? null };
}

/** What a statistic of a project is narrowed by. Throws kind `invalid` for both conditions together. */
export function scopeOf(given: {
  readonly timeRange?: GivenRange;
  readonly filterCondition?: Given<string>;
  readonly sessionFilterCondition?: Given<string>;
}): StatisticScope {
  const spanCondition = given.filterCondition?.trim() || null;
  const sessionCondition = given.sessionFilterCondition?.trim() || null;
  if (spanCondition !== null && sessionCondition !== null) {
    throw argumentRefused("filterCondition", "cannot be given together with sessionFilterCondition");
  }
  return { ...rangeOf(given.timeRange), spanCondition, sessionCondition };
}

/** The period of a time series, up to now when it names no end. Throws kind `invalid` without a start. */
export function requirePeriodOf(
  range: GivenRange,
  nowUs: number,
): { readonly startUs: number; readonly endUs: number } {
  const { startUs, endUs } = rangeOf(range);
  if (startUs === null) throw argumentRefused("timeRange", "a time series needs a start");
  return { startUs, endUs: endUs ?? nowUs };
}

export function requireProbability(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) throw argumentRefused("probability", "must be from 0 to 1");
  return probability;
}

/** Further from UTC than any place on Earth. */
const MAX_OFFSET_MINUTES = 24 * 60;

export function binsOf(config: Given<{ readonly scale: TimeScale; readonly utcOffsetMinutes: number }>): TimeBins {
  const offsetMinutes = config?.utcOffsetMinutes ?? 0;
  if (Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES) throw argumentRefused("utcOffsetMinutes", "must be within one day");
  return { scale: config?.scale ?? "HOUR", offsetMinutes };
}

export function timeBinConfig(builder: Builder) {
  const TimeBinScale = builder.enumType("TimeBinScale", { values: timeScales });
  return builder.inputType("TimeBinConfig", {
    fields: (t) => ({
      scale: t.field({ type: TimeBinScale, required: true, defaultValue: "HOUR" }),
      utcOffsetMinutes: t.int({ required: true, defaultValue: 0 }),
    }),
  });
}
