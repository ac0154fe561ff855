// The decode worker, a composition root: it unpacks, decodes and normalises export requests and hands the spans
// to the ingest worker. Decoding takes a third of what a span costs; beside the writer it takes nothing of its time.
import { crossingSpans } from "../../ingest/crossing-spans.ts";
import type { CrossingLogs } from "../../ingest/incoming-logs.ts";
import type { DecodeWorkerStart, ExportMessage, ExportOutcome, SpansOutcome } from "../../ingest/ingest-messages.ts";
import { weightOfAll } from "../../ingest/span-weight.ts";
import { fail } from "../../kernel/failure.ts";
import { createGarbageCount } from "../../kernel/free-bytes.ts";
import { createLink, gathered, type Link, parentChannel, portChannel, serveLink } from "../../kernel/link.ts";
import { createMutex } from "../../kernel/mutex.ts";
import { reportRejections } from "../../kernel/rejections.ts";
import type { IncomingSpan } from "../../model/span.ts";
import { decodeInParts, type Rejections } from "../decode/export.ts";
import { decodeLogs } from "../logs/decode-logs.ts";

let running: { readonly settings: DecodeWorkerStart; readonly ingest: Link } | null = null;
/** What the ingest worker may have from us at once, in spans and in their weight: two batches keep it busy. Beyond that,
 *  requests wait as the bytes that were sent, which take a fraction of the memory of decoded spans. */
const MOST_SPANS_AHEAD = 4000;
const MOST_WEIGHT_AHEAD = 16 * 1024 * 1024;
/** A request that weighs more is handed on in parts. */
const PART_WEIGHT = 4 * 1024 * 1024;

/** Of decoded spans, before they are collected; each has been packed by then. */
const MOST_GARBAGE_WEIGHT = 16 * 1024 * 1024;

/** What is decoded and on its way to the database, as a share of the most. */
let shareAhead = 0;
let wake = () => {};
/** Whether the last request was large: what it left is collected before the next one takes its place. */
let wasLarge = false;
/** One request is unpacked at a time, and stays so until all of it is handed on; in order of arrival. */
const unpacking = createMutex();

function start(settings: DecodeWorkerStart): void {
  running = { settings, ingest: createLink(gathered(portChannel(settings.ingestPort))) };
}

async function capacityAhead(): Promise<void> {
  while (shareAhead >= 1) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

type Stored = PromiseSettledResult<SpansOutcome>;

/** Takes the spans out of their list, so that nothing here holds them while they are stored. Never rejects: there is no listener before
 *  all parts are handed on. */
function handOn(
  ingest: Link,
  spans: IncomingSpan[],
  { continues, isUntraced }: { readonly continues: boolean; readonly isUntraced: boolean },
): Promise<Stored> {
  const weight = weightOfAll(spans);
  const share = Math.max(spans.length / MOST_SPANS_AHEAD, weight / MOST_WEIGHT_AHEAD);
  const { message, moved } = crossingSpans(spans.splice(0), continues);
  shareAhead += share;
  countGarbage(weight);
  wasLarge = continues || weight > PART_WEIGHT;
  const sent = isUntraced ? { ...message, isUntraced } : message;
  return settled(ingest.call<SpansOutcome>("spans", sent, moved), share);
}

/** The collector looks for what is in use on the stack, too, so that it finds most from an empty one. */
const countGarbage = createGarbageCount(MOST_GARBAGE_WEIGHT, () => setImmediate(() => Bun.gc(true)));

/** As the count does, and waits for it. */
async function collect(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  Bun.gc(true);
}

async function settled(storing: Promise<SpansOutcome>, share: number): Promise<Stored> {
  const [outcome] = await Promise.allSettled([storing]);
  shareAhead -= share;
  wake();
  return outcome;
}

const NOTHING_UNDECODED: Rejections = { count: 0, message: "" };

/** Hands all spans of a request on, in parts where they are many; resolves when the last one is on its way. */
async function decodeAndHandOn(message: ExportMessage, { settings, ingest }: NonNullable<typeof running>) {
  const release = await unpacking.acquire();
  try {
    await capacityAhead();
    if (wasLarge) await collect();
    const handedOn: Promise<Stored>[] = [];
    let hasFailed = false;
    const request = {
      ...message,
      defaultProject: settings.defaultProject,
      limitBytes: settings.maxDecompressedBodyBytes,
      takesBody: true,
    };
    const parts = decodeInParts(request, PART_WEIGHT);
    let part = parts.next();
    // When a part was refused, the sender is asked to repeat the whole request.
    for (; part.done !== true && !hasFailed; part = parts.next()) {
      const { isUntraced = false } = message;
      const stored = handOn(ingest, part.value, { continues: handedOn.length > 0, isUntraced });
      handedOn.push(stored);
      void stored.then(({ status }) => {
        hasFailed ||= status === "rejected";
      });
      if (wasLarge) await collect();
      await capacityAhead();
    }
    parts.return(NOTHING_UNDECODED);
    return { handedOn, undecoded: part.done === true ? part.value : NOTHING_UNDECODED };
  } finally {
    release();
  }
}

async function exportSpans(message: ExportMessage): Promise<ExportOutcome> {
  if (running === null) throw fail("ingest.not_started", "unavailable", "The decode worker is not running");
  const { handedOn, undecoded } = await decodeAndHandOn(message, running);
  const stored = (await Promise.all(handedOn)).map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
  const rejections = stored.flatMap((outcome) => outcome.rejections);
  const first = rejections[0];
  const reasons = [undecoded.message, first === undefined ? "" : `span ${first.spanKey}: ${first.message}`];
  return {
    rejectedSpans: undecoded.count + rejections.length,
    message: reasons.filter(Boolean).join("; "),
    rollupsPending: stored.some((outcome) => outcome.rollupsPending),
  };
}

async function readLogs(message: ExportMessage): Promise<CrossingLogs> {
  if (running === null) throw fail("ingest.not_started", "unavailable", "The decode worker is not running");
  const { defaultProject, maxDecompressedBodyBytes } = running.settings;
  const release = await unpacking.acquire();
  try {
    const { spans, ...others } = decodeLogs({ ...message, defaultProject, limitBytes: maxDecompressedBodyBytes });
    return { ...others, spans: crossingSpans(spans, false).message };
  } finally {
    release();
  }
}

reportRejections(parentChannel());
serveLink(gathered(parentChannel()), { start, export: exportSpans, logs: readLogs });
