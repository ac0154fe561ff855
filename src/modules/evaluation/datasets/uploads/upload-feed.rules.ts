// Takes the body of an upload out of its request: feeds it to its thread, and hands out the rows that are ready.
import { tooLarge } from "../../../../api/body.ts";
import { Failure, fail } from "../../../../kernel/failure.ts";
import { movable } from "../../../../kernel/link.ts";
import type { UploadReading } from "./upload-body.rules.ts";
import { tooManySentBytes, type UploadLimits, uploadTooSlow } from "./upload-limits.rules.ts";
import type { UploadFacts, UploadSource } from "./upload-parts.rules.ts";

/** Bytes that are fed at once: a packed piece may grow a thousand times. */
const PIECE_BYTES = 64 * 1024;

/** Beyond so many milliseconds without a byte the sender is taken for gone. */
const SILENCE_MILLISECONDS = 30_000;

/** What an upload may take, and what is asked while it is read. */
export interface UploadBounds {
  /** Bytes of a file, as sent. */
  readonly maxBytes: number;
  /** Bytes of a JSON document. */
  readonly bodyLimit: number;
  /** Until all of it is read. */
  readonly maxSeconds: number;
  readonly limits: UploadLimits;
  /** Throws kind `locked` while nothing may be added to the database. */
  readonly requireUnlocked: () => Promise<void>;
}

/** The rows of the request, in order. Throws kind `malformed` when the connection ends before the body does. */
export function uploadSource(request: Request, reading: UploadReading, bounds: UploadBounds): UploadSource {
  const deadline = performance.now() + bounds.maxSeconds * 1000;
  const pieces = piecesOf(request, bounds, deadline);
  let isBegun = false;
  let facts: UploadFacts | null = null;
  let isTaken = false;
  let hasPart = false;

  async function next() {
    if (!isBegun) await reading.begin(bounds.limits);
    isBegun = true;
    for (;;) {
      // The client may be gone while a piece unpacks to many rows.
      if (request.signal.aborted) throw cutOff();
      if (performance.now() > deadline) throw uploadTooSlow(bounds.maxSeconds);
      await bounds.requireUnlocked();
      const part = hasPart ? await reading.take() : null;
      if (part !== null) return part;
      isTaken = facts !== null;
      if (isTaken) return null;
      const { done, value } = await pieces.next();
      if (done === true) facts = await reading.end();
      hasPart = facts !== null || (await reading.feed(value!));
    }
  }

  return {
    next,
    async facts() {
      if (facts === null || !isTaken)
        throw fail("datasets.upload_not_read", "internal", "The upload has not been read");
      return facts;
    },
  };
}

async function* piecesOf(
  request: Request,
  { bodyLimit, maxBytes, maxSeconds }: UploadBounds,
  deadline: number,
): AsyncGenerator<Uint8Array> {
  const isFile = /^multipart\//.test(request.headers.get("content-type") ?? "");
  // A JSON document is held whole, a file is not.
  const limit = isFile ? maxBytes : bodyLimit;
  const refusal = () => (isFile ? tooManySentBytes(limit) : tooLarge(limit));
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw refusal();
  if (request.body === null) return;
  let size = 0;
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), deadline, maxSeconds);
      if (done) return;
      size += value.byteLength;
      if (size > limit) throw refusal();
      // What crosses takes its whole buffer along.
      const { byteLength } = value;
      for (let at = 0; at < byteLength; at += PIECE_BYTES) yield movable(value.subarray(at, at + PIECE_BYTES));
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw cutOff(cause);
  } finally {
    reader.cancel().catch(() => {});
  }
}

function cutOff(cause?: unknown): Failure {
  const message = "The connection ended before the body did";
  return fail("request.cut_off", "malformed", message, cause === undefined ? {} : { cause });
}

async function withinTime<Result>(work: Promise<Result>, deadline: number, maxSeconds: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const left = Math.max(0, deadline - performance.now());
  const isSilence = left > SILENCE_MILLISECONDS;
  const timer = setTimeout(
    () => late.reject(isSilence ? silent() : uploadTooSlow(maxSeconds)),
    isSilence ? SILENCE_MILLISECONDS : left,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function silent(): Failure {
  const message = `Nothing of the body has arrived for ${SILENCE_MILLISECONDS / 1000} seconds`;
  return fail("request.silent", "timed_out", message);
}
