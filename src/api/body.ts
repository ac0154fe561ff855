// Request bodies: read up to a limit, decoded, parsed without loss and checked, with the answers of `rest-traces.md` 1.5 to what
// is no JSON.
import type { Static, TSchema } from "@sinclair/typebox";
import { Failure, fail, type Violation } from "../kernel/failure.ts";
import { type Json, parseJson } from "../kernel/json.ts";
import { syntaxErrorOffset } from "../kernel/json-reader.ts";
import { missing, readValue } from "../kernel/validation.ts";
import type { Violations } from "../kernel/violations.ts";

const JSON_MEDIA_TYPE = /^application\/(?:json|[^;\s]+\+json)\s*(?:;|$)/i;

const decoder = new TextDecoder("utf-8", { fatal: true });

function tooLarge(limit: number) {
  return fail("request.too_large", "too_large", `The body is larger than ${limit} bytes`);
}

/** The raw body. Never holds more than `limit` bytes; beyond it throws kind `too_large`. A body that breaks off, because its
 *  sender went away or its chunks are none, is `malformed`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limit) throw tooLarge(limit);
  try {
    return announced === null ? await readPieces(request, limit) : await request.bytes();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw fail("request.cut_off", "malformed", "The connection ended before the body did", { cause });
  }
}

async function readPieces(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reads a JSON body by the schema; violations of the schema are added and make the result useless. Throws at once what
 *  forbids looking further: a syntax error (kind `invalid`), text that is not UTF-8 (`malformed`), a body beyond `limit` bytes. */
export async function readBody<Schema extends TSchema>(
  schema: Schema,
  request: Request,
  limit: number,
  violations: Violations,
): Promise<Static<Schema>> {
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) {
    violations.add(missing(["body"], null));
    return undefined as Static<Schema>;
  }
  const text = decode(bytes);
  if (!JSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? "")) {
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

function parse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
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
