// Pieces of large values: text of megabytes is stored in rows of bounded size, so that neither database holds it whole.
import { type IncomingLargeValue, LARGE_VALUE_PIECE_BYTES } from "../model/span.ts";

interface LargeValuePiece {
  readonly path: string;
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** What column `has_large` of a payload holds: the bytes of all its large values together, 0 without any. Rows of earlier
 *  versions hold 1 where there are some. */
export function largeBytes(values: readonly IncomingLargeValue[]): number {
  return values.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

/** Cuts a text into pieces of UTF-8; a piece may end inside a character, only their concatenation is text. */
export function* piecesOf(value: IncomingLargeValue): Generator<LargeValuePiece> {
  const bytes = typeof value.text === "string" ? Buffer.from(value.text, "utf8") : value.text;
  let seq = 0;
  for (let start = 0; start < bytes.length; start += LARGE_VALUE_PIECE_BYTES) {
    yield { path: value.path, seq: seq++, bytes: bytes.subarray(start, start + LARGE_VALUE_PIECE_BYTES) };
  }
}
