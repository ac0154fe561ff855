// Days of a calendar as texts such as `2026-11-24`, which know no zone; weeks begin on Mondays.

const DAY_MS = 86_400_000;
/** Six weeks hold every month, so a calendar keeps its height. */
const DAYS_SHOWN = 42;

const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** 0 is Monday. */
const weekdayOf = (day: string) => (new Date(msOf(day)).getUTCDay() + 6) % 7;

export function plusDays(day: string, days: number): string {
  return dayOf(msOf(day) + days * DAY_MS);
}

/** The same day of another month, or its last where it has no such day. */
export function plusMonths(day: string, months: number): string {
  const date = new Date(msOf(day));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
}

/** The weeks in which the month of the day lies. */
export function weeksOf(day: string): readonly (readonly string[])[] {
  const first = `${day.slice(0, 8)}01`;
  const begin = plusDays(first, -weekdayOf(first));
  const days = Array.from({ length: DAYS_SHOWN }, (_, at) => plusDays(begin, at));
  return Array.from({ length: DAYS_SHOWN / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Where a key leads from a day; null for keys that lead nowhere. */
export function dayByKey(day: string, key: string): string | null {
  switch (key) {
    case "ArrowLeft":
      return plusDays(day, -1);
    case "ArrowRight":
      return plusDays(day, 1);
    case "ArrowUp":
      return plusDays(day, -7);
    case "ArrowDown":
      return plusDays(day, 7);
    case "PageUp":
      return plusMonths(day, -1);
    case "PageDown":
      return plusMonths(day, 1);
    case "Home":
      return plusDays(day, -weekdayOf(day));
    case "End":
      return plusDays(day, 6 - weekdayOf(day));
    default:
      return null;
  }
}
