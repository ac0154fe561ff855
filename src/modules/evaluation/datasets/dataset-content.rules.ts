// What an example says, and the hash by which equal ones are known: over the JSON of input, output and metadata with sorted keys.
import { findRowId } from "../../../kernel/ids.ts";
import { isRawNumber, type Json, type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import { EXAMPLE } from "./datasets.schema.ts";

/** Each the JSON text of an object. */
interface ExampleContent {
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

/** A content on its way into the database. */
export interface HashedContent extends ExampleContent {
  readonly hash: string;
}

/** Bytes of the hash. */
const HASH_BYTES = 16;

export function hashedContent(input: JsonObject, output: JsonObject, metadata: JsonObject): HashedContent {
  const canonical = `{"input":${canonicalJson(input)},"metadata":${canonicalJson(metadata)},"output":${canonicalJson(output)}}`;
  return {
    input: stringifyJson(input),
    output: stringifyJson(output),
    metadata: stringifyJson(metadata),
    hash: new Bun.CryptoHasher("sha256")
      .update(canonical)
      .digest("hex")
      .slice(0, 2 * HASH_BYTES),
  };
}

/** JSON with sorted keys, in which 1 and 1.0 are the same. */
function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isRawNumber(value)) {
    const number = Number(value.rawJSON);
    // Beyond 2^53 several integers have one double: those stay apart by their digits.
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? value.rawJSON : JSON.stringify(number);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(",")}}`;
}

/** How a sender names an example: by an id of ours, by one of its own, or not at all. */
export interface ExampleName {
  readonly externalId: string | null;
  /** Row id in an id of ours. */
  readonly namedExample: number | null;
}

export function exampleNameOf(id: string | null): ExampleName {
  const rowId = id === null ? null : findRowId(EXAMPLE, id);
  return rowId === null ? { externalId: id, namedExample: null } : { externalId: null, namedExample: rowId };
}
