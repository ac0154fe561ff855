// Ranges of the calendar in a zone: midnights where the clocks change, and the turn of the year.
import { expect, test } from "bun:test";
import { calendarRange } from "../../src/web/kit/calendar-range.ts";

const at = (iso: string) => Date.parse(iso);

test("days and months begin at midnight of the zone, and what lasts has no end", () => {
  const now = at("2026-11-23T23:30:00Z");
  expect(calendarRange("today", now, "utc")).toEqual({ preset: null, from: "2026-11-23T00:00:00.000Z", to: null });
  // In Berlin it is the next day already.
  expect(calendarRange("today", now, "Europe/Berlin")).toMatchObject({ from: "2026-11-23T23:00:00.000Z" });
  expect(calendarRange("yesterday", now, "Europe/Berlin")).toEqual({
    preset: null,
    from: "2026-11-22T23:00:00.000Z",
    to: "2026-11-23T23:00:00.000Z",
  });
  expect(calendarRange("this-month", now, "Asia/Tokyo")).toMatchObject({ from: "2026-10-31T15:00:00.000Z", to: null });
});

test("a day and a month in which the clocks change are longer or shorter, and January follows December", () => {
  expect(calendarRange("yesterday", at("2026-10-26T12:00:00Z"), "Europe/Berlin")).toEqual({
    preset: null,
    from: "2026-10-24T22:00:00.000Z",
    to: "2026-10-25T23:00:00.000Z",
  });
  expect(calendarRange("last-month", at("2026-04-10T12:00:00Z"), "Europe/Berlin")).toEqual({
    preset: null,
    from: "2026-02-28T23:00:00.000Z",
    to: "2026-03-31T22:00:00.000Z",
  });
  expect(calendarRange("last-month", at("2026-01-01T00:00:00Z"), "utc")).toEqual({
    preset: null,
    from: "2025-12-01T00:00:00.000Z",
    to: "2026-01-01T00:00:00.000Z",
  });
  expect(calendarRange("yesterday", at("2026-03-01T12:00:00Z"), "utc")).toMatchObject({
    from: "2026-02-28T00:00:00.000Z",
  });
});
