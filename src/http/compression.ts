// gzip for answers worth it. Small ones are compressed on the spot, large ones off the event loop.
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const LEAST_BYTES = 1024;
const OFF_LOOP_BYTES = 32 * 1024;
/** Level 4 gives nine tenths of the gain of level 6 on JSON for half the time. */
const LEVEL = 4;
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[^;]*json|javascript|xml|yaml)|image\/svg)/i;
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

const gzipAway = promisify(gzip);

export function acceptsGzip(request: Request): boolean {
  const accepted = request.headers.get("accept-encoding");
  if (accepted === null || !ACCEPTS_GZIP.test(accepted)) return false;
  // The Python client reads parts of a multipart answer by their raw bytes.
  return !(request.headers.get("accept") ?? "").includes("multipart/mixed");
}

export function isCompressible(type: string | null): boolean {
  return type !== null && COMPRESSIBLE.test(type);
}

/** The compressed text, or null when it is too small to gain anything. */
export async function gzipText(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.byteLength < LEAST_BYTES) return null;
  if (bytes.byteLength < OFF_LOOP_BYTES) return Bun.gzipSync(bytes, { level: LEVEL });
  return (await gzipAway(bytes, { level: LEVEL })) as Uint8Array<ArrayBuffer>;
}
