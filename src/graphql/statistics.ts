// Arguments that the statistics of projects share, checked.
import type { StatisticScope } from "../filter/scope.ts";
import { findZoneOffsets } from "../kernel/zone-offsets.ts";
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

/** Further than any bin reaches beyond the period that it is asked for. */
const MARGIN_US = 400 * 86_400_000_000;
/** Changes of the clocks in one series: those of two hundred years. */
const MAX_CHANGES = 400;

interface GivenBins {
  readonly scale: TimeScale;
  readonly utcOffsetMinutes: number;
  readonly timeZone?: Given<string>;
}

/** The bins of a period. Throws kind `invalid` that names the argument. */
export function binsOf(
  config: Given<GivenBins>,
  { startUs, endUs }: { readonly startUs: number; readonly endUs: number },
): TimeBins {
  const scale = config?.scale ?? "HOUR";
  const offsetMinutes = config?.utcOffsetMinutes ?? 0;
  if (Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES) throw argumentRefused("utcOffsetMinutes", "must be within one day");
  const zone = config?.timeZone?.trim() ?? "";
  if (zone === "") return { scale, offsetMinutes };
  const offsets = findZoneOffsets(zone, startUs - MARGIN_US, endUs + MARGIN_US, MAX_CHANGES);
  if (offsets === null) {
    throw argumentRefused("timeZone", "must be a name such as Europe/Berlin, and the period at most 150 years");
  }
  if (scale !== "MINUTE" && scale !== "HOUR") return { scale, ...offsets };
  // An hour is an hour, also where clocks show it twice.
  const first = offsets.changes.findLast(({ atUs }) => atUs <= startUs) ?? offsets;
  return { scale, offsetMinutes: first.offsetMinutes };
}

/** The period of a time series, and its bins. Throws as `requirePeriodOf` and `binsOf`. */
export function requireSeriesOf(
  { timeRange, timeBinConfig: config }: { readonly timeRange: GivenRange; readonly timeBinConfig?: Given<GivenBins> },
  nowUs: number,
) {
  const period = requirePeriodOf(timeRange, nowUs);
  return [period, binsOf(config, period)] as const;
}

export function timeBinConfig(builder: Builder) {
  const TimeBinScale = builder.enumType("TimeBinScale", { values: timeScales });
  return builder.inputType("TimeBinConfig", {
    fields: (t) => ({
      scale: t.field({ type: TimeBinScale, required: true, defaultValue: "HOUR" }),
      utcOffsetMinutes: t.int({ required: true, defaultValue: 0 }),
      timeZone: t.string({
        description:
          "A name such as `Europe/Berlin`, in place of the offset: days, weeks, months and years are those of its calendar, also where its clocks change.",
      }),
    }),
  });
}
