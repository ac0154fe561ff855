import { describe, expect, test } from "bun:test";
import type { Json } from "../../src/kernel/json.ts";
import { SLICES } from "../../src/model/summaries/blocks/block.ts";
import { type BlockFilter, createBlockFilterBuilder, PARTS } from "../../src/model/summaries/blocks/block-filter.ts";
import {
  allRequired,
  anyRequired,
  blockSlicesOf,
  type RequiredLiteral,
  type RequiredValues,
  requiredColumn,
  requiredValue,
} from "../../src/model/summaries/blocks/required-values.ts";

const filterOf = (...spans: readonly (readonly [slice: number, attributes: Json])[]): BlockFilter => {
  const builder = createBlockFilterBuilder();
  for (const [slice, attributes] of spans) builder.add(slice, attributes);
  return builder.build();
};
const slicesWith = ({ parts, unfiltered }: BlockFilter, required: RequiredValues | null) =>
  required === null ? null : blockSlicesOf(required, new Map(parts.entries()), unfiltered);
const text = (path: readonly (string | number)[], value: string) => requiredValue([path], { reading: "text", value });

describe("a block filter", () => {
  test("tells the sixteenths that may hold a value", () => {
    const filter = filterOf([0, { a: "x" }], [3, { a: "x", b: { c: 1 } }], [15, { a: "y" }]);
    expect(slicesWith(filter, text(["a"], "x"))).toBe((1 << 0) | (1 << 3));
    expect(slicesWith(filter, text(["a"], "y"))).toBe(1 << 15);
    expect(slicesWith(filter, text(["b", "c"], "1"))).toBe(1 << 3);
    expect(slicesWith(filter, text(["c"], "1"))).toBe(0);
    expect(slicesWith(filter, allRequired([text(["a"], "x"), text(["b", "c"], "1")]))).toBe(1 << 3);
    expect(slicesWith(filter, anyRequired([text(["a"], "y"), text(["b", "c"], "1")]))).toBe((1 << 3) | (1 << 15));
  });

  test("knows names and ids, which are no attributes", () => {
    const builder = createBlockFilterBuilder();
    builder.add(2, { name: "attribute" }, { name: "step", span_key: "a1", parent_key: null });
    const filter = builder.build();
    expect(slicesWith(filter, requiredColumn("name", "step"))).toBe(1 << 2);
    expect(slicesWith(filter, requiredColumn("span_key", "a1"))).toBe(1 << 2);
    expect(slicesWith(filter, requiredColumn("name", "attribute"))).toBe(0);
    expect(slicesWith(filter, text(["name"], "step"))).toBe(0);
    expect(requiredColumn("name", "x".repeat(201))).toBeNull();
  });

  test("answers in vain for less than one value in a hundred, whatever the size of the block", () => {
    for (const values of [100, 20_000]) {
      const filter = filterOf(
        ...Array.from({ length: values }, (_, number) => [number % SLICES, { key: `value ${number}` }] as const),
      );
      expect(filter.parts).toHaveLength(PARTS);
      let vain = 0;
      for (let number = 0; number < 2000; number++) {
        const slices = slicesWith(filter, text(["key"], `other ${number}`))!;
        for (let slice = 0; slice < SLICES; slice++) vain += (slices >> slice) & 1;
      }
      expect(vain / 2000 / SLICES).toBeLessThan(0.01);
    }
  });

  test("gives up on a sixteenth with too many values, which then may hold anything", () => {
    const many = Array.from({ length: 520 }, (_, number) => [
      5,
      Array.from({ length: 64 }, (_each, position) => `${number} ${position}`),
    ]) as [number, Json][];
    const filter = filterOf([4, { a: "x" }], ...many);
    expect(filter.unfiltered).toBe(1 << 5);
    expect(slicesWith(filter, text(["a"], "x"))).toBe((1 << 4) | (1 << 5));
    expect(slicesWith(filter, text(["a"], "nowhere"))).toBe(1 << 5);
  });
});

describe("what is required", () => {
  const cases: readonly (readonly [stored: Json, literal: RequiredLiteral, found: boolean])[] = [
    [1, { reading: "number", value: 1 }, true],
    ["1.0", { reading: "number", value: 1 }, true],
    [" +1e0 ", { reading: "number", value: 1 }, true],
    ["1e-310", { reading: "number", value: 0 }, true],
    [1, { reading: "text", value: "1" }, true],
    [1, { reading: "text", value: "1.0" }, true],
    [0.1, { reading: "number", value: 0.1 + Number.EPSILON / 16 }, true],
    [true, { reading: "boolean", value: true }, true],
    ["TRUE", { reading: "boolean", value: true }, true],
    [1, { reading: "boolean", value: true }, true],
    [true, { reading: "text", value: "true" }, true],
    ["1", { reading: "string", value: "1" }, true],
    [1, { reading: "string", value: "1" }, false],
    [2, { reading: "number", value: 1 }, false],
    ["true", { reading: "boolean", value: false }, false],
    ["x".repeat(200), { reading: "text", value: "x".repeat(200) }, true],
  ];
  test.each(cases)("%j and %j", (stored, literal, found) => {
    const filter = filterOf([7, { key: stored }]);
    expect(slicesWith(filter, requiredValue([["key"]], literal))).toBe(found ? 1 << 7 : 0);
  });

  test("is unknown where the filter cannot tell", () => {
    expect(text(["key"], "x".repeat(201))).toBeNull();
    expect(text(["key"], '{"a":1}')).toBeNull();
    expect(text(["key"], "[1]")).toBeNull();
    for (const position of ["64", "007", "-1", " 1", 64]) expect(text(["key", position], "x")).toBeNull();
    expect(text(["key", 63], "x")).not.toBeNull();
    expect(anyRequired([text(["a"], "x"), null])).toBeNull();
    expect(allRequired([null, text(["a"], "x"), null])).toEqual(text(["a"], "x"));
    expect(allRequired([null])).toBeNull();
  });
});
