// Entry point of the decode worker, a composition root: it unpacks, decodes and normalises export requests and hands the spans
// to the ingest worker. Decoding takes a third of what a span costs; beside the writer it takes nothing of its time.
import { fail } from "./kernel/failure.ts";
import { createLink, type Link, parentChannel, portChannel, serveLink } from "./kernel/link.ts";
import { reportRejections } from "./kernel/rejections.ts";
import type {
  DecodeWorkerStart,
  ExportMessage,
  ExportOutcome,
  SpansMessage,
  SpansOutcome,
} from "./modules/traces/ingest/ingest-messages.ts";
import type { IncomingSpan } from "./modules/traces/span.schema.ts";
import { decodeExport } from "./otlp/export.ts";

let running: { readonly settings: DecodeWorkerStart; readonly ingest: Link } | null = null;
/** What the ingest worker may have from us at once, in spans and in bytes of their text: two batches keep it busy. Beyond
 *  that, requests wait as the bytes that were sent, which take a fraction of the memory of decoded spans. */
const MOST_SPANS_AHEAD = 4000;
const MOST_BYTES_AHEAD = 16 * 1024 * 1024;

/** What is decoded and on its way to the database, as a share of the most. */
let shareAhead = 0;
/** Requests that wait for their turn to be decoded, in order of arrival. */
const waiting: (() => void)[] = [];

function start(settings: DecodeWorkerStart): void {
  running = { settings, ingest: createLink(portChannel(settings.ingestPort)) };
}

function shareOf(spans: readonly IncomingSpan[]): number {
  let bytes = 0;
  for (const { attributes, events } of spans) bytes += attributes.length + events.length;
  return Math.max(spans.length / MOST_SPANS_AHEAD, bytes / MOST_BYTES_AHEAD);
}

function changeShare(difference: number): void {
  shareAhead += difference;
  if (shareAhead < 1) waiting.shift()?.();
}

async function exportSpans(message: ExportMessage): Promise<ExportOutcome> {
  if (running === null) throw fail("ingest.not_started", "unavailable", "The decode worker is not running");
  const { settings, ingest } = running;
  if (shareAhead >= 1 || waiting.length > 0) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  let share = 0;
  try {
    const { spans, rejections: undecoded } = decodeExport({
      ...message,
      defaultProject: settings.defaultProject,
      limitBytes: settings.maxDecompressedBodyBytes,
    });
    share = shareOf(spans);
    changeShare(share);
    const stored = await ingest.call<SpansOutcome>("spans", { spans } satisfies SpansMessage);
    const first = stored.rejections[0];
    const reasons = [undecoded.message, first === undefined ? "" : `span ${first.spanKey}: ${first.message}`];
    return {
      rejectedSpans: undecoded.count + stored.rejections.length,
      message: reasons.filter(Boolean).join("; "),
      rollupsPending: stored.rollupsPending,
    };
  } finally {
    changeShare(-share);
  }
}

reportRejections(parentChannel());
serveLink(parentChannel(), { start, export: exportSpans });
