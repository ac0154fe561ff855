// Places in lists, their cursors in both spellings, and pages.
import { describe, expect, test } from "bun:test";
import { globalId, MAX_ROW_ID } from "../../src/kernel/ids.ts";
import {
  arrivalCursors,
  beginningOf,
  emptyPage,
  findPlace,
  type ListSpec,
  orderWord,
  pageBody,
  pageOfRows,
  readRestCursor,
  requestedPage,
  restCursors,
  writeCursor,
  writeRestCursor,
} from "../../src/kernel/list.ts";

const traces: ListSpec<"arrival" | "startTime"> = { type: "Trace", sorts: ["arrival", "startTime"], orderWord };
const byStart = restCursors(traces, "startTime");
const byArrival = restCursors(traces, "arrival");
const spelt = (text: string) => Buffer.from(text).toString("base64");
const places = [
  { value: Number.MAX_SAFE_INTEGER, rowId: 7 },
  { value: -5, rowId: MAX_ROW_ID },
  { value: 0, rowId: 0 },
];

describe("a cursor of GraphQL", () => {
  const word = traces.orderWord("startTime", "desc");

  test("carries the exact value and the row id", () => {
    expect(writeCursor(word, { value: 20, rowId: 3 })).toBe(spelt("3:startTimeDesc:20"));
    for (const place of [...places, { value: null, rowId: 3 }]) {
      expect(findPlace(word, writeCursor(word, place))).toEqual(place);
    }
  });

  test("carries any number and any text where the order has such values", () => {
    for (const value of [0.1, -2.5e300, 5e-324, 1e21, 0.0000012345678901234567, 7]) {
      expect(findPlace(word, writeCursor(word, { value, rowId: 3 }), "double")).toEqual({ value, rowId: 3 });
    }
    for (const text of ["", "a:b", "Ünï 😀\nnext"]) {
      const place = { value: null, text, rowId: 3 };
      expect(findPlace(word, writeCursor(word, place), "text")).toEqual(place);
    }
    for (const written of ["x", "", "null", "1e999", "NaN", "0x1"]) {
      expect(findPlace(word, spelt(`3:startTimeDesc:${written}`), "double")).toBeNull();
    }
    expect(findPlace(word, spelt(`3:startTimeDesc:${"x".repeat(1025)}`), "text")).toBeNull();
    expect(findPlace(word, spelt("3:startTimeDesc:a\0b"), "text")).toBeNull();
  });

  for (const text of [
    "1:startTimeAsc:2",
    "2147483648:startTimeDesc:1",
    "1:startTimeDesc:",
    "1:startTimeDesc:1.5",
    "x",
  ]) {
    test(`${text} is not valid`, () => expect(findPlace(word, spelt(text))).toBeNull());
  }
});

describe("a cursor over REST", () => {
  test("carries the exact value and the row id", () => {
    expect(writeRestCursor(byStart, { value: 20, rowId: 3 })).toBe(spelt("3:start_time:20"));
    for (const place of places) expect(readRestCursor(byStart, writeRestCursor(byStart, place))).toEqual(place);
  });

  test("of the order of arrival is the global id of a row, whatever its type word", () => {
    expect(writeRestCursor(byArrival, { value: 1, rowId: 42 })).toBe(globalId("Trace", 42));
    expect(readRestCursor(byArrival, globalId("Project", 42))).toEqual({ value: 42, rowId: 42 });
    expect(readRestCursor(byArrival, globalId("Trace", MAX_ROW_ID))?.rowId).toBe(MAX_ROW_ID);
  });

  test("absent or empty means the first page", () => {
    for (const form of [byStart, byArrival]) {
      expect([readRestCursor(form, undefined), readRestCursor(form, "")]).toEqual([null, null]);
    }
  });

  for (const [what, cursor] of Object.entries({
    "of another order": writeCursor("latency_ms", { value: 1, rowId: 1 }),
    "of the order of arrival": globalId("Trace", 3),
    "with a number beyond row ids": spelt("2147483648:start_time:1"),
    "with a value that is no exact integer": spelt("1:start_time:9007199254740993"),
    "without a value": spelt("1:start_time:"),
    "with null": spelt("1:start_time:null"),
    "that is no base64": "%%%",
  })) {
    test(`${what} is refused`, () => {
      expect(() => readRestCursor(byStart, cursor)).toThrow(`Invalid cursor: ${cursor}`);
    });
  }

  const long = spelt(`Project:${"9".repeat(500)}`);
  for (const cursor of [
    "abc",
    "UHJvamVjdDphYmM=",
    globalId("Project", -1),
    globalId("Project", MAX_ROW_ID + 1),
    long,
  ]) {
    test(`${cursor.slice(0, 30)} is refused in the order of arrival`, () => {
      expect(() => readRestCursor(byArrival, cursor)).toThrow("Invalid cursor");
    });
  }

  test("begins a page, of at most so many rows", () => {
    const cursor = writeRestCursor(byStart, places[0]!);
    const start = { place: places[0]!, included: true };
    expect(requestedPage(byStart, { limit: 50, cursor }, 20)).toEqual({ start, limit: 20 });
    expect(requestedPage(byStart, { limit: 5 }, 20)).toEqual({ start: null, limit: 5 });
  });
});

describe("a page", () => {
  const rows = [3, 1, 2].map((id) => ({ id, startUs: id * 10 }));
  const place = (row: (typeof rows)[number]) => ({ value: row.startUs, rowId: row.id });
  const idOf = ({ id }: { readonly id: number }) => id;

  test("leads to the first row that is left", () => {
    const page = pageOfRows(rows, 2, place);
    expect(page.items.map(idOf)).toEqual([3, 1]);
    expect(page.places).toEqual([
      { value: 30, rowId: 3 },
      { value: 10, rowId: 1 },
    ]);
    expect(page.next).toEqual({ value: 20, rowId: 2 });
    expect(pageBody(page, byStart, idOf)).toEqual({ data: [3, 1], next_cursor: spelt("2:start_time:20") });
    expect(pageBody(page, arrivalCursors("Trace"), idOf).next_cursor).toBe(globalId("Trace", 2));
  });

  test("has no cursor when nothing follows", () => {
    expect(pageBody(pageOfRows(rows, 3, place), byStart, idOf).next_cursor).toBeNull();
    expect(pageBody(emptyPage, byStart, idOf)).toEqual({ data: [], next_cursor: null });
  });

  test("may end before its limit: the next one begins where it ends", () => {
    const page = pageOfRows(rows, 2, place);
    expect(beginningOf(page, 1)).toEqual({ items: [rows[0]!], places: [place(rows[0]!)], next: place(rows[1]!) });
    expect(beginningOf(page, 2)).toEqual(page);
  });
});
