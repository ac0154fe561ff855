// When sweeps run: five fields of cron in UTC, at full hours of days of the week.
import { Cron } from "croner";

const WEEK_US = 7 * 24 * 3_600_000_000;
/** Numbers, ranges, lists and steps; names and the signs of other dialects of cron are not taken. */
const FIELD = /^(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,2})?(?:,(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,2})?)*$/;
const MAX_HOUR = 23;
const MAX_WEEKDAY = 6;

/** What is wrong with a schedule, or null. */
export function scheduleProblem(schedule: string): string | null {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5) return "a schedule has five fields: 0 hour * * weekday";
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  if (minute !== "0") return "the first field, the minute, must be 0: sweeps run at full hours";
  if (day !== "*" || month !== "*") return "the third and fourth field, day and month, must be *";
  return fieldProblem("hour", hour, MAX_HOUR) ?? fieldProblem("weekday", weekday, MAX_WEEKDAY);
}

function fieldProblem(name: string, field: string, most: number): string | null {
  if (!FIELD.test(field)) return `the ${name} ${field} is no number, range, list or step`;
  for (const part of field.split(",")) {
    const [range = "", step] = part.split("/");
    const [from, to] = range.split("-").map(Number);
    if (range !== "*" && Math.max(from!, to ?? 0) > most) return `the ${name} ${range} is beyond ${most}`;
    if (to !== undefined && from! > to) return `the ${name} ${range} ends before it begins`;
    if (step !== undefined && (Number(step) < 1 || range === `${from}`))
      return `the ${name} ${part} is no step of a range`;
  }
  return null;
}

/** The first time of the schedule after the given one, in microseconds. */
export function nextOccurrence(schedule: string, afterUs: number): number {
  const next = new Cron(schedule, { timezone: "UTC", paused: true }).nextRun(new Date(afterUs / 1000));
  return next === null ? afterUs + WEEK_US : next.getTime() * 1000;
}

/** The last time of the schedule that is not after `nowUs`, if it is after the one that was served; else null. Times that were missed
 *  count as one. */
export function lastDue(schedule: string, servedUs: number, nowUs: number): number | null {
  const first = nextOccurrence(schedule, servedUs);
  if (first > nowUs) return null;
  // A schedule has an occurrence in every week.
  let due = first;
  for (
    let next = nextOccurrence(schedule, Math.max(first, nowUs - WEEK_US) - 1);
    next <= nowUs;
    next = nextOccurrence(schedule, next)
  )
    due = next;
  return due;
}
