import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  formatInstant,
  instantFromEpoch,
  MAX_INSTANT_US,
  microsecondsFromNanoseconds,
  parseInstant,
} from "../../src/kernel/time.ts";

const NOON_US = Date.UTC(2024, 0, 1, 12) * 1000;
const read = (text: string) => parseInstant(text)?.microseconds ?? null;

test("nanoseconds are rounded half up, and end with the range of instants", () => {
  expect([0n, 499n, 500n, 1_499n, 1_500n].map(microsecondsFromNanoseconds)).toEqual([0, 0, 1, 1, 2]);
  expect(microsecondsFromNanoseconds(2n ** 64n - 1n)).toBe(MAX_INSTANT_US);
});

describe("an instant as text", () => {
  test("has six digits of a fraction, or none", () => {
    expect(formatInstant(NOON_US)).toBe("2024-01-01T12:00:00+00:00");
    expect(formatInstant(NOON_US + 1)).toBe("2024-01-01T12:00:00.000001+00:00");
    expect(formatInstant(-1)).toBe("1969-12-31T23:59:59.999999+00:00");
  });

  test("is read back as itself, whatever it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1, 0, 1) * 1000, max: MAX_INSTANT_US }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toEqual({ microseconds: instant, hasZone: true });
      }),
    );
  });

  test("may be a date, have a zone, a short or long fraction, and blanks around it", () => {
    expect(read("2024-01-01")).toBe(NOON_US - 12 * 3600 * 1e6);
    expect(read(" 2024-01-01 12:00 ")).toBe(NOON_US);
    expect(read("2024-01-01T14:30:00+02:30")).toBe(NOON_US);
    expect(read("2024-01-01T10:00:00-0200")).toBe(NOON_US);
    expect(read("2024-01-01T12:00:00,5Z")).toBe(NOON_US + 500_000);
    expect(read("2024-01-01T12:00:00.1234569Z")).toBe(NOON_US + 123_456);
    expect(parseInstant("2024-01-01T12:00:00")?.hasZone).toBe(false);
    expect(parseInstant("2024-01-01T12:00:00Z")?.hasZone).toBe(true);
  });

  test("is invalid when there is no such day, hour or zone", () => {
    expect(read("2024-02-29")).not.toBeNull();
    expect(read("2000-02-29")).not.toBeNull();
    for (const text of [
      "2023-02-29",
      "1900-02-29",
      "2024-13-01",
      "2024-00-10",
      "2024-04-31",
      "0000-01-01",
      "2024-01-01T24:00",
      "2024-01-01T12:60",
      "2024-01-01T12:00:60",
      "2024-01-01T12:00+24:00",
      "2024-01-01T12",
      "yesterday",
      "",
    ])
      expect([text, read(text)]).toEqual([text, null]);
  });
});

test("an epoch number is seconds, beyond 2e10 milliseconds, and none outside of the range", () => {
  expect(read("1704110400")).toBe(NOON_US);
  expect(read("1704110400.25")).toBe(NOON_US + 250_000);
  expect(read("1704110400000")).toBe(NOON_US);
  expect(read("-1")).toBe(-1_000_000);
  expect(instantFromEpoch(2e10)?.microseconds ?? null).toBeNull();
  expect(instantFromEpoch(Number.NaN)).toBeNull();
});
