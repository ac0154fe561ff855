// Days of a calendar, and where keys lead from one to another.
import { expect, test } from "bun:test";
import { dayByKey, plusMonths, weeksOf } from "../../src/web/kit/calendar-days.ts";

test("six weeks from Monday to Sunday hold the month", () => {
  const weeks = weeksOf("2026-11-24");
  expect([weeks.length, weeks[0]!.length]).toEqual([6, 7]);
  expect([weeks[0]![0], weeks[0]![6], weeks[5]![6]]).toEqual(["2026-10-26", "2026-11-01", "2026-12-06"]);
  // February that begins on a Monday.
  expect(weeksOf("2027-02-28")[0]![0]).toBe("2027-02-01");
});

test("months that are shorter end the day", () => {
  expect(plusMonths("2026-03-31", -1)).toBe("2026-02-28");
  expect(plusMonths("2028-01-31", 1)).toBe("2028-02-29");
  expect(plusMonths("2026-12-15", 1)).toBe("2027-01-15");
});

test("keys lead by days, weeks and months, and to the ends of the week", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "a"];
  expect(keys.map((key) => dayByKey("2026-11-01", key))).toEqual([
    ...["2026-10-31", "2026-11-02", "2026-10-25", "2026-11-08", "2026-10-01", "2026-12-01", "2026-10-26", "2026-11-01"],
    null,
  ]);
});
