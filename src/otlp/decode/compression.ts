// Unpacks request bodies with a hard limit on what comes out. `Bun.gunzipSync` knows no limit, `node:zlib` does.
import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { Failure, fail } from "../../kernel/failure.ts";
import { zstdFrames } from "./zstd-frames.ts";

type Unpack = (body: Uint8Array, limits: Limits) => Uint8Array;

interface Limits {
  readonly maxOutputLength: number;
  /** Bytes that are allocated at a time. */
  readonly chunkSize: number;
}

/** What a body of `PLAIN_BYTES` may unpack to without pieces that are put together afterwards. */
const PLAIN_CHUNK_BYTES = 1024 * 1024;
const PLAIN_BYTES = 64 * 1024;
/** Capacity beyond the output, or the runtime asks for more before it sees the end. */
const SPARE_BYTES = 64;

const unpackers = new Map<string, Unpack>([
  ["", (body) => body],
  ["identity", (body) => body],
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", unpackDeflate],
  ["zstd", unpackZstd],
]);

/** The body without its Content-Encoding (none, identity, gzip, deflate, zstd; any case). Fails with `otlp.body_too_large`
 *  (too_large) above `limitBytes` of output, `otlp.corrupt_compression` (invalid), `otlp.unknown_encoding` (unsupported). */
export function inflate(body: Uint8Array, encoding: string | null, limitBytes: number): Uint8Array {
  const name = (encoding ?? "").trim().toLowerCase();
  const unpack = unpackers.get(name);
  if (unpack === undefined) {
    throw fail("otlp.unknown_encoding", "unsupported", `Unsupported content encoding: ${encoding}`);
  }
  if (body.length > limitBytes) throw bodyTooLarge(limitBytes);
  if (body.length === 0) return body;
  try {
    // Pieces would be put together at the end, and a body of 200 MB takes 400. Pages that are never written to take no memory.
    const chunkSize = body.length <= PLAIN_BYTES ? PLAIN_CHUNK_BYTES : limitBytes + SPARE_BYTES;
    return unpack(body, { maxOutputLength: limitBytes, chunkSize });
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    if (codeOf(cause) === "ERR_BUFFER_TOO_LARGE") {
      // What was unpacked up to the limit is garbage, more than the collector knows of: twenty bombs in a row took 1.4 GB.
      Bun.gc(true);
      throw bodyTooLarge(limitBytes);
    }
    throw corrupt(name, cause);
  }
}

function bodyTooLarge(limitBytes: number): Failure {
  return fail("otlp.body_too_large", "too_large", `The body is larger than ${limitBytes} bytes`);
}

function corrupt(name: string, cause?: unknown): Failure {
  return fail("otlp.corrupt_compression", "invalid", `The body is not valid ${name} data`, { cause });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** `deflate` means zlib-wrapped data (RFC 1950); some senders leave the wrapping out. */
function unpackDeflate(body: Uint8Array, limits: Limits): Uint8Array {
  try {
    return inflateSync(body, limits);
  } catch (error) {
    if (codeOf(error) !== "Z_DATA_ERROR") throw error;
    return inflateRawSync(body, limits);
  }
}

function unpackZstd(body: Uint8Array, limits: Limits): Uint8Array {
  const frames = zstdFrames(body);
  if (frames === null) throw corrupt("zstd");
  if (frames.length === 1) return zstdDecompressSync(frames[0]!, limits);
  const parts: Uint8Array[] = [];
  let rest = limits.maxOutputLength;
  for (const frame of frames) {
    if (rest <= 0) throw bodyTooLarge(limits.maxOutputLength);
    const part = zstdDecompressSync(frame, { maxOutputLength: rest });
    rest -= part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
