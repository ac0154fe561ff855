// How large an upload may be. Each bound is counted where the bytes, rows or values are read, and its refusal names the setting.
import { type Failure, fail } from "../../../../kernel/failure.ts";

/** What the thread that reads an upload counts. */
export interface UploadLimits {
  /** Bytes that the file unpacks to, and those of the examples as JSON. */
  readonly maxUnpackedBytes: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Values in the JSON of one row. */
  readonly maxRowMembers: number;
  readonly spool: SpoolLimits;
}

/** Where files are kept that must be whole before they are read. */
export interface SpoolLimits {
  /** Made when it is needed. */
  readonly folder: string;
  /** Of all uploads together. */
  readonly maxBytes: number;
  /** Free bytes of its disk below which nothing is kept; 0 for never. */
  readonly minimumFreeBytes: number;
}

const tooLarge = (what: string, setting: string) =>
  fail("datasets.upload_too_large", "too_large", `${what} (${setting})`);

export const tooManySentBytes = (most: number) =>
  tooLarge(`The upload has more than ${most} bytes`, "SERVICE_MAX_UPLOAD_BYTES");

export const tooManyUnpackedBytes = (what: string, most: number) =>
  tooLarge(`${what} more than ${most} bytes`, "SERVICE_MAX_UPLOAD_UNPACKED_BYTES");

export const tooManyRows = (most: number) =>
  tooLarge(`The upload has more than ${most} rows`, "SERVICE_MAX_UPLOAD_ROWS");

export const tooManyColumns = (place: string, most: number) =>
  tooLarge(`${place}: there are more than ${most} columns`, "SERVICE_MAX_UPLOAD_COLUMNS");

export const tooManySpooledBytes = (most: number) =>
  tooLarge(`file: has more than ${most} bytes unpacked`, "SERVICE_MAX_UPLOAD_SPOOL_BYTES");

export const spoolIsFull = () =>
  fail(
    "datasets.upload_spool_full",
    "unavailable",
    "Other uploads keep too many bytes of files at the moment (SERVICE_MAX_UPLOAD_SPOOL_BYTES)",
    { retryAfterSeconds: 30 },
  );

export const tooManyUploads = (most: number) =>
  fail(
    "datasets.uploads_full",
    "unavailable",
    `${most} uploads are under way, and there may be no more (SERVICE_MAX_UPLOADS_AT_ONCE)`,
    { retryAfterSeconds: 5 },
  );

export const uploadTooSlow = (seconds: number) =>
  fail(
    "datasets.upload_too_slow",
    "timed_out",
    `The upload has taken more than ${seconds} seconds (SERVICE_MAX_UPLOAD_SECONDS)`,
  );

/** Throws kind `too_large` for a text of JSON with more values than `most`. Cheap enough to be asked before it is parsed. */
export function requireFewMembers(text: string, most: number, place: string): void {
  // One that is followed by another takes two characters.
  if (text.length <= 2 * most || countMembers(text, most) <= most) return;
  throw tooManyMembers(place, most);
}

export function tooManyMembers(place: string, most: number): Failure {
  return tooLarge(`${place}: has more than ${most} values`, "SERVICE_MAX_UPLOAD_ROW_MEMBERS");
}

/** The same of each entry of the lists that a document holds, before all of it is parsed: in memory it has many times its bytes. */
export function requireFewMembersInRows(document: Uint8Array, most: number): void {
  if (document.byteLength <= 2 * most) return;
  let [depth, row, members] = [0, 1, 0];
  for (let at = 0; at < document.byteLength; at++) {
    const byte = document[at]!;
    if (byte === QUOTE) at = endOfTextIn(document, at);
    else if (OPENINGS.includes(byte)) {
      depth++;
      if (depth === LIST_DEPTH) [row, members] = [1, 0];
      else if (depth > LIST_DEPTH) members++;
    } else if (CLOSINGS.includes(byte)) depth--;
    else if (byte === COMMA && depth === LIST_DEPTH) [row, members] = [row + 1, 0];
    else if (byte === COMMA && depth > LIST_DEPTH) members++;
    if (members > most) throw tooManyMembers(`Row ${row}`, most);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENINGS = [0x5b, 0x7b];
const CLOSINGS = [0x5d, 0x7d];
/** Of the entries of `inputs` and the other lists. */
const LIST_DEPTH = 2;

function endOfTextIn(document: Uint8Array, start: number): number {
  for (let at = start + 1; at < document.byteLength; at++) {
    if (document[at] === QUOTE) return at;
    if (document[at] === BACKSLASH) at++;
  }
  return document.byteLength;
}

/** Commas and openings outside of texts: each stands before a value. Ends beyond `most`. */
function countMembers(text: string, most: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfText(text, at);
    else if (unit === COMMA || OPENINGS.includes(unit)) count++;
  }
  return count;
}

/** Where the quote is that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
