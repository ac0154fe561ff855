// Days and months of UTC.
import type { BudgetPeriod } from "./spending.schema.ts";

const US_PER_MS = 1000;
const DAY_US = 86_400_000_000;

/** The beginning of the day that holds the instant, in microseconds UTC. */
export function dayStart(us: number): number {
  return Math.floor(us / DAY_US) * DAY_US;
}

export function periodStart(period: BudgetPeriod, us: number): number {
  return period === "day" ? dayStart(us) : monthOf(us, 0);
}

/** The beginning of the next period. */
export function periodEnd(period: BudgetPeriod, us: number): number {
  return period === "day" ? dayStart(us) + DAY_US : monthOf(us, 1);
}

function monthOf(us: number, later: number): number {
  const date = new Date(us / US_PER_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) * US_PER_MS;
}
