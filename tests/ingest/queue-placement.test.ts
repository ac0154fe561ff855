import { expect, test } from "bun:test";
import { createQueuePlacement } from "../../src/ingest/queue-placement.ts";
import { incomingSpan } from "../support/spans.ts";

const queuesOf = (...pending: number[]) => pending.map((pendingItems) => ({ pendingItems }));
const spansOf = (...traceKeys: string[]) => traceKeys.map((traceKey) => incomingSpan({ traceKey }));
const queueNumbers = ({ parts }: { parts: ReadonlyMap<number, unknown> }) => [...parts.keys()];

test("a request is one part, in the first queue with capacity", () => {
  const spans = spansOf("a", "b", "c", "a");
  expect(createQueuePlacement(queuesOf(0, 0, 0)).take(spans).parts).toEqual(new Map([[0, spans]]));
  expect(queueNumbers(createQueuePlacement(queuesOf(1000, 10, 0)).take(spans))).toEqual([1]);
  expect(queueNumbers(createQueuePlacement(queuesOf(3000, 2000, 4000)).take(spans))).toEqual([1]);
});

test("a trace stays in its queue while any of its spans is under way", () => {
  const queues = queuesOf(0, 0);
  const places = createQueuePlacement(queues);
  const first = places.take(spansOf("a"));
  queues[0] = { pendingItems: 1000 };
  const second = places.take(spansOf("b"));
  expect([queueNumbers(first), queueNumbers(second)]).toEqual([[0], [1]]);
  // Both, with what is new beside the first of them.
  const both = places.take(spansOf("b", "a", "c"));
  expect([...both.parts].map(([queue, spans]) => [queue, spans.map(({ traceKey }) => traceKey)])).toEqual([
    [1, ["b", "c"]],
    [0, ["a"]],
  ]);
  first.leave();
  expect(queueNumbers(places.take(spansOf("a")))).toEqual([0]);
});

test("a trace without waiting senders goes where there is capacity", () => {
  const queues = queuesOf(0, 0);
  const places = createQueuePlacement(queues);
  places.take(spansOf("a")).leave();
  queues[0] = { pendingItems: 1000 };
  expect(queueNumbers(places.take(spansOf("a")))).toEqual([1]);
});
