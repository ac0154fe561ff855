// Decodes an export request in OTLP/JSON into the same form as the protobuf decoder. Unknown fields are ignored; a span with
// a field of a wrong type is left out and named, the others are kept.
import { Failure, messageOf } from "../../kernel/failure.ts";
import {
  doubleToJson,
  emptyObject,
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  parseJson,
} from "../../kernel/json.ts";
import { hasMoreOpenings } from "../../kernel/json-size.ts";
import { storableText } from "../../kernel/validation-scalars.ts";
import { deepText, MAX_VALUE_DEPTH } from "../../model/attributes/depth.ts";
import {
  type DecodedAttributes,
  type DecodedEvent,
  type DecodedExport,
  type DecodedLink,
  type DecodedResource,
  type DecodedScope,
  type DecodedSpan,
  type DecodedValue,
  MAX_ITEMS,
  projectNameFrom,
  tooManyItems,
  undecodable,
} from "../decoded/decoded.ts";
import {
  countField,
  enumField,
  fieldOf,
  idField,
  instantField,
  integerOfField,
  listField,
  objectField,
  textField,
} from "./json-fields.ts";

export const TRACE_ID_BYTES = 16;
export const SPAN_ID_BYTES = 8;
const SPAN_KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"].map(
  (it) => `SPAN_KIND_${it}`,
);
const STATUS_CODES = ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"];

