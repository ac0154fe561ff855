import { expect, test } from "bun:test";
import { createLanePlaces } from "../../src/ingest/lane-places.ts";
import { incomingSpan } from "../support/spans.ts";

const lanesOf = (...pending: number[]) => pending.map((pendingItems) => ({ pendingItems }));
const spansOf = (...traceKeys: string[]) => traceKeys.map((traceKey) => incomingSpan({ traceKey }));
const laneNumbers = ({ parts }: { parts: ReadonlyMap<number, unknown> }) => [...parts.keys()];

test("a request is one part, in the first lane that has room", () => {
  const spans = spansOf("a", "b", "c", "a");
  expect(createLanePlaces(lanesOf(0, 0, 0)).take(spans).parts).toEqual(new Map([[0, spans]]));
  expect(laneNumbers(createLanePlaces(lanesOf(1000, 10, 0)).take(spans))).toEqual([1]);
  expect(laneNumbers(createLanePlaces(lanesOf(3000, 2000, 4000)).take(spans))).toEqual([1]);
});

test("a trace stays in its lane while any of its spans is under way", () => {
  const lanes = lanesOf(0, 0);
  const places = createLanePlaces(lanes);
  const first = places.take(spansOf("a"));
  lanes[0] = { pendingItems: 1000 };
  const second = places.take(spansOf("b"));
  expect([laneNumbers(first), laneNumbers(second)]).toEqual([[0], [1]]);
  // Both, with what is new beside the first of them.
  const both = places.take(spansOf("b", "a", "c"));
  expect([...both.parts].map(([lane, spans]) => [lane, spans.map(({ traceKey }) => traceKey)])).toEqual([
    [1, ["b", "c"]],
    [0, ["a"]],
  ]);
  first.leave();
  expect(laneNumbers(places.take(spansOf("a")))).toEqual([0]);
});

test("a trace that nobody waits for goes where there is room", () => {
  const lanes = lanesOf(0, 0);
  const places = createLanePlaces(lanes);
  places.take(spansOf("a")).leave();
  lanes[0] = { pendingItems: 1000 };
  expect(laneNumbers(places.take(spansOf("a")))).toEqual([1]);
});
