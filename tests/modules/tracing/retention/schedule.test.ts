// Schedules of sweeps: which are taken, and which moments are due.
import { describe, expect, test } from "bun:test";
import { lastDue, nextOccurrence, scheduleProblem } from "../../../../src/modules/tracing/retention/schedule.rules.ts";

const us = (text: string) => Date.parse(text) * 1000;
const iso = (microseconds: number | null) => microseconds && new Date(microseconds / 1000).toISOString();

describe("a schedule", () => {
  test.each(["0 0 * * 0", "0 * * * *", "0 */6 * * 1-5", "0 1,13 * * 0,6", "0 8-18/2 * * *"])(
    "%s is one",
    (schedule) => {
      expect(scheduleProblem(schedule)).toBeNull();
    },
  );

  test.each([
    ["", "five fields"],
    ["0 0 * *", "five fields"],
    ["5 0 * * 0", "minute"],
    ["* 0 * * 0", "minute"],
    ["0 24 * * 0", "hour 24"],
    ["0 0 31 * *", "day and month"],
    ["0 0 * 2 *", "day and month"],
    ["0 0 * * 7", "weekday 7"],
    ["0 0 * * SUN", "weekday SUN"],
    ["0 0 * * L", "weekday L"],
    ["0 9-8 * * *", "hour 9-8"],
    ["0 */0 * * *", "hour */0"],
    ["0 5/2 * * *", "hour 5/2"],
    ["0 , * * *", "hour ,"],
  ])("%p is not valid, and the error says why", (schedule, word) => {
    expect(scheduleProblem(schedule)).toContain(word);
  });

  test("its next time is in UTC, and after the given one", () => {
    expect(iso(nextOccurrence("0 0 * * 0", us("2026-11-23T05:00:00Z")))).toBe("2026-11-29T00:00:00.000Z");
    expect(iso(nextOccurrence("0 * * * *", us("2026-11-23T05:00:00Z")))).toBe("2026-11-23T06:00:00.000Z");
    expect(iso(nextOccurrence("0 23 * * 1", us("2026-11-23T22:59:59.999Z")))).toBe("2026-11-23T23:00:00.000Z");
  });

  test("what was missed is due once, at its last time", () => {
    const hourly = "0 * * * *";
    const now = us("2026-11-23T05:30:00Z");
    expect(lastDue(hourly, us("2026-11-23T05:00:00Z"), now)).toBeNull();
    expect(iso(lastDue(hourly, us("2026-11-23T04:59:59Z"), now))).toBe("2026-11-23T05:00:00.000Z");
    expect(iso(lastDue(hourly, us("2024-01-01T00:00:00Z"), now))).toBe("2026-11-23T05:00:00.000Z");
    expect(iso(lastDue("0 0 * * 0", us("2026-11-01T12:00:00Z"), now))).toBe("2026-11-22T00:00:00.000Z");
    expect(lastDue("0 0 * * 0", us("2026-11-22T00:00:00Z"), now)).toBeNull();
  });
});
