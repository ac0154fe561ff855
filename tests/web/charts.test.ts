// Charts over time: what is worked out before anything is drawn.
import { describe, expect, test } from "bun:test";
import { changeOf } from "../../src/web/kit/charts/change.ts";
import {
  apart,
  binAt,
  bottomOf,
  type ChartData,
  endOf,
  fittingText,
  foldedCounts,
  gapsOf,
  highestOf,
  isEmpty,
  lonely,
  spanOf,
  stacked,
  sumOf,
  topOf,
} from "../../src/web/kit/charts/series.ts";
import { summaryOf } from "../../src/web/kit/charts/summary.ts";
import { binText, timeTicks } from "../../src/web/kit/charts/ticks.ts";
import { formatCompact, formatRoundDuration } from "../../src/web/lib/format.ts";
import { slowFrom } from "../../src/web/pages/metrics/slow-from.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (iso: string) => Date.parse(iso);

const NOON = at("2026-11-20T12:00:00Z");
const data: ChartData = {
  begins: [NOON, NOON + HOUR, NOON + 2 * HOUR],
  lengthMs: HOUR,
  series: [
    { key: "error", label: "With errors", color: "--error", values: [0, 2, null] },
    { key: "ok", label: "Without errors", color: "--ok", values: [5, 1, null] },
  ],
};

describe("bins", () => {
  test("end where the next begins, the last after its length", () => {
    expect(endOf(data, 0)).toBe(NOON + HOUR);
    expect(endOf(data, 2)).toBe(NOON + 3 * HOUR);
  });

  test("are found by an instant, and by the nearest one outside", () => {
    expect([NOON - 1, NOON, NOON + HOUR - 1, NOON + HOUR, NOON + DAY].map((ms) => binAt(data, ms))).toEqual([
      0, 0, 0, 1, 2,
    ]);
    expect(binAt({ ...data, begins: [] }, NOON)).toBe(-1);
  });

  test("are chosen from left to right and from right to left", () => {
    const chosen = { fromMs: NOON, toMs: NOON + 2 * HOUR };
    expect(spanOf(data, 0, 1)).toEqual(chosen);
    expect(spanOf(data, 1, 0)).toEqual(chosen);
  });
});

describe("series", () => {
  test("stand upon each other; where nothing is, there is no bar", () => {
    expect(stacked(data.series)).toEqual([
      [0, 2, null],
      [5, 3, null],
    ]);
  });

  test("have a sum, a highest value, and are empty without any", () => {
    expect(data.series.map(sumOf)).toEqual([2, 6]);
    expect(data.series.map(highestOf)).toEqual([2, 5]);
    expect(isEmpty(data)).toBe(false);
    const nothing = data.series.map((series) => ({ ...series, values: [0, null, 0] }));
    expect(isEmpty({ ...data, series: nothing })).toBe(true);
    expect(highestOf({ ...data.series[0]!, values: [null] })).toBeNull();
  });

  test("leave space for a limit, unless their values would vanish below it", () => {
    expect([bottomOf(null), bottomOf(3), bottomOf(-100)]).toEqual([0, 0, -106]);
    expect([topOf(100, undefined), topOf(100, 50)]).toEqual([106, 106]);
    expect([topOf(100, 200), topOf(100, 400), topOf(100, 401)]).toEqual([212, 424, 106]);
    expect([topOf(null, undefined), topOf(0, 5)]).toEqual([1, 5]);
  });

  test("have names that do not touch, inside the height of the chart", () => {
    expect(apart([50, 50, 50], 12, 100)).toEqual([50, 62, 74]);
    expect(apart([2, 3, 4], 12, 100)).toEqual([2, 14, 26]);
    expect(apart([96, 98, 99], 12, 100)).toEqual([76, 88, 100]);
    expect(apart([10, 90], 12, 100)).toEqual([10, 90]);
    expect(apart([], 12, 100)).toEqual([]);
  });

  test("have points that no line would show", () => {
    expect(lonely([1, null, 2, 3, null, 0])).toEqual([0, 5]);
  });

  test("are told in sentences", () => {
    expect(summaryOf(data, "bars", "utc", formatCompact)).toBe(
      "With errors: 2 in all, most at 20 Nov, 13:00 – 14:00 (2). Without errors: 6 in all, most at 20 Nov, 12:00 – 13:00 (5).",
    );
  });
});

