// Cursors and pages.
import { describe, expect, test } from "bun:test";
import { globalId, MAX_ROW_ID } from "../../src/kernel/ids.ts";
import { pageBody, pageFrom, readCursor } from "../../src/kernel/paging.ts";

describe("readCursor", () => {
  test("no cursor and an empty one mean the first page", () => {
    expect([readCursor(undefined), readCursor("")]).toEqual([null, null]);
  });

  test("only the number counts, not the type word", () => {
    expect(readCursor(globalId("Project", 7))).toBe(7);
    expect(readCursor(globalId("Trace", MAX_ROW_ID))).toBe(MAX_ROW_ID);
  });

  for (const cursor of ["abc", "UHJvamVjdDphYmM=", globalId("Project", -1), globalId("Project", MAX_ROW_ID + 1)]) {
    test(`refuses ${cursor}`, () => {
      expect(() => readCursor(cursor)).toThrow("Invalid cursor");
    });
  }

  test("refuses a number of any length", () => {
    const cursor = Buffer.from(`Project:${"9".repeat(500)}`).toString("base64");
    expect(() => readCursor(cursor)).toThrow("Invalid cursor");
  });
});

describe("pages", () => {
  const rows = [3, 2, 1];

  test("the row read beyond the page becomes the cursor of the next", () => {
    expect(pageFrom(rows, 2, (row) => row)).toEqual({ items: [3, 2], nextRowId: 1 });
    expect(pageBody(pageFrom(rows, 2, Number), "Project", String)).toEqual({
      data: ["3", "2"],
      next_cursor: globalId("Project", 1),
    });
  });

  test("there is no cursor when nothing follows", () => {
    expect(pageBody(pageFrom(rows, 3, Number), "Project", String).next_cursor).toBeNull();
    expect(pageBody(pageFrom([], 3, Number), "Project", String)).toEqual({ data: [], next_cursor: null });
  });
});
