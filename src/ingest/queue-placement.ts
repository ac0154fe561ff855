// Which ingest queue takes the spans of a request. A trace stays in its queue while any of its spans is under way; everything else
// goes where it shares a commit: one commit of many requests costs the database little more than one of a single request.
import type { IncomingSpan } from "../model/span.ts";

/** Another queue is begun only when those that run have this many spans: fewer gather for the next commit. */
const SPANS_A_QUEUE = 500;

interface PlacedSpans {
  /** Spans in their order, by the number of their queue. */
  readonly parts: ReadonlyMap<number, readonly IncomingSpan[]>;
  /** Called when they are stored or refused. */
  leave(): void;
}

interface QueuePlacement {
  take(spans: readonly IncomingSpan[]): PlacedSpans;
}

interface Place {
  readonly queue: number;
  requests: number;
}

export function createQueuePlacement(queues: readonly { readonly pendingItems: number }[]): QueuePlacement {
  const places = new Map<string, Place>();

  /** The first with free capacity, so that few queues run while there is little to do; else the one with the fewest. */
  function freeQueue(): number {
    const first = queues.findIndex(({ pendingItems }) => pendingItems < SPANS_A_QUEUE);
    if (first >= 0) return first;
    const fewest = Math.min(...queues.map(({ pendingItems }) => pendingItems));
    return queues.findIndex(({ pendingItems }) => pendingItems === fewest);
  }

  return {
    take(spans) {
      if (queues.length === 1) return { parts: new Map([[0, spans]]), leave() {} };
      const keys = new Set(spans.map(({ traceKey }) => traceKey));
      // With traces that are under way already, so that the request is one part.
      const taken = [...keys].flatMap((key) => places.get(key)?.queue ?? []);
      const queue = taken[0] ?? freeQueue();
      for (const key of keys) {
        const place = places.get(key);
        if (place === undefined) places.set(key, { queue, requests: 1 });
        else place.requests++;
      }
      return {
        parts: Map.groupBy(spans, ({ traceKey }) => places.get(traceKey)!.queue),
        leave() {
          for (const key of keys) {
            const place = places.get(key)!;
            if (--place.requests === 0) places.delete(key);
          }
        },
      };
    },
  };
}
