// Cursors of lists that are sorted by something else than the order of arrival.
import { describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { readKeyset, sortedPage, writeKeyset } from "../../src/kernel/keyset.ts";

const byStart = { type: "Trace", sort: "start_time" };
const byArrival = { type: "Span", sort: null };

describe("a cursor", () => {
  test("carries the exact value and the row id", () => {
    for (const place of [
      { value: Number.MAX_SAFE_INTEGER, rowId: 7 },
      { value: -5, rowId: 2_147_483_647 },
    ]) {
      expect(readKeyset(byStart, writeKeyset(byStart, place))).toEqual(place);
    }
  });

  test("of the order of arrival is the global id of a row", () => {
    expect(writeKeyset(byArrival, { value: 1, rowId: 42 })).toBe(globalId("Span", 42));
    expect(readKeyset(byArrival, globalId("Trace", 42))).toEqual({ value: 42, rowId: 42 });
  });

  test("absent or empty means the first page", () => {
    for (const form of [byStart, byArrival]) {
      expect([readKeyset(form, undefined), readKeyset(form, "")]).toEqual([null, null]);
    }
  });

  const written = (text: string) => Buffer.from(text).toString("base64");
  for (const [what, cursor] of Object.entries({
    "of another order": writeKeyset({ type: "Trace", sort: "latency_ms" }, { value: 1, rowId: 1 }),
    "of the order of arrival": globalId("Trace", 3),
    "with a number beyond row ids": written("2147483648:start_time:1"),
    "with a value that is no exact integer": written("1:start_time:9007199254740993"),
    "without a value": written("1:start_time:"),
    "that is no base64": "%%%",
  })) {
    test(`${what} is refused`, () => {
      expect(() => readKeyset(byStart, cursor)).toThrow("Invalid cursor");
    });
  }
});

test("a page of sorted rows leads to the first row that is left", () => {
  const rows = [3, 1, 2].map((id) => ({ id, startUs: id * 10 }));
  const place = (row: (typeof rows)[number]) => ({ value: row.startUs, rowId: row.id });
  const page = sortedPage(rows, 2, byStart, place);
  expect(page.items.map(({ id }) => id)).toEqual([3, 1]);
  expect(readKeyset(byStart, page.nextCursor!)).toEqual({ value: 20, rowId: 2 });
  expect(sortedPage(rows, 3, byStart, place).nextCursor).toBeNull();
});
