// Bodies in bulk inside the test's own process: what their thread does, with everything that is asked and answered copied as it is
// between threads.
import { type BulkReader, createBulkReader } from "../../src/api/bulk-reader.ts";
import { bulkHandlers } from "../../src/api/bulk-thread.ts";
import { type Channel, createLink, type Handlers, type Link, serveLink } from "../../src/kernel/link.ts";
import { bulkBodies, streamedBodies } from "../../src/server/bulk-bodies.ts";

export function createTestBulkReader(thread: unknown): BulkReader {
  const link = linkWithin(bulkHandlers(bulkBodies, streamedBodies, () => thread));
  return createBulkReader({ thread: async () => link, maxBytes: Number.POSITIVE_INFINITY });
}

/** A link to handlers in the same process. */
export function linkWithin(handlers: Handlers): Link {
  const [here, there] = channels();
  serveLink(there, handlers);
  return createLink(here);
}

function channels(): [Channel, Channel] {
  const receivers: ((message: unknown) => void)[] = [];
  const end = (own: number, other: number): Channel => ({
    post: (message, transfer) => {
      const copy = structuredClone(message, { transfer: transfer ?? [] });
      queueMicrotask(() => receivers[other]!(copy));
    },
    receive: (handler) => {
      receivers[own] = handler;
    },
  });
  return [end(0, 1), end(1, 0)];
}
