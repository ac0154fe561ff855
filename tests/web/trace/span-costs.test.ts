// What spans cost with everything below them.
import { expect, test } from "bun:test";
import { spanCostsOf } from "../../../src/web/domain/trace/span-costs.ts";
import { buildTree } from "../../../src/web/domain/trace/tree.ts";
import { span } from "./spans.ts";

const costs = (...spans: Parameters<typeof buildTree>[0]) =>
  Object.fromEntries(spanCostsOf(buildTree(spans, true).roots));

test("of all calls below a span, each once", () => {
  const known = { cost: 2, tokens: 10 };
  expect(
    costs(
      span("agent", null),
      span("outer", "agent", { ...known, isCountedInChild: true }),
      span("inner", "outer", known),
      span("other", "agent", { cost: 0.5 }),
      span("tool", "agent"),
    ),
  ).toEqual({
    agent: { cost: 2.5, unknown: false },
    outer: { cost: 2, unknown: false },
    inner: { cost: 2, unknown: false },
    other: { cost: 0.5, unknown: false },
  });
});

test("a call of unknown cost leaves the sum open, and alone it is no amount", () => {
  const unknown = { cost: null, unknown: true };
  expect(
    costs(
      span("agent", null),
      span("known", "agent", { cost: 1, tokens: 1 }),
      span("step", "agent"),
      span("unknown", "step", { tokens: 3 }),
    ),
  ).toEqual({ agent: { cost: 1, unknown: true }, known: { cost: 1, unknown: false }, step: unknown, unknown });
});

test("below parents that were not received, and through very deep chains", () => {
  expect(costs(span("lost", "gone", { cost: 1, tokens: 1 })).gone).toEqual({ cost: 1, unknown: false });
  const deep = Array.from({ length: 10_000 }, (_, at) =>
    span(`s${at}`, at === 0 ? null : `s${at - 1}`, at === 9_999 ? { cost: 1, tokens: 1 } : {}),
  );
  expect(costs(...deep).s0).toEqual({ cost: 1, unknown: false });
});
