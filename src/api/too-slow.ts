// The refusal of a query that took too long: how to ask for less, with a time range that can be tried at once.
import { Failure, fail } from "../kernel/failure.ts";
import { formatInstant } from "../kernel/time.ts";
import { DEADLINE } from "../storage/stopped-read.ts";

/** Microseconds UTC; null is unbounded, the end is excluded. */
interface AskedRange {
  readonly startUs: number | null;
  readonly endUs: number | null;
}

const DAY_US = 24 * 3_600_000_000;
/** The part that is proposed of a range of a day or less. */
const NARROWED = 4;

/** The newest part of what was asked for: its last day, or the last quarter of less. */
export function narrowerRange(
  { startUs, endUs }: AskedRange,
  nowUs: number,
): { startUs: number; endUs: number | null } {
  const end = Math.min(endUs ?? nowUs, nowUs);
  const asked = startUs === null ? Number.POSITIVE_INFINITY : Math.max(0, end - startUs);
  const kept = asked > DAY_US ? DAY_US : Math.floor(asked / NARROWED);
  return { startUs: end - kept, endUs };
}

function lengthOf(microseconds: number): string {
  const minutes = microseconds / 60_000_000;
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes >= 2 ? `${Math.round(minutes)} minutes` : `${Math.max(1, Math.round(minutes * 60))} seconds`;
}

/** The failure of a query that was stopped at its deadline, with what to narrow; anything else as it is. `range` is null where
 *  the caller cannot name one; `parameters` are the names to do it by. */
export function explainedSlowness(
  error: unknown,
  range: AskedRange | null,
  parameters: { readonly start: string; readonly end: string },
  nowUs: number,
): unknown {
  if (!(error instanceof Failure) || error.code !== DEADLINE) return error;
  const { retryAfterSeconds = 1, hint } = error.details;
  // It never began: a narrower one would have waited as long.
  if (hint?.waited === true) return error;
  const begin = "The query took too long and was stopped.";
  if (range === null) {
    const message = `${begin} Ask for less: a narrower condition, or fewer rows.`;
    return fail("query.too_slow", "unavailable", message, { retryAfterSeconds, cause: error });
  }
  const narrower = narrowerRange(range, nowUs);
  const start = formatInstant(narrower.startUs);
  const length = lengthOf(Math.min(narrower.endUs ?? nowUs, nowUs) - narrower.startUs);
  const end = narrower.endUs === null ? null : formatInstant(narrower.endUs);
  const named = `${parameters.start}=${start}${end === null ? "" : ` and ${parameters.end}=${end}`}`;
  const message = `${begin} Narrow the time range, for example to its last ${length} with ${named}, or the condition.`;
  return fail("query.too_slow", "unavailable", message, {
    retryAfterSeconds,
    hint: { narrower: { start, end } },
    cause: error,
  });
}
