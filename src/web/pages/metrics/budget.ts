// A budget of a project: so much a day or a month. From it follow a line in the chart of costs, and how the period of now goes.
import { offsetMs } from "../../kit/zoned-fields.ts";

export interface Budget {
  /** US dollars. */
  readonly amount: number;
  readonly period: "day" | "month";
}

/** The period that holds an instant, by the calendar of the zone. Milliseconds. */
export function periodAt({ period }: Budget, nowMs: number, zone: string): { beginMs: number; endMs: number } {
  const wall = new Date(nowMs + offsetMs(nowMs, zone));
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  const [begin, end] =
    period === "day"
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return { beginMs: instantOf(begin, zone), endMs: instantOf(end, zone) };
}

/** What a bar may cost if the budget is to last evenly. */
export function budgetOfBin(budget: Budget, lengthMs: number, nowMs: number, zone: string): number {
  const { beginMs, endMs } = periodAt(budget, nowMs, zone);
  return (budget.amount * lengthMs) / (endMs - beginMs);
}

/** What the period will have cost at its end, if it goes on as it began. */
export function atThisPace(spent: number, { beginMs, endMs }: ReturnType<typeof periodAt>, nowMs: number): number {
  return nowMs <= beginMs ? spent : (spent * (endMs - beginMs)) / (Math.min(nowMs, endMs) - beginMs);
}

/** What a person types as an amount; null for anything else. */
export function amountFrom(typed: string): number | null {
  const plain = typed
    .trim()
    .replace(/^\$\s*/, "")
    .replaceAll(",", "");
  const amount = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  return amount > 0 && amount <= 1e9 ? amount : null;
}

function instantOf(wall: number, zone: string): number {
  const guess = wall - offsetMs(wall, zone);
  return wall - offsetMs(guess, zone);
}
