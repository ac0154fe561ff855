// Reads the protobuf wire format with bounds. Never trusts a length; hot loops read one field after the other without
// allocating.
import { integerToJson, type Json } from "../../kernel/json.ts";
import { MAX_ITEMS, tooManyItems, undecodable } from "../decoded/decoded.ts";

const INTERNED_SLOTS = 4096;
const INTERNED_BYTES = 128;

interface Interned {
  readonly bytes: Uint8Array;
  readonly text: string;
}
/** Texts that come again and again, one a slot: the newest wins, so a flood of odd keys takes neither memory nor speed. */
const interned: (Interned | undefined)[] = new Array<Interned | undefined>(INTERNED_SLOTS).fill(undefined);

/** Positions run past the end only until the enclosing `finish`: bytes beyond it read as 0, so every loop ends. */
export class ProtobufReader {
  position = 0;
  /** Fields read so far: the measure of work, never more than there are bytes. */
  fields = 0;
  private items = 0;
  private readonly buffer: Buffer;

  constructor(readonly bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Field number and wire type of the next field. */
  tag(): number {
    this.fields += 1;
    const tag = this.uint32();
    if (tag < 8) throw undecodable("field number 0");
    return tag;
  }

  /** A varint, of which the low 32 bits count. */
  uint32(): number {
    const bytes = this.bytes;
    let byte = bytes[this.position++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 70; shift += 7) {
      byte = bytes[this.position++] ?? 0;
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw undecodable("a number of more than ten bytes");
  }

  /** A varint as a signed integer of 64 bits. */
  int64(): Json {
    const bytes = this.bytes;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[this.position++] ?? 0;
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte >= 128) continue;
      const value = high * 4294967296 + (low >>> 0);
      return Number.isSafeInteger(value) ? value : integerToJson((BigInt(high) << 32n) | BigInt(low >>> 0));
    }
    throw undecodable("a number of more than ten bytes");
  }

  fixed32(): number {
    const start = this.take(4);
    return this.buffer.readUInt32LE(start);
  }

  double(): number {
    const start = this.take(8);
    return this.buffer.readDoubleLE(start);
  }

  /** Nanoseconds as microseconds, rounded half up (`kernel/time.ts`), without the detour over big integers:
   *  2^32 ns = 4,294,967 µs + 296 ns. */
  microseconds(): number {
    const start = this.take(8);
    const low = this.buffer.readUInt32LE(start);
    const high = this.buffer.readUInt32LE(start + 4);
    const value = high * 4_294_967 + Math.floor((high * 296 + low + 500) / 1000);
    return Math.min(value, Number.MAX_SAFE_INTEGER);
  }

  /** End position of an embedded message whose length comes next. */
  messageEnd(): number {
    const length = this.uint32();
    const end = this.position + length;
    if (end > this.bytes.length) throw undecodable("it ends early");
    return end;
  }

  /** Must be called after the last field of a message: fields may not reach beyond it. */
  finish(end: number): void {
    if (this.position !== end) throw undecodable("a field reaches beyond its message");
  }

  /** A text; invalid UTF-8 and NUL become U+FFFD. */
  text(): string {
    const length = this.uint32();
    if (length === 0) return "";
    const start = this.take(length);
    return this.textBetween(start, start + length);
  }

  /** The same of bytes whose place is known. */
  textBetween(start: number, end: number): string {
    return storable(this.buffer.toString("utf8", start, end));
  }

  /** A text that is likely to come again, such as a key. */
  internedText(): string {
    const length = this.uint32();
    if (length === 0) return "";
    const start = this.take(length);
    return this.internedBetween(start, start + length);
  }

  internedBetween(start: number, end: number): string {
    const length = end - start;
    if (length > INTERNED_BYTES) return this.textBetween(start, end);
    const bytes = this.bytes;
    let hash = length;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    const slot = (hash ^ (hash >>> 12)) & (INTERNED_SLOTS - 1);
    const known = interned[slot];
    if (known !== undefined && known.bytes.length === length) {
      let i = 0;
      while (i < length && known.bytes[i] === bytes[start + i]) i += 1;
      if (i === length) return known.text;
    }
    const text = this.textBetween(start, end);
    // A copy: `slice` of a Buffer would share its memory, which may be reused.
    interned[slot] = { bytes: new Uint8Array(bytes.subarray(start, end)), text };
    return text;
  }

  hex(): string {
    const length = this.uint32();
    const start = this.take(length);
    return this.buffer.toString("hex", start, start + length);
  }

  byteString(): Uint8Array {
    const length = this.uint32();
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  base64Between(start: number, end: number): string {
    return this.buffer.toString("base64", start, end);
  }

  /** Steps over the field whose tag was just read. */
  skip(tag: number): void {
    const wireType = tag & 7;
    if (wireType === 0) this.uint32();
    else if (wireType === 1) this.take(8);
    else if (wireType === 2) this.take(this.uint32());
    else if (wireType === 5) this.take(4);
    else throw undecodable(`wire type ${wireType}`);
  }

  /** Counts a part that takes memory of its own. */
  countItem(): void {
    this.countItems(1);
  }

  countItems(count: number): void {
    this.items += count;
    if (this.items > MAX_ITEMS) throw tooManyItems();
  }

  protected take(length: number): number {
    const start = this.position;
    const end = start + length;
    if (end > this.bytes.length) throw undecodable("it ends early");
    this.position = end;
    return start;
  }
}

/** Reads the same with the same failures and makes no texts: to know that a message is sound. */
export class ProtobufChecker extends ProtobufReader {
  override text(): string {
    this.take(this.uint32());
    return "";
  }

  override internedText(): string {
    return this.text();
  }

  override hex(): string {
    return this.text();
  }

  override base64Between(): string {
    return "";
  }
}

/** Decoded UTF-8 is well formed already; only NUL is left to replace. */
function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
