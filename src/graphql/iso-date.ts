// Dates of ISO 8601 beside `2024-01-31`: weeks, days of the year, months, years, and the forms without separators. Programs that write
// them get the first instant of what they name.
import { type ParsedInstant, parseInstant } from "../kernel/time.ts";

const DAY_MS = 86_400_000;
const WEEK = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/;
const MONTH = /^(\d{4})-(\d{2})$/;
const BASIC = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_OF_YEAR = /^(\d{4})-?(\d{3})$/;
const YEAR = /^\d{4}$/;
/** Hours with minutes and seconds, where they are there. */
const BASIC_TIME = /^(\d{2})(?:(\d{2})(\d{2})?)?(?![\d:])/;

/** Reads every form of ISO 8601, and epoch numbers that are no date of it. Null for anything else. */
export function parseIsoInstant(text: string): ParsedInstant | null {
  const [, date, time] = /^([\dW-]+?)(?:[Tt ](\d.*))?$/.exec(text.trim()) ?? [];
  const day = date === undefined ? undefined : calendarDate(date);
  if (day === undefined) return parseInstant(text);
  if (day === null) return null;
  return parseInstant(time === undefined ? day : `${day}T${extendedTime(time)}`);
}

function extendedTime(time: string): string {
  return time.replace(BASIC_TIME, (_, hour: string, minute = "00", second = "") =>
    second === "" ? `${hour}:${minute}` : `${hour}:${minute}:${second}`,
  );
}

/** `2024-01-31` for the first day that a date names; null for a week or day that the year does not have, undefined for another text. */
function calendarDate(date: string): string | null | undefined {
  const month = MONTH.exec(date);
  if (month !== null) return `${month[1]}-${month[2]}-01`;
  const basic = BASIC.exec(date);
  if (basic !== null) return `${basic[1]}-${basic[2]}-${basic[3]}`;
  if (YEAR.test(date)) return `${date}-01-01`;
  const week = WEEK.exec(date);
  if (week !== null) return dateOfWeek(Number(week[1]), Number(week[2]), Number(week[3] ?? 1));
  const dayOfYear = DAY_OF_YEAR.exec(date);
  return dayOfYear === null ? undefined : dateOfDay(Number(dayOfYear[1]), Number(dayOfYear[2]));
}

/** Monday is day 1; the first week is the one with the fourth of January. */
function dateOfWeek(year: number, week: number, day: number): string | null {
  const monday = mondayOfFirstWeek(year) + (week - 1) * 7 * DAY_MS;
  if (week < 1 || monday >= mondayOfFirstWeek(year + 1)) return null;
  return dateOf(monday + (day - 1) * DAY_MS);
}

function mondayOfFirstWeek(year: number): number {
  const fourth = yearsBegin(year) + 3 * DAY_MS;
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function dateOfDay(year: number, day: number): string | null {
  const milliseconds = yearsBegin(year) + (day - 1) * DAY_MS;
  return day < 1 || milliseconds >= yearsBegin(year + 1) ? null : dateOf(milliseconds);
}

/** `Date.UTC` takes the years below 100 for those of the last century. */
function yearsBegin(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
