// Generated traces for tests of roll-ups: chains, stars, trees and graphs with cycles, several traces with equal span keys,
// parents that never come, repeats, in any order and cut into any batches.
import fc from "fast-check";
import type { SimulatedSpan } from "./rollup-simulator.ts";

type Shape = "chain" | "star" | "tree" | "graph";

/** Spans of one trace; a link may only lead to an earlier span, except in a `graph`, where it may lead anywhere. */
function traceOf(traceId: number, shapes: readonly Shape[], largest: number): fc.Arbitrary<SimulatedSpan[]> {
  return fc
    .record({ shape: fc.constantFrom(...shapes), size: fc.integer({ min: 0, max: largest }) })
    .chain(({ shape, size }) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, position) =>
          fc.record({
            traceId: fc.constant(traceId),
            spanKey: fc.constant(`s${position}`),
            parentKey: parentOf(shape, position, size),
            sessionId: fc.constantFrom(null, null, 1, 2),
            // Often the same counts in parent and child.
            kind: fc.constantFrom("LLM", "LLM", "LLM", "TOOL", "CHAIN"),
            status: fc.constantFrom("UNSET", "OK", "ERROR"),
            promptTokens: fc.constantFrom(null, 0, 1, 1, 1, 7, 2 ** 40),
            completionTokens: fc.constantFrom(null, 0, 0, 2),
            cost: fc.constantFrom(null, 0, 5, 9_000_000_000_000_001),
            startUs: fc.integer({ min: 0, max: 50 }),
            endUs: fc.integer({ min: 50, max: 100 }),
          } satisfies { [Name in keyof SimulatedSpan]: fc.Arbitrary<SimulatedSpan[Name]> }),
        ),
      ),
    );
}

function parentOf(shape: Shape, position: number, size: number): fc.Arbitrary<string | null> {
  if (shape === "chain") return fc.constant(position === 0 ? "missing" : `s${position - 1}`);
  if (shape === "star") return fc.constant(position === 0 ? null : "s0");
  const last = shape === "graph" ? size - 1 : position - 1;
  const linked = last < 0 ? [] : [fc.integer({ min: 0, max: last }).map((parent) => `s${parent}`)];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(null, "missing") },
    ...linked.map((arbitrary) => ({ weight: 6, arbitrary })),
  );
}

/** Traces 1, 2 and 3 with equal span keys, shuffled together with repeats, as a list of batches. */
export function batches(shapes: readonly Shape[], largest: number): fc.Arbitrary<SimulatedSpan[][]> {
  return fc
    .tuple(traceOf(1, shapes, largest), traceOf(2, shapes, Math.ceil(largest / 2)), traceOf(3, shapes, 4))
    .chain((traces) => {
      const spans = traces.flat();
      return fc.record({
        order: fc.shuffledSubarray(spans, { minLength: spans.length }),
        repeats: fc.subarray(spans, { maxLength: Math.min(3, spans.length) }),
        cuts: fc.array(fc.integer({ min: 0, max: spans.length }), { maxLength: 8 }),
      });
    })
    .map(({ order, repeats, cuts }) => {
      // A repeat brings other counts, which must count nowhere, and arrives right after the first half.
      const half = order.length >> 1;
      const arriving = [...order.slice(0, half), ...repeats, ...order.slice(half)];
      const seen = new Set<SimulatedSpan>();
      const sent = arriving.map((span) => {
        if (seen.has(span)) return { ...span, status: "ERROR" as const, promptTokens: 33, startUs: -5, endUs: 500 };
        seen.add(span);
        return span;
      });
      const bounds = [0, ...cuts.toSorted((left, right) => left - right), sent.length];
      return bounds.slice(1).map((bound, position) => sent.slice(bounds[position], bound));
    });
}
