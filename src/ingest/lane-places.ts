// Which lane the spans of a request take. A trace stays in its lane while any of its spans is under way; everything else goes where
// it shares a commit: one commit of many requests costs the database little more than one of a single request.
import type { IncomingSpan } from "../model/span.ts";

/** Another lane is begun only when those that run have this many spans: fewer gather for the next commit. */
const SPANS_A_LANE = 500;

interface PlacedSpans {
  /** Spans in their order, by the number of their lane. */
  readonly parts: ReadonlyMap<number, readonly IncomingSpan[]>;
  /** Called when they are stored or refused. */
  leave(): void;
}

interface LanePlaces {
  take(spans: readonly IncomingSpan[]): PlacedSpans;
}

interface Place {
  readonly lane: number;
  requests: number;
}

export function createLanePlaces(lanes: readonly { readonly pendingItems: number }[]): LanePlaces {
  const places = new Map<string, Place>();

  /** The first that has room for more, so that few lanes run while there is little to do; else the one with the fewest. */
  function freeLane(): number {
    const first = lanes.findIndex(({ pendingItems }) => pendingItems < SPANS_A_LANE);
    if (first >= 0) return first;
    const fewest = Math.min(...lanes.map(({ pendingItems }) => pendingItems));
    return lanes.findIndex(({ pendingItems }) => pendingItems === fewest);
  }

  return {
    take(spans) {
      if (lanes.length === 1) return { parts: new Map([[0, spans]]), leave() {} };
      const keys = new Set(spans.map(({ traceKey }) => traceKey));
      // With traces that are under way already, so that the request is one part.
      const taken = [...keys].flatMap((key) => places.get(key)?.lane ?? []);
      const lane = taken[0] ?? freeLane();
      for (const key of keys) {
        const place = places.get(key);
        if (place === undefined) places.set(key, { lane, requests: 1 });
        else place.requests++;
      }
      return {
        parts: Map.groupBy(spans, ({ traceKey }) => places.get(traceKey)!.lane),
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
