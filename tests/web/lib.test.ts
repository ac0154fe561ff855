// What the pages compute: figures as people read them, ranges, times in a zone.
import { describe, expect, setSystemTime, test } from "bun:test";
import { fromZonedFields, zonedFields } from "../../src/web/kit/zoned-fields.ts";
import {
  formatAgo,
  formatBytes,
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatInstant,
  formatShare,
  formatTime,
} from "../../src/web/lib/format.ts";
import {
  LiveRange,
  neighbourOf,
  RangeBefore,
  rangeParameters,
  readRange,
  type TimeRange,
} from "../../src/web/lib/time-range.ts";

describe("formats", () => {
  test.each([
    [null, "–"],
    [0, "0 ms"],
    [0.0425, "0.043 ms"],
    [0.25, "0.25 ms"],
    [9.96, "10 ms"],
    [820.4, "820 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [1_900, "1.90 s"],
    [12_340, "12.3 s"],
    [59_949, "59.9 s"],
    [59_960, "1 min 00 s"],
    [125_000, "2 min 05 s"],
    [3_599_600, "1 h 00 min"],
    [11_520_000, "3 h 12 min"],
    [187_200_000, "2 d 4 h"],
    [-1_500, "−1.50 s"],
  ])("a duration of %p ms is %s", (ms, shown) => expect(formatDuration(ms)).toBe(shown));

  test.each([
    [null, "–"],
    [0, "$0"],
    [0.000_000_4, "< $0.000001"],
    [0.000_35, "$0.00035"],
    [0.0214, "$0.021"],
    [0.999_9, "$1.00"],
    [41.8, "$41.80"],
    [12_345.6, "$12,346"],
    [0.5, "$0.50"],
    [0.0996, "$0.10"],
    [0.0994, "$0.099"],
  ])("a cost of %p is %s", (dollars, shown) => expect(formatCost(dollars)).toBe(shown));

  test.each([
    [null, "–"],
    [0, "0 %"],
    [0.000_4, "< 0.1 %"],
    [0.0214, "2.1 %"],
    [0.108, "10.8 %"],
    [0.999_9, "100 %"],
    [1, "100 %"],
  ])("a share of %p is %s", (share, shown) => expect(formatShare(share)).toBe(shown));

  test("counts and sizes", () => {
    expect([12_480, null].map(formatCount)).toEqual(["12,480", "–"]);
    expect([9_999, 12_480, 3_400_000].map(formatCompact)).toEqual(["9,999", "12.5K", "3.4M"]);
    expect([12, 999.6, 1_234_000, 250_000_000].map(formatBytes)).toEqual(["12 B", "1 kB", "1.2 MB", "250 MB"]);
  });

  const now = Date.parse("2026-11-20T22:37:13.042Z");

  test("times name the day only as far as it is not today's", () => {
    expect(formatTime("2026-11-20T08:05:00Z", "utc", now)).toBe("08:05:00");
    expect(formatTime("2026-11-19T08:05:00Z", "utc", now)).toBe("19 Nov, 08:05:00");
    expect(formatTime("2025-11-19T08:05:00Z", "utc", now)).toBe("19 Nov 2025, 08:05");
    expect(formatTime("2026-11-20T23:05:00Z", "Europe/Berlin", now)).toBe("21 Nov, 00:05:00");
    expect(formatTime("no time", "utc", now)).toBe("–");
    expect(formatInstant("2026-11-20T22:37:13.042Z", "utc")).toBe("20 Nov 2026, 22:37:13.042 UTC");
  });

  test.each([
    [10, "just now"],
    [200, "3 min ago"],
    [7_300, "2 h ago"],
    [500_000, "5 d ago"],
    [5_000_000, "24 Sept 2026"],
    [-3_600, "23:37:13"],
  ])("%p seconds ago is %s", (seconds, shown) => {
    expect(formatAgo(new Date(now - seconds * 1000).toISOString(), "utc", now)).toBe(shown);
  });
});

describe("a range", () => {
  test("lives in the address, and only where it differs from the usual", () => {
    const ranges: TimeRange[] = [
      { preset: "1h" },
      { preset: "7d" },
      { preset: null, from: "2026-11-20T10:00:00.000Z", to: null },
      { preset: null, from: "2026-11-20T10:00:00.000Z", to: "2026-11-21T10:00:00.000Z" },
    ];
    for (const range of ranges) {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(rangeParameters(range)))
        if (value !== null) parameters.set(name, value);
      expect(readRange(parameters)).toEqual(range);
    }
    expect(rangeParameters({ preset: "7d" })).toEqual({ range: null, from: null, to: null });
  });

  test("that makes no sense counts as the usual one", () => {
    expect(readRange(new URLSearchParams("range=3y"))).toEqual({ preset: "7d" });
    expect(readRange(new URLSearchParams("from=yesterday&to=x"))).toEqual({ preset: "7d" });
  });

  test("of the last hour moves with the clock, under one key", () => {
    const range = new LiveRange({ preset: "1h" });
    setSystemTime(new Date("2026-11-20T12:00:00Z"));
    const [start, key] = [range.start, JSON.stringify(range)];
    setSystemTime(new Date("2026-11-20T13:00:00Z"));
    expect([start, range.start, range.end]).toEqual(["2026-11-20T11:00:00.000Z", "2026-11-20T12:00:00.000Z", null]);
    expect(JSON.stringify(range)).toBe(key);
    setSystemTime();
  });
});

describe("fields of date and time", () => {
  test.each([
    ["2026-07-01T12:00:00.000Z", "utc", "2026-07-01T12:00:00"],
    ["2026-07-01T12:00:00.000Z", "Europe/Berlin", "2026-07-01T14:00:00"],
    ["2026-12-01T12:00:00.000Z", "Asia/Kolkata", "2026-12-01T17:30:00"],
    ["2026-10-25T02:30:00.000Z", "Europe/Berlin", "2026-10-25T03:30:00"],
    ["2026-03-29T00:59:59.000Z", "America/New_York", "2026-03-28T20:59:59"],
  ])("%s in %s is %s, and back", (iso, zone, fields) => {
    expect(zonedFields(iso, zone)).toBe(fields);
    expect(fromZonedFields(fields, zone)).toBe(iso);
  });

  test("that are not filled give nothing", () => expect(fromZonedFields("", "utc")).toBeNull());
});

describe("the neighbour of a range", () => {
  const noon = Date.parse("2026-11-20T12:00:00Z");
  const hour = { preset: null, from: "2026-11-20T09:00:00.000Z", to: "2026-11-20T10:00:00.000Z" } as const;

  test("is as long, and leads back", () => {
    const behind = { preset: null, from: hour.to, to: "2026-11-20T11:00:00.000Z" } as const;
    expect(neighbourOf(hour, noon, "behind")).toEqual(behind);
    expect(neighbourOf(behind, noon, "before")).toEqual(hour);
    expect(neighbourOf({ preset: "1h" }, noon, "before")).toEqual({
      preset: null,
      from: "2026-11-20T10:00:00.000Z",
      to: "2026-11-20T11:00:00.000Z",
    });
  });

  test("is none behind now, and none of all time", () => {
    expect(neighbourOf({ preset: "1h" }, noon, "behind")).toBeNull();
    expect(neighbourOf({ preset: "all" }, noon, "before")).toBeNull();
    expect(neighbourOf({ ...hour, to: null }, noon, "behind")).toBeNull();
  });

  test("has a key of its own beside the range", () => {
    const before = new RangeBefore(hour);
    expect(before.end).toBe(hour.from);
    expect(JSON.stringify(before)).not.toBe(JSON.stringify(new LiveRange(hour)));
  });
});
