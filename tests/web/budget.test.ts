// Budgets of projects: amounts as people type them, periods of calendars, and how one goes.
import { describe, expect, test } from "bun:test";
import { amountFrom, atThisPace, budgetOfBin, periodAt } from "../../src/web/pages/metrics/budget.ts";

const at = (iso: string) => Date.parse(iso);
const day = { amount: 24, period: "day" } as const;
const month = { amount: 300, period: "month" } as const;

describe("a period", () => {
  test("is a day or a month by the calendar of the zone", () => {
    const now = at("2026-11-30T23:30:00Z");
    expect(periodAt(day, now, "utc")).toEqual({ beginMs: at("2026-11-30"), endMs: at("2026-12-01") });
    expect(periodAt(month, now, "utc")).toEqual({ beginMs: at("2026-11-01"), endMs: at("2026-12-01") });
    expect(periodAt(month, now, "Europe/Berlin")).toEqual({
      beginMs: at("2026-11-30T23:00:00Z"),
      endMs: at("2026-12-31T23:00:00Z"),
    });
  });

  test("has the hours that its clocks show", () => {
    const { beginMs, endMs } = periodAt(day, at("2026-10-25T12:00:00Z"), "Europe/Berlin");
    expect((endMs - beginMs) / 3_600_000).toBe(25);
  });
});

test("a budget lasts evenly", () => {
  const noon = at("2026-11-20T12:00:00Z");
  expect(budgetOfBin(day, 3_600_000, noon, "utc")).toBe(1);
  expect(budgetOfBin(month, 24 * 3_600_000, noon, "utc")).toBe(10);
});

test("what a period costs at its end follows from what it cost so far", () => {
  const period = { beginMs: 0, endMs: 100 };
  expect([atThisPace(2, period, 25), atThisPace(2, period, 100), atThisPace(2, period, 0)]).toEqual([8, 2, 2]);
});

test.each([
  ["100", 100],
  [" $ 1,250.50 ", 1250.5],
  ["0.05", 0.05],
  ["0", null],
  ["-3", null],
  ["1e5", null],
  ["ten", null],
  ["", null],
  ["99999999999", null],
])("of %p the amount is %p", (typed, amount) => expect(amountFrom(typed)).toBe(amount));
