// Request bodies: read up to a limit, decoded, parsed without loss and checked, with fixed answers to
// bodies that are not JSON (docs/protocol/rest.md#bodies-and-values).
import type { Static, TSchema } from "@sinclair/typebox";
import { Failure, fail, type Violation } from "../kernel/failure.ts";
import { type Json, NumberRangeError, parseSentJson } from "../kernel/json.ts";
import { syntaxErrorOffset } from "../kernel/json-reader.ts";
import { hasMoreMembers, hasMoreOpenings } from "../kernel/json-size.ts";
import { missing, readValue } from "../kernel/validation.ts";
import type { Violations } from "../kernel/violations.ts";

const JSON_MEDIA_TYPE = /^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Lists and objects of one body that is read on the main thread. */
const MOST_PARTS = 100_000;

/** Throws kind `too_large` for a body of nothing but brackets, which takes long to parse and fifty times its size in memory. */
export function requireFewParts(bytes: Uint8Array, most = MOST_PARTS): void {
  if (!hasMoreOpenings(bytes, most)) return;
  throw fail("request.too_many_parts", "too_large", `The body has more than ${most} lists and objects`);
}

/** Throws kind `too_large` for a body whose objects have too many members: each takes a microsecond and more. */
export function requireBoundedMembers(bytes: Uint8Array, most: number): void {
  if (!hasMoreMembers(bytes, most)) return;
  throw fail("request.too_many_members", "too_large", `The objects of the body have more than ${most} members`);
}

/** The refusal of a body beyond `limit` bytes. */
export function tooLarge(limit: number): Failure {
  return fail("request.too_large", "too_large", `The body is larger than ${limit} bytes`);
}

/** Bytes of the body as its sender announced them, 0 when it did not. Throws kind `too_large` above `limit`. */
export function announcedBytes(request: Request, limit: number): number {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limit) throw tooLarge(limit);
  return announced;
}

interface BodyBounds {
  /** Beyond it the body is `too_large`. */
  readonly bytes: number;
  readonly silenceMs: number;
}

/** Beyond so many milliseconds without a byte the sender of a body is taken for gone. */
export const BODY_SILENCE_MILLISECONDS = 30_000;

/** The raw body. Never holds more than `limit` bytes; beyond it throws kind `too_large`. A body that breaks off, because its
 *  sender went away or its chunks are malformed, is `malformed`; one of which nothing arrives for `silenceMs` is `timed_out`.
 *  `onBytes` is called with the bytes as they arrive, and ends the reading by throwing. */
export async function readBytes(
  request: Request,
  limit: number,
  silenceMs = BODY_SILENCE_MILLISECONDS,
  onBytes: (bytes: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = announcedBytes(request, limit);
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  try {
    const next = () => withinTime(reader.read(), silenceMs);
    return announced > IN_PIECES_BYTES
      ? await readAnnounced(next, announced, onBytes)
      : await readPieces(next, limit, onBytes);
  } catch (cause) {
    reader.cancel().catch(() => {});
    if (cause instanceof Failure) throw cause;
    throw fail("request.cut_off", "malformed", "The connection ended before the body did", { cause });
  }
}

type Piece = { readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined };

/** Announced bodies up to this many bytes are put together of their pieces. */
const IN_PIECES_BYTES = 256 * 1024;

/** Pages that nothing was written to take no memory: the body stands there once, and grows as it arrives. */
async function readAnnounced(
  next: () => Promise<Piece>,
  announced: number,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(announced);
  let size = 0;
  for (let piece = await next(); !piece.done; piece = await next()) {
    if (piece.value === undefined) continue;
    onBytes(piece.value.byteLength);
    whole.set(piece.value, size);
    size += piece.value.byteLength;
  }
  return whole.subarray(0, size);
}

async function readPieces(
  next: () => Promise<Piece>,
  limit: number,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let piece = await next(); !piece.done; piece = await next()) {
    if (piece.value === undefined) continue;
    size += piece.value.byteLength;
    if (size > limit) throw tooLarge(limit);
    onBytes(piece.value.byteLength);
    pieces.push(piece.value);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

async function withinTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(silent(milliseconds)), milliseconds);
  try {
    return await Promise.race([work, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function silent(milliseconds: number) {
  const message = `Nothing of the body has arrived for ${milliseconds / 1000} seconds`;
  return fail("request.silent", "timed_out", message);
}

/** Reads a JSON body by the schema; violations of the schema are added and make the result useless. Throws at once what
 *  forbids looking further: a syntax error (kind `invalid`), text that is not UTF-8 (`malformed`), a body beyond its bounds. */
export async function readBody<Schema extends TSchema>(
  schema: Schema,
  request: Request,
  bounds: BodyBounds,
  violations: Violations,
): Promise<Static<Schema>> {
  const bytes = await readBytes(request, bounds.bytes, bounds.silenceMs);
  return bodyOf(schema, bytes, request.headers.get("content-type"), violations);
}

/** The same of a body that was read. Also throws kind `too_large` for more than `mostParts` lists and objects. */
export function bodyOf<Schema extends TSchema>(
  schema: Schema,
  bytes: Uint8Array,
  contentType: string | null,
  violations: Violations,
  mostParts = MOST_PARTS,
): Static<Schema> {
  requireFewParts(bytes, mostParts);
  if (bytes.byteLength === 0) {
    violations.add(missing(["body"], null));
    return undefined as Static<Schema>;
  }
  const text = decode(bytes);
  if (!JSON_MEDIA_TYPE.test(contentType ?? "")) {
    violations.add({ type: "model_attributes_type", loc: ["body"], msg: "Must be a JSON object", input: text });
    return undefined as Static<Schema>;
  }
  return readValue(schema, parse(text), ["body"], violations);
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw fail("request.not_utf8", "malformed", "The body is not UTF-8");
  }
}

function numberRefused({ message }: NumberRangeError): Failure {
  const violation: Violation = { type: "finite_number", loc: ["body"], msg: message, input: {} };
  return fail("request.number_range", "invalid", message, { violations: [violation] });
}

function parse(text: string): Json {
  try {
    return parseSentJson(text);
  } catch (error) {
    if (error instanceof NumberRangeError) throw numberRefused(error);
    const offset = syntaxErrorOffset(text);
    const violation: Violation = {
      type: "json_invalid",
      loc: ["body", offset],
      msg: "The body is not JSON",
      input: {},
      ctx: { error: offset >= text.length ? "Unexpected end" : `Unexpected character at ${offset}` },
    };
    throw fail("request.invalid_json", "invalid", "The body is not JSON", { violations: [violation] });
  }
}
