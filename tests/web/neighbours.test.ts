// Which rows come before and behind the one that is open over a list.
import { expect, test } from "bun:test";
import { neighbour } from "../../src/web/explorer/neighbours.ts";

const rows = ["a", "b", "b", "c"];
const open = (name: string) => (row: string) => row === name;

test("neighbours skip rows of what is open, and end with the list", () => {
  expect(neighbour(rows, open("b"), 1, 1)).toBe("c");
  expect(neighbour(rows, open("b"), 1, -1)).toBe("a");
  expect(neighbour(rows, open("c"), 3, 1)).toBeNull();
  expect(neighbour(rows, open("a"), 0, -1)).toBeNull();
});

test("a row that has left the list has the neighbours of its place", () => {
  expect(neighbour(rows, open("gone"), 1, 1)).toBe("b");
  expect(neighbour(rows, open("gone"), 1, -1)).toBe("a");
  expect(neighbour(rows, open("gone"), 4, 1)).toBeNull();
  expect(neighbour([], open("gone"), 0, -1)).toBeNull();
});
