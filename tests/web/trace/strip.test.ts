// The spans of a turn as a strip, and the type of an error.
import { describe, expect, test } from "bun:test";
import { errorType, type StripSpan, stripOf } from "../../../src/web/domain/trace/strip.ts";

const span = (name: string, given: Partial<StripSpan> = {}): StripSpan => ({
  id: name,
  name,
  kind: "TOOL",
  error: null,
  failed: false,
  latencyMs: 10,
  model: null,
  ...given,
});

describe("the strip", () => {
  const shown = (spans: readonly StripSpan[]) =>
    stripOf(spans).map(
      ({ name, count, latencyMs, failed }) => `${name} ${count} ${latencyMs}${failed ? " failed" : ""}`,
    );

  test("joins equal spans that follow each other", () => {
    expect(shown([span("a"), span("a"), span("b"), span("a")])).toEqual(["a 2 20", "b 1 10", "a 1 10"]);
  });

  test("keeps apart what has another kind, and what failed", () => {
    const failed = span("a", { failed: true, error: "no" });
    expect(shown([span("a"), span("a", { kind: "LLM" })])).toEqual(["a 1 10", "a 1 10"]);
    expect(shown([span("a"), failed, failed, span("a")])).toEqual([
      "a 1 10",
      "a 1 10 failed",
      "a 1 10 failed",
      "a 1 10",
    ]);
  });

  test("is empty for nothing", () => {
    expect(shown([])).toEqual([]);
  });
});

test.each([
  ["TimeoutError: too slow", "TimeoutError"],
  ["httpx.ReadTimeout: too slow", "ReadTimeout"],
  ["ValueError('x')", "ValueError"],
  ["TimeoutError", "TimeoutError"],
  ["it took too long", null],
  ["", null],
  [null, null],
  [`${"x".repeat(50)}: y`, null],
])("the type of the error %p", (error, type) => {
  expect(errorType(error)).toBe(type);
});
