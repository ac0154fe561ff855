// Where the keys and values of a span's attributes lie in the bytes of a request, without reading them.
import { doubleToJson, type Json } from "../../kernel/json.ts";
import { MOST_KEY_BYTES } from "./attribute-plans.ts";
import type { ProtobufReader } from "./protobuf.ts";

// Tags: field number × 8 + wire type.
const ATTRIBUTE = 74;
const KEY = 10;
const VALUE = 18;
const STRING = 10;
const BOOL = 16;
const INT = 24;
const DOUBLE = 33;

const MOST_ATTRIBUTES = 512;

/** Holds one span's attributes at a time. */
export class AttributeScan {
  readonly keyStarts = new Int32Array(MOST_ATTRIBUTES);
  readonly keyEnds = new Int32Array(MOST_ATTRIBUTES);
  /** Of texts without their tag and length, of other values without their tag. */
  readonly starts = new Int32Array(MOST_ATTRIBUTES);
  readonly ends = new Int32Array(MOST_ATTRIBUTES);
  count = 0;
  /** Of the bytes of all keys. */
  hash = 0;
  private readonly types = new Uint8Array(MOST_ATTRIBUTES);

  /** Finds the attributes that follow one another, the first of which has its tag read, and moves the reader behind them. False for
   *  what is not a text, a boolean or a number in the ordinary encoding; the reader is somewhere then. */
  read(reader: ProtobufReader, spanEnd: number): boolean {
    const { bytes } = reader;
    let keyBytes = 0;
    let hash = 0;
    let count = 0;
    for (;;) {
      if (count === MOST_ATTRIBUTES) return false;
      const end = reader.uint32() + reader.position;
      if (end > spanEnd || bytes[reader.position] !== KEY) return false;
      reader.position += 1;
      const keyLength = reader.uint32();
      const keyStart = reader.position;
      const keyEnd = keyStart + keyLength;
      keyBytes += keyLength;
      if (keyEnd >= end || keyBytes > MOST_KEY_BYTES || bytes[keyEnd] !== VALUE) return false;
      hash = Math.imul(hash ^ keyLength, 0x01000193);
      for (let i = keyStart; i < keyEnd; i += 1) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
      reader.position = keyEnd + 1;
      if (reader.uint32() + reader.position !== end || reader.position === end) return false;
      const type = bytes[reader.position]!;
      reader.position += 1;
      if (!isOrdinary(reader, type, end)) return false;
      this.keyStarts[count] = keyStart;
      this.keyEnds[count] = keyEnd;
      this.types[count] = type;
      this.starts[count] = reader.position;
      this.ends[count] = end;
      count += 1;
      reader.position = end;
      if (end === spanEnd || bytes[end] !== ATTRIBUTE) break;
      reader.position += 1;
    }
    this.count = count;
    this.hash = (hash ^ count) | 0;
    return true;
  }

  isText(position: number): boolean {
    return this.types[position] === STRING;
  }

  isInteger(position: number): boolean {
    return this.types[position] === INT;
  }

  /** The value of an attribute that is no text. Moves the reader. */
  scalarAt(reader: ProtobufReader, position: number): Json {
    reader.position = this.starts[position]!;
    const type = this.types[position]!;
    if (type === INT) return reader.int64();
    if (type === BOOL) return reader.uint32() !== 0;
    const double = reader.double();
    return Number.isInteger(double) ? doubleToJson(double) : double;
  }

  /** The value of any attribute, a text among those that are likely to come again; undefined at -1. */
  valueAt(reader: ProtobufReader, position: number): Json | undefined {
    if (position < 0) return undefined;
    if (!this.isText(position)) return this.scalarAt(reader, position);
    return reader.internedBetween(this.starts[position]!, this.ends[position]!);
  }
}

/** Whether a value of this type goes from here exactly to its end. Of a text the reader passes the length. */
function isOrdinary(reader: ProtobufReader, type: number, end: number): boolean {
  if (type === STRING) return reader.uint32() + reader.position === end;
  if (type === DOUBLE) return reader.position + 8 === end;
  if (type === BOOL) return reader.position + 1 === end && reader.bytes[reader.position]! <= 1;
  return type === INT && isVarint(reader.bytes, reader.position, end);
}

function isVarint(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end - 1; i += 1) if (bytes[i]! < 128) return false;
  return end > start && end - start <= 10 && bytes[end - 1]! < 128;
}