/** An attribute takes two objects and each element of a list one, so this is roomier than MAX_ITEMS. */
const MAX_OPENINGS = 4 * MAX_ITEMS;
// A number without quotes that a double cannot hold. It may match inside text, which only costs time.
const LONG_NUMBER = /[:[,]\s*-?\d{16}/;

/** The memory of a larger body is given back at once, and that of its text. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Decodes the bytes of a request, and says when it needs them no more. Fails with `otlp.undecodable` (invalid) or
 *  `otlp.too_many_items` (too_large), never otherwise. */
export function decodeJson(bytes: Uint8Array, onRead: () => void = () => {}): DecodedExport {
  const request = readJsonBody(bytes, onRead);
  const unreadable: string[] = [];
  try {
    const resources = listField(request, "resourceSpans").map((each) => resourceSpans(each, unreadable));
    return { resources, unreadable };
  } catch (error) {
    if (error instanceof Failure && error.kind !== "too_large") throw undecodable(error.message, error);
    throw error;
  }
}

/** The object in the bytes of a request, of which they are the text. Fails as `decodeJson` does. */
export function readJsonBody(bytes: Uint8Array, onRead: () => void): JsonObject {
  requireFewOpenings(bytes);
  const collect = bytes.length > LARGE_BYTES ? () => Bun.gc(true) : () => {};
  const request = parseBody(bytes, () => {
    onRead();
    collect();
  });
  collect();
  return request;
}

function parseBody(bytes: Uint8Array, onRead: () => void): JsonObject {
  let body: Json;
  try {
    const text = new TextDecoder().decode(bytes);
    onRead();
    body = text.trim() === "" ? {} : LONG_NUMBER.test(text) ? parseJson(text) : (JSON.parse(text) as Json);
  } catch (cause) {
    throw undecodable(cause instanceof RangeError ? "it nests too deeply" : messageOf(cause), cause);
  }
  if (!isJsonObject(body)) throw undecodable("it is not a JSON object");
  return body;
}

/** Refuses before parsing what would take far more memory than its own size. */
function requireFewOpenings(bytes: Uint8Array): void {
  if (hasMoreOpenings(bytes, MAX_OPENINGS)) throw tooManyItems();
}

function resourceSpans(group: JsonObject, unreadable: string[]): DecodedResource {
  return {
    ...resourceIn(group),
    scopes: listField(group, "scopeSpans").map((each) => scopeSpans(each, unreadable)),
  };
}

/** What a group of spans or log records says about their resource. */
export function resourceIn(group: JsonObject): Omit<DecodedResource, "scopes"> {
  const resource = objectField(group, "resource") ?? emptyObject();
  let projectName: string | null = null;
  for (const pair of listField(resource, "attributes")) {
    projectName = projectNameFrom(projectName, textField(pair, "key"), valueIn(pair, 0));
  }
  return {
    attributes: attributesIn(resource),
    projectName,
    droppedAttributes: countField(resource, "droppedAttributesCount"),
    schemaUrl: textField(group, "schemaUrl"),
  };
}

function scopeSpans(group: JsonObject, unreadable: string[]): DecodedScope {
  const spans: DecodedSpan[] = [];
  for (const each of listField(group, "spans")) {
    try {
      spans.push(span(each));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      unreadable.push(error.message);
    }
  }
  return { ...scopeIn(group), spans };
}

/** What a group of spans or log records says about the library that made them. */
export function scopeIn(group: JsonObject): Omit<DecodedScope, "spans"> {
  const scope = objectField(group, "scope") ?? emptyObject();
  return {
    name: textField(scope, "name"),
    version: textField(scope, "version"),
    attributes: attributesIn(scope),
    droppedAttributes: countField(scope, "droppedAttributesCount"),
    schemaUrl: textField(group, "schemaUrl"),
  };
}

function span(each: JsonObject): DecodedSpan {
  const status = objectField(each, "status") ?? emptyObject();
  return {
    traceId: idField(each, "traceId", TRACE_ID_BYTES),
    spanId: idField(each, "spanId", SPAN_ID_BYTES),
    parentSpanId: idField(each, "parentSpanId", SPAN_ID_BYTES),
    traceState: textField(each, "traceState"),
    name: textField(each, "name"),
    kind: enumField(each, "kind", SPAN_KINDS),
    startUs: instantField(each, "startTimeUnixNano"),
    endUs: instantField(each, "endTimeUnixNano"),
    statusCode: enumField(status, "code", STATUS_CODES),
    statusMessage: textField(status, "message"),
    attributes: attributesIn(each),
    planned: null,
    events: listField(each, "events").map(event),
    links: listField(each, "links").map(link),
    droppedAttributes: countField(each, "droppedAttributesCount"),
    droppedEvents: countField(each, "droppedEventsCount"),
    droppedLinks: countField(each, "droppedLinksCount"),
    flags: countField(each, "flags"),
  };
}

function event(each: JsonObject): DecodedEvent {
  return {
    name: textField(each, "name"),
    timeUs: instantField(each, "timeUnixNano"),
    attributes: attributesIn(each),
    droppedAttributes: countField(each, "droppedAttributesCount"),
  };
}

function link(each: JsonObject): DecodedLink {
  return {
    traceId: idField(each, "traceId", TRACE_ID_BYTES),
    spanId: idField(each, "spanId", SPAN_ID_BYTES),
    traceState: textField(each, "traceState"),
    attributes: attributesIn(each),
    droppedAttributes: countField(each, "droppedAttributesCount"),
    flags: countField(each, "flags"),
  };
}

export function attributesIn(object: JsonObject): DecodedAttributes {
  const attributes: DecodedAttributes = new Map();
  for (const pair of listField(object, "attributes")) attributes.set(textField(pair, "key"), valueIn(pair, 0));
  return attributes;
}

/** The value of a member, e.g. of an attribute; bytes stay bytes at depth 0 alone. */
export function valueIn(pair: JsonObject, depth: number, name = "value"): DecodedValue {
  const value = objectField(pair, name);
  return value === null ? null : anyValue(value, depth);
}

/** A value by the one member that is set. */
function anyValue(value: JsonObject, depth: number): DecodedValue {
  const text = fieldOf(value, "stringValue");
  if (typeof text === "string") return storableText(text);
  const flag = fieldOf(value, "boolValue");
  if (flag !== null) return flag === true || flag === "true";
  const integer = fieldOf(value, "intValue");
  if (integer !== null) return integerOfField(integer, "intValue");
  const double = fieldOf(value, "doubleValue");
  if (double !== null) return doubleOf(double);
  const bytes = fieldOf(value, "bytesValue");
  if (typeof bytes === "string") {
    const decoded = Buffer.from(bytes, "base64");
    return depth === 0 ? decoded : decoded.toString("base64");
  }
  const list = objectField(value, "arrayValue");
  const object = objectField(value, "kvlistValue");
  if (list === null && object === null) return null;
  if (depth >= MAX_VALUE_DEPTH) return storableText(deepText(value));
  if (list !== null) return listField(list, "values").map((item) => anyValue(item, depth + 1) as Json);
  const members = emptyObject();
  for (const pair of listField(object!, "values")) members[textField(pair, "key")] = valueIn(pair, depth + 1) as Json;
  return members;
}

function doubleOf(value: Json): Json {
  const number = typeof value === "string" ? Number(value) : (numberOf(value) ?? Number.NaN);
  return Number.isInteger(number) ? doubleToJson(number) : number;
}
