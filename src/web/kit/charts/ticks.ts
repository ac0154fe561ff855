// Where an axis of time has its ticks, and what stands there: whole minutes, hours, days or months on the clocks of the zone.
import { formatTimePart } from "../../lib/format.ts";
import { offsetMs } from "../zoned-fields.ts";
import type { Span } from "./series.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14].map((days) => days * DAY),
];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];

interface Tick {
  readonly ms: number;
  readonly label: string;
}

/** At most `most` ticks inside the span. */
export function timeTicks({ fromMs, toMs }: Span, most: number, zone: string): Tick[] {
  const length = toMs - fromMs;
  if (!(length > 0) || most < 1) return [];
  const step = steps.find((each) => length / each <= most);
  if (step === undefined) return monthTicks({ fromMs, toMs }, most, zone);
  const ticks: Tick[] = [];
  // The offset of the zone may change on the way: each tick is put on its own clock.
  for (let wall = Math.ceil((fromMs + offsetMs(fromMs, zone)) / step) * step; ; wall += step) {
    const ms = instantOf(wall, zone);
    if (ms > toMs) return ticks;
    if (ms >= fromMs) ticks.push({ ms, label: formatTimePart(ms, zone, wall % DAY === 0 ? "day" : "minute") });
  }
}

function monthTicks({ fromMs, toMs }: Span, most: number, zone: string): Tick[] {
  const step = monthSteps.find((each) => (toMs - fromMs) / (each * MONTH) <= most) ?? 120;
  const first = new Date(fromMs + offsetMs(fromMs, zone));
  const ticks: Tick[] = [];
  for (let month = first.getUTCFullYear() * 12; ; month += step) {
    const ms = instantOf(Date.UTC(Math.floor(month / 12), month % 12), zone);
    if (ms > toMs) return ticks;
    if (ms >= fromMs) ticks.push({ ms, label: formatTimePart(ms, zone, "month") });
  }
}

/** The instant at which clocks of the zone show this time. */
function instantOf(wall: number, zone: string): number {
  const guess = wall - offsetMs(wall, zone);
  return wall - offsetMs(guess, zone);
}

/** A bin in words: `20 Nov, 10:00 – 11:00`, `20 Nov`, `20 Nov – 26 Nov`, `Nov 2026`. */
export function binText({ fromMs, toMs }: Span, zone: string): string {
  const length = toMs - fromMs;
  // Days of a series have a fixed length, those of clocks do not: the middle tells the day.
  if (length < DAY) {
    const end = formatTimePart(toMs, zone, "minute");
    return `${formatTimePart(fromMs, zone, "day")}, ${formatTimePart(fromMs, zone, "minute")} – ${end}`;
  }
  if (length <= DAY) return formatTimePart(fromMs + length / 2, zone, "day");
  if (length < 28 * DAY) {
    const last = formatTimePart(toMs - DAY / 2, zone, "day");
    return `${formatTimePart(fromMs + DAY / 2, zone, "day")} – ${last}`;
  }
  return formatTimePart(fromMs + length / 2, zone, "month");
}