describe("ticks of time", () => {
  const labels = (from: string, to: string, most: number, zone = "utc") =>
    timeTicks({ fromMs: at(from), toMs: at(to) }, most, zone).map(({ label }) => label);

  test("are whole hours, and the day at midnight", () => {
    expect(labels("2026-11-20T17:30:00Z", "2026-11-21T13:10:00Z", 4)).toEqual(["18:00", "21 Nov", "06:00", "12:00"]);
  });

  test("are those of the clocks of the zone", () => {
    expect(labels("2026-11-20T17:30:00Z", "2026-11-21T13:10:00Z", 4, "Asia/Kolkata")).toEqual([
      "21 Nov",
      "06:00",
      "12:00",
      "18:00",
    ]);
  });

  test("stay at midnight when the clocks change", () => {
    const ticks = timeTicks(
      { fromMs: at("2026-10-24T00:00:00Z"), toMs: at("2026-10-27T12:00:00Z") },
      6,
      "Europe/Berlin",
    );
    expect(ticks.map(({ ms, label }) => `${new Date(ms).toISOString().slice(0, 16)} ${label}`)).toEqual([
      "2026-10-24T22:00 25 Oct",
      "2026-10-25T23:00 26 Oct",
      "2026-10-26T23:00 27 Oct",
    ]);
  });

  test("are months for long spans, and never more than asked for", () => {
    expect(labels("2025-11-15T00:00:00Z", "2026-11-20T00:00:00Z", 5)).toEqual([
      "Jan 2026",
      "Apr 2026",
      "Jul 2026",
      "Oct 2026",
    ]);
    for (const [days, most] of [
      [0.02, 8],
      [0.3, 3],
      [3, 5],
      [45, 7],
      [2000, 4],
    ] as const) {
      const to = new Date(at("2026-01-31T05:00:00Z") + days * DAY).toISOString();
      expect(labels("2026-01-31T05:00:00Z", to, most).length).toBeLessThanOrEqual(most + 1);
    }
    expect(labels("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", 5)).toEqual([]);
  });
});

test("a bin is named by what it covers", () => {
  const text = (from: string, ms: number) => binText({ fromMs: at(from), toMs: at(from) + ms }, "utc");
  expect(text("2026-11-20T10:00:00Z", HOUR)).toBe("20 Nov, 10:00 – 11:00");
  expect(text("2026-11-20T00:00:00Z", DAY)).toBe("20 Nov");
  expect(text("2026-11-16T00:00:00Z", 7 * DAY)).toBe("16 Nov – 22 Nov");
  expect(text("2026-11-01T00:00:00Z", 30 * DAY)).toBe("Nov 2026");
  // In a zone whose clocks were set forward since, the day begins an hour late and is still that day.
  expect(binText({ fromMs: at("2026-03-30T23:00:00Z"), toMs: at("2026-03-31T23:00:00Z") }, "Europe/Berlin")).toBe(
    "31 Mar",
  );
});

test("round durations have no digits that say nothing", () => {
  expect([5000, 10_000, 1500, 200, 60_000, 90_000, 7_200_000, 864_000_000].map(formatRoundDuration)).toEqual([
    ...["5 s", "10 s", "1.50 s", "200 ms"],
    ...["1 min", "1 min 30 s", "2 h", "10 d"],
  ]);
});

test("slow is what a tenth of the spans exceeds at most", () => {
  const bands = (...counts: number[]) => counts.map((count, index) => ({ minMs: index * 100, count }));
  expect(slowFrom(bands(90, 5, 5))).toBe(100);
  expect(slowFrom(bands(50, 30, 20))).toBe(200);
  expect(slowFrom(bands(100, 0, 0))).toBe(0);
  expect(slowFrom(bands(0, 0))).toBeNull();
});

test("gaps of a line lie between values", () => {
  expect(gapsOf([null, 1, null, null, 2, 3, null, 4, null])).toEqual([
    [1, 4],
    [5, 7],
  ]);
  expect(gapsOf([null, null])).toEqual([]);
});

test.each([
  [112, 100, "up", "12 %"],
  [50, 100, "down", "50 %"],
  [450, 100, "up", "×4.5"],
  [100.2, 100, "same", ""],
] as const)("%d after %d is a change %s by %j", (now, before, direction, words) => {
  expect(changeOf(now, before)).toEqual({ direction, words });
});

test("there is no change against nothing", () => {
  expect(changeOf(3, 0)).toBeNull();
  expect(changeOf(3, null)).toBeNull();
  expect(changeOf(undefined, 3)).toBeNull();
});

test("counts of several bins become one bar where there are too many", () => {
  const begins = Array.from({ length: 168 }, (_, hour) => NOON + hour * HOUR);
  const counts: ChartData = { ...data, begins, series: [{ ...data.series[0]!, values: begins.map(() => 1) }] };
  const folded = foldedCounts(counts, 60, "utc");
  expect(folded.begins.length).toBe(56);
  expect(folded.begins.every((begin) => begin % (3 * HOUR) === 0)).toBe(true);
  expect(sumOf(folded.series[0]!)).toBe(168);
  expect(endOf(folded, 55)).toBe(NOON + 168 * HOUR);
  expect(foldedCounts(data, 60, "utc")).toBe(data);
});

test("a name that is longer than its space ends in an ellipsis", () => {
  const fitted = (label: string, room: number) => fittingText(label, room, (shown) => [...shown].length);
  expect(fitted("Programs", 8)).toBe("Programs");
  expect(fitted("Programs", 7)).toBe("Progra…");
  expect(fitted("two words", 5)).toBe("two…");
  expect(fitted("🙂🙂🙂", 2)).toBe("🙂…");
  expect(fitted("Programs", 1)).toBe("");
  expect(fitted("", 0)).toBe("");
});
