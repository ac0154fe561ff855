// The attribute values of OTLP (AnyValue, KeyValue) in protobuf. Nesting is bounded: what lies deeper is kept as base64 text
// of its bytes.
import { doubleToJson, emptyObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { MAX_VALUE_DEPTH } from "../../model/attributes/depth.ts";
import type { DecodedAttributes, DecodedValue } from "../decoded/decoded.ts";
import type { ProtobufReader } from "./protobuf.ts";

// Tags: field number × 8 + wire type.
const KEY = 10;
const VALUE = 18;
/** Elements of a list and members of an object are field 1 of their message. */
const ITEM = 10;
const STRING = 10;
const BOOL = 16;
const INT = 24;
const DOUBLE = 33;
const LIST = 42;
const OBJECT = 50;
const BYTES = 58;

/** Reads a pair into the attributes and returns its key. */
export function keyValue(reader: ProtobufReader, attributes: DecodedAttributes): string {
  reader.countItem();
  const end = reader.messageEnd();
  let key = "";
  let value: DecodedValue = null;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === KEY) key = reader.internedText();
    else if (tag === VALUE) value = anyValue(reader, 0);
    else reader.skip(tag);
  }
  reader.finish(end);
  attributes.set(key, value);
  return key;
}

/** A value whose length comes next; of several arms the last counts. */
export function anyValue(reader: ProtobufReader, depth: number): DecodedValue {
  const end = reader.messageEnd();
  let value: DecodedValue = null;
  while (reader.position < end) {
    const tag = reader.tag();
    switch (tag) {
      case STRING:
        value = reader.text();
        break;
      case BOOL:
        value = reader.uint32() !== 0;
        break;
      case INT:
        value = reader.int64();
        break;
      case DOUBLE:
        value = doubleValue(reader.double());
        break;
      case LIST:
        value = depth < MAX_VALUE_DEPTH ? list(reader, depth + 1) : encoded(reader);
        break;
      case OBJECT:
        value = depth < MAX_VALUE_DEPTH ? object(reader, depth + 1) : encoded(reader);
        break;
      case BYTES:
        value = depth === 0 ? reader.byteString() : encoded(reader);
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.finish(end);
  return value;
}

/** NaN and the infinities stay numbers here, apart from a value that is not set. */
function doubleValue(value: number): Json {
  return Number.isInteger(value) ? doubleToJson(value) : value;
}

function list(reader: ProtobufReader, depth: number): Json[] {
  reader.countItem();
  const end = reader.messageEnd();
  const items: Json[] = [];
  while (reader.position < end) {
    const tag = reader.tag();
    // Bytes are read as text from the first level on.
    if (tag === ITEM) items.push(anyValue(reader, depth) as Json);
    else reader.skip(tag);
  }
  reader.finish(end);
  return items;
}

function object(reader: ProtobufReader, depth: number): JsonObject {
  reader.countItem();
  const end = reader.messageEnd();
  const members = emptyObject();
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag !== ITEM) {
      reader.skip(tag);
      continue;
    }
    reader.countItem();
    const memberEnd = reader.messageEnd();
    let key = "";
    let value: DecodedValue = null;
    while (reader.position < memberEnd) {
      const inner = reader.tag();
      if (inner === KEY) key = reader.internedText();
      else if (inner === VALUE) value = anyValue(reader, depth);
      else reader.skip(inner);
    }
    reader.finish(memberEnd);
    members[key] = value as Json;
  }
  reader.finish(end);
  return members;
}

/** Bytes as base64 text: byte strings inside values, and parts that nest deeper than allowed. */
function encoded(reader: ProtobufReader): string {
  const end = reader.messageEnd();
  const text = reader.base64Between(reader.position, end);
  reader.position = end;
  return text;
}
