// The body worker, a composition root: it parses and checks JSON bodies in bulk, so that none of them keeps the main
// thread from answering, and hands spans straight to the ingest worker.
import { bulkHandlers } from "../api/bulk-thread.ts";
import { crossingSpans } from "../ingest/crossing-spans.ts";
import type { SpansOutcome } from "../ingest/ingest-messages.ts";
import { fail } from "../kernel/failure.ts";
import { createLink, gathered, type Link, parentChannel, portChannel, serveLink } from "../kernel/link.ts";
import { reportRejections } from "../kernel/rejections.ts";
import type { SpanStoring } from "../modules/tracing/spans/bodies/new-spans.rules.ts";
import { bulkBodies, streamedBodies } from "./bulk-bodies.ts";

let ingest: Link | null = null;

function thread(): SpanStoring {
  return {
    storeSpans(spans) {
      if (ingest === null) throw fail("ingest.not_started", "unavailable", "The body worker is not running");
      const { message, moved } = crossingSpans(spans, false);
      return ingest.call<SpansOutcome>("spans", message, moved);
    },
  };
}

reportRejections(parentChannel());
serveLink(gathered(parentChannel()), {
  start({ ingestPort }: { ingestPort: MessagePort }) {
    ingest = createLink(gathered(portChannel(ingestPort)));
  },
  ...bulkHandlers(bulkBodies, streamedBodies, thread),
});
