// What a Parquet file says of itself, in Thrift's compact form, walked through before the library reads it: the library makes a list as
// long as it is declared to be, and lists may stand in lists.
import { readVarInt } from "hyparquet/src/thrift.js";

interface Reader {
  readonly view: DataView;
  offset: number;
}

/** Lists and structs within each other; the format has seven. */
const MOST_DEPTH = 16;

const BOOLEANS = [1, 2];
const BYTE = 3;
const INTEGERS = [4, 5, 6];
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
/** In the place of a length, which follows. */
const LONG_LIST = 15;

const broken = (problem: string) => new Error(`what it says of itself ${problem}`);

interface Walk {
  readonly reader: Reader;
  readonly most: number;
  count: number;
}

/** Throws an `Error` for a struct that is broken or has more than `most` values; it stays unread. */
export function requireShortStruct({ view, offset }: Reader, most: number): void {
  passStruct({ reader: { view, offset }, most, count: 0 }, 0);
}

function countValue(walk: Walk): void {
  if (++walk.count > walk.most) throw broken(`has more than ${walk.most} values`);
}

function passStruct(walk: Walk, depth: number): void {
  const { reader } = walk;
  for (;;) {
    const head = reader.view.getUint8(reader.offset++);
    const type = head & 0x0f;
    if (type === 0) return;
    if (head >> 4 === 0) passVarInt(reader);
    // In a struct the type is the value of a boolean.
    if (BOOLEANS.includes(type)) countValue(walk);
    else pass(walk, type, depth);
  }
}

function pass(walk: Walk, type: number, depth: number): void {
  const { reader } = walk;
  countValue(walk);
  if (depth > MOST_DEPTH) throw broken(`is nested more than ${MOST_DEPTH} times`);
  if (type === BYTE || BOOLEANS.includes(type)) reader.offset++;
  else if (INTEGERS.includes(type)) passVarInt(reader);
  else if (type === DOUBLE) reader.offset += 8;
  else if (type === BINARY) passBytes(reader);
  else if (type === LIST) passList(walk, depth);
  else if (type === STRUCT) passStruct(walk, depth + 1);
  else throw broken(`has a value of the unknown type ${type}`);
}

function passBytes(reader: Reader): void {
  const length = readVarInt(reader);
  if (length < 0 || length > reader.view.byteLength - reader.offset) throw broken("is cut off");
  reader.offset += length;
}

function passList(walk: Walk, depth: number): void {
  const { reader } = walk;
  const head = reader.view.getUint8(reader.offset++);
  const length = head >> 4 === LONG_LIST ? readVarInt(reader) : head >> 4;
  // Each value has a byte at least.
  if (length < 0 || length > reader.view.byteLength - reader.offset) throw broken("has a list that is longer than it");
  for (let at = 0; at < length; at++) pass(walk, head & 0x0f, depth + 1);
}

function passVarInt(reader: Reader): void {
  while (reader.view.getUint8(reader.offset++) & 0x80);
}
