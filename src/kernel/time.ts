// Instants are integers in microseconds UTC. They fit a JavaScript number until the year 2255.

const MICROSECONDS_PER_SECOND = 1_000_000;

/** The latest instant that is kept; later ones are stored as this one. */
export const MAX_INSTANT_US = Number.MAX_SAFE_INTEGER;

/** Nanoseconds of a sender, rounded half up to microseconds and kept inside the range of instants. */
export function microsecondsFromNanoseconds(nanoseconds: bigint): number {
  const microseconds = (nanoseconds + 500n) / 1000n;
  return microseconds > BigInt(MAX_INSTANT_US) ? MAX_INSTANT_US : Number(microseconds);
}

/** `2024-01-01T12:00:01.123400+00:00`: no fraction when it is zero, else six digits; always the offset +00:00. */
export function formatInstant(microseconds: number): string {
  const seconds = Math.floor(microseconds / MICROSECONDS_PER_SECOND);
  const fraction = microseconds - seconds * MICROSECONDS_PER_SECOND;
  const base = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${base}+00:00` : `${base}.${String(fraction).padStart(6, "0")}+00:00`;
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const EPOCH = /^[+-]?\d+(?:\.\d+)?$/;
/** Epoch numbers above this are milliseconds, below it seconds (`rest-traces.md` 1.5). */
const LARGEST_EPOCH_SECONDS = 2e10;

export interface ParsedInstant {
  readonly microseconds: number;
  /** False for a date and time without zone, which is read as UTC. */
  readonly hasZone: boolean;
}

/** Reads a date, a date and time, or epoch seconds (milliseconds above 2e10). Fractions beyond six digits are cut off.
 *  Null for anything else. */
export function parseInstant(text: string): ParsedInstant | null {
  const trimmed = text.trim();
  if (EPOCH.test(trimmed)) return instantFromEpoch(Number(trimmed));
  const match = DATE_TIME.exec(trimmed);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || Number(year) < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = zone === undefined || /^z$/i.test(zone) ? 0 : offsetMinutes(zone);
  if (offset === null) return null;
  const microseconds = (date.getTime() - offset * 60_000) * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
  return { microseconds, hasZone: zone !== undefined };
}

/** An epoch number: seconds, or milliseconds above 2e10. */
export function instantFromEpoch(value: number): ParsedInstant | null {
  const seconds = Math.abs(value) > LARGEST_EPOCH_SECONDS ? value / 1000 : value;
  const microseconds = Math.round(seconds * MICROSECONDS_PER_SECOND);
  return Math.abs(microseconds) <= MAX_INSTANT_US ? { microseconds, hasZone: true } : null;
}

function offsetMinutes(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
}
