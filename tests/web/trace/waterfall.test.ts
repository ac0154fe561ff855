// The true time axis: windows, ticks, bars.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tickText } from "../../../src/web/domain/trace/tick-text.ts";
import { barOf, pan, ticksOf, wholeTime, windowAround, zoom } from "../../../src/web/domain/trace/waterfall.ts";

describe("the whole time", () => {
  test("holds every span, also one whose clock went before that of its root", () => {
    expect(
      wholeTime([
        { startUs: 100, endUs: 200 },
        { startUs: 90, endUs: 150 },
      ]),
    ).toEqual({ startUs: 90, lengthUs: 110 });
  });

  test("is never nothing", () => {
    expect(wholeTime([]).lengthUs).toBeGreaterThan(0);
    expect(wholeTime([{ startUs: 5, endUs: 5 }]).lengthUs).toBeGreaterThan(0);
  });
});

describe("a bar", () => {
  const window = { from: 100, to: 300 };

  test("stands where its time is", () => {
    expect(barOf(150, 200, window)).toEqual({ left: 25, width: 25, cutLeft: false, cutRight: false });
  });

  test("is cut at the edges and absent outside", () => {
    expect(barOf(0, 1000, window)).toEqual({ left: 0, width: 100, cutLeft: true, cutRight: true });
    expect(barOf(0, 99, window)).toBeNull();
    expect(barOf(301, 400, window)).toBeNull();
  });

  test("of nothing has no width, and one that ends before it starts neither", () => {
    expect(barOf(150, 150, window)?.width).toBe(0);
    expect(barOf(150, 120, window)?.width).toBe(0);
  });
});

describe("ticks", () => {
  test("are round times", () => {
    expect(ticksOf({ from: 0, to: 6_200_000 }, 5)).toEqual([0, 2e6, 4e6, 6e6]);
    expect(ticksOf({ from: 130, to: 480 }, 5)).toEqual([200, 300, 400]);
    expect(ticksOf({ from: 0, to: 200e6 }, 5)).toEqual([0, 60e6, 120e6, 180e6]);
  });

  test("stay inside the window and as few as asked for, at any scale", () => {
    const scale = fc.double({ min: 1, max: 15, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(scale, scale, fc.integer({ min: 2, max: 12 }), (from, length, most) => {
        const window = { from, to: from + length };
        const ticks = ticksOf(window, most);
        expect(ticks.length).toBeLessThanOrEqual(most);
        for (const tick of ticks) expect(tick >= window.from && tick <= window.to).toBe(true);
      }),
    );
  });
});

describe("a window", () => {
  const whole = 1000;

  test("zooms around a point and never leaves the trace", () => {
    expect(zoom({ from: 0, to: 1000 }, whole, 0.5, 0.5)).toEqual({ from: 250, to: 750 });
    expect(zoom({ from: 250, to: 750 }, whole, 0.5, 0)).toEqual({ from: 250, to: 500 });
    expect(zoom({ from: 900, to: 1000 }, whole, 4, 1)).toEqual({ from: 600, to: 1000 });
    expect(zoom({ from: 900, to: 1000 }, whole, 100)).toEqual({ from: 0, to: 1000 });
  });

  test("pans to both ends", () => {
    expect(pan({ from: 100, to: 200 }, whole, 0.5)).toEqual({ from: 150, to: 250 });
    expect(pan({ from: 100, to: 200 }, whole, -5)).toEqual({ from: 0, to: 100 });
    expect(pan({ from: 800, to: 900 }, whole, 5)).toEqual({ from: 900, to: 1000 });
  });

  test("fits around a span", () => {
    expect(windowAround(400, 500, whole)).toEqual({ from: 390, to: 510 });
    expect(windowAround(0, 1000, whole)).toEqual({ from: 0, to: 1000 });
    expect(windowAround(1000, 1000, whole)).toEqual({ from: 990, to: 1000 });
  });
});

test("ticks are told apart, no finer", () => {
  expect([0, 1_500_000, 3_000_000].map((us) => tickText(us, 1_500_000))).toEqual(["0", "1.5 s", "3 s"]);
  expect(tickText(1_250_000, 50_000)).toBe("1.25 s");
  expect(tickText(200_000, 200_000)).toBe("200 ms");
  expect(tickText(40, 20)).toBe("40 µs");
  expect(tickText(120e6, 60e6)).toBe("2 min 00 s");
  expect(tickText(61_250_000, 50_000)).toBe("1 min 1.25 s");
});
