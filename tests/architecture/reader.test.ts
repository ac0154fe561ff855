// The reader of imports itself: a rule that reads nothing would pass for ever.
import { expect, test } from "bun:test";
import { cyclesOf, importsOf } from "./imports.ts";

test("every form of import is read", () => {
  const text = [
    'import type { Clock } from "../kernel/clock.ts";',
    'import { a,\n  b } from "./b.ts";',
    'import "./side-effect.ts";',
    'export * from "./star.ts";',
    'export type { T } from "./types.ts";',
    'import sql from "../../migrations/sqlite/0001.sql" with { type: "text" };',
    'import { Database } from "bun:sqlite";',
    'const late = await import("./late.ts");',
    'export const text = "./no.ts";',
    'export type Word = "./neither.ts";',
  ].join("\n");
  expect(importsOf([{ path: "src/storage/a.ts", text }])).toEqual([
    { from: "storage/a.ts", to: "kernel/clock.ts", library: false, typeOnly: true },
    { from: "storage/a.ts", to: "storage/b.ts", library: false, typeOnly: false },
    { from: "storage/a.ts", to: "storage/side-effect.ts", library: false, typeOnly: false },
    { from: "storage/a.ts", to: "storage/star.ts", library: false, typeOnly: false },
    { from: "storage/a.ts", to: "storage/types.ts", library: false, typeOnly: true },
    { from: "storage/a.ts", to: "../migrations/sqlite/0001.sql", library: false, typeOnly: false },
    { from: "storage/a.ts", to: "bun:sqlite", library: true, typeOnly: false },
    { from: "storage/a.ts", to: "storage/late.ts", library: false, typeOnly: false },
  ]);
});

test("a cycle is found over any number of files, a diamond is no cycle", () => {
  const edges = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([from, to]) => ({ from, to, library: false, typeOnly: false }));
  expect(
    cyclesOf(
      edges([
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ]),
    ),
  ).toEqual([["a", "b", "c", "a"]]);
  expect(
    cyclesOf(
      edges([
        ["a", "b"],
        ["a", "c"],
        ["b", "d"],
        ["c", "d"],
      ]),
    ),
  ).toEqual([]);
});
