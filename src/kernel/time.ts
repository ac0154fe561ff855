// Instants are integers in microseconds UTC. They fit a JavaScript number until the year 2255.

const MICROSECONDS_PER_SECOND = 1_000_000;

/** The latest instant that is stored; later ones are stored as this one. */
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
/** Epoch numbers above this are milliseconds, below it seconds: clients send both. */
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
  const day = dayNumber(Number(match[1]), Number(match[2]), Number(match[3]));
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  if (day === null || hour > 23 || minute > 59 || second > 59) return null;
  const fraction = match[7];
  const zone = match[8];
  const offset = zone === undefined ? 0 : offsetMinutes(zone);
  if (offset === null) return null;
  const seconds = day * 86_400 + (hour * 60 + minute - offset) * 60 + second;
  const below = fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, "0"));
  return { microseconds: seconds * MICROSECONDS_PER_SECOND + below, hasZone: zone !== undefined };
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Days since 1970-01-01 of a date from the year 1 on; null for a date that does not exist. */
function dayNumber(year: number, month: number, day: number): number | null {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS_OF_MONTHS[month - 1];
  if (year < 1 || days === undefined || day < 1 || day > days) return null;
  // Years begin in March, so that the leap day is the last one.
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - DAYS_TO_1970;
}

/** From the first of March of the year 0. */
const DAYS_TO_1970 = 719_468;

/** An epoch number: seconds, or milliseconds above 2e10. */
export function instantFromEpoch(value: number): ParsedInstant | null {
  const seconds = Math.abs(value) > LARGEST_EPOCH_SECONDS ? value / 1000 : value;
  const microseconds = Math.round(seconds * MICROSECONDS_PER_SECOND);
  return Math.abs(microseconds) <= MAX_INSTANT_US ? { microseconds, hasZone: true } : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === "+00:00" || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
}
