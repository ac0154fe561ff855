import { expect, test } from "bun:test";
import { createLastUsed } from "../../src/kernel/last-used.ts";

test("holds what was used last, and never more than the limit", () => {
  const kept = createLastUsed<number, string>(10);
  kept.set(-1, "used");
  for (let key = 0; key < 100; key++) {
    kept.set(key, `${key}`);
    expect(kept.find(-1)).toBe("used");
    const found = Array.from({ length: 100 }, (_, at) => at).filter((at) => at > key - 4 && at <= key);
    for (const at of found) expect(kept.find(at)).toBe(`${at}`);
  }
  let held = 0;
  const full = createLastUsed<number, number>(10);
  for (let key = 0; key < 1000; key++) full.set(key, key);
  // Looked for from the oldest on: a find may move a key, and drops older ones alone.
  for (let key = 999; key >= 0; key--) if (full.find(key) !== undefined) held++;
  expect(held).toBeGreaterThanOrEqual(5);
  expect(held).toBeLessThanOrEqual(10);
});

test("a key that is deleted is gone, however long ago it was used", () => {
  const kept = createLastUsed<string, number>(4);
  for (const key of ["a", "b", "c"]) kept.set(key, 1);
  for (const key of ["a", "c"]) kept.delete(key);
  expect(["a", "b", "c"].map(kept.find)).toEqual([undefined, 1, undefined]);
});

test("a key that is set again has the new value", () => {
  const kept = createLastUsed<string, number>(4);
  kept.set("a", 1);
  for (const other of ["b", "c", "d"]) kept.set(other, 0);
  kept.set("a", 2);
  expect(kept.find("a")).toBe(2);
});
