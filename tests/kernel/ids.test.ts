// What texts name: rows by global id, or by name or key.
import { expect, test } from "bun:test";
import { globalId, identified, identifiedAll, MAX_ROW_ID } from "../../src/kernel/ids.ts";

test("a global id of the type names a row, also one that no row can have", () => {
  expect(identified("Trace", globalId("Trace", 7))).toEqual({ id: 7 });
  expect(identified("Trace", globalId("Trace", MAX_ROW_ID + 1))).toEqual({ id: -1 });
});

test("any other text is a key", () => {
  for (const text of ["", "abc", globalId("Span", 7), "VHJhY2U6"]) {
    expect(identified("Trace", text)).toEqual({ key: text });
  }
});

test("many texts are distinguished, in their order", () => {
  const texts = ["b", globalId("Trace", 9), "a", globalId("Trace", 2)];
  expect(identifiedAll("Trace", texts)).toEqual({ ids: [9, 2], keys: ["b", "a"] });
  expect(identifiedAll("Trace", [])).toEqual({ ids: [], keys: [] });
});
