// Decodes an ExportLogsServiceRequest (opentelemetry-proto 1.x), in protobuf and in JSON.
import { Failure } from "../../kernel/failure.ts";
import type { JsonObject } from "../../kernel/json.ts";
import {
  attributesIn,
  readJsonBody,
  resourceIn,
  SPAN_ID_BYTES,
  scopeIn,
  TRACE_ID_BYTES,
  valueIn,
} from "../decode/decode-json.ts";
import { readResource, readScope } from "../decode/decode-protobuf.ts";
import { idField, instantField, listField, textField } from "../decode/json-fields.ts";
import { ProtobufReader } from "../decode/protobuf.ts";
import { anyValue, keyValue } from "../decode/protobuf-values.ts";
import { type DecodedAttributes, type DecodedValue, undecodable } from "../decoded/decoded.ts";
import type { LogRecord, LogsRequest, ResourceLogs } from "./log-record.ts";

// Tags: field number × 8 + wire type (1 eight bytes, 2 length and bytes).
const RESOURCE_LOGS = 10;
const TIME = 9;
const BODY = 42;
const ATTRIBUTE = 50;
const TRACE_ID = 74;
const SPAN_ID = 82;
const OBSERVED_TIME = 89;
const EVENT_NAME = 98;

/** Fails with `otlp.undecodable` (invalid) or `otlp.too_many_items` (too_large), never otherwise. */
export function decodeLogRecords(bytes: Uint8Array, format: "protobuf" | "json"): LogsRequest {
  return format === "json" ? fromJson(bytes) : fromProtobuf(bytes);
}

function fromProtobuf(bytes: Uint8Array): LogsRequest {
  const reader = new ProtobufReader(bytes);
  const resources: ResourceLogs[] = [];
  while (reader.position < reader.length) {
    const tag = reader.tag();
    if (tag === RESOURCE_LOGS) resources.push(readResource(reader, () => scopeLogs(reader)));
    else reader.skip(tag);
  }
  reader.finish(reader.length);
  return { resources, unreadable: [] };
}

function scopeLogs(reader: ProtobufReader) {
  const records: LogRecord[] = [];
  const scope = readScope(reader, () => records.push(logRecord(reader)));
  return { ...scope, records };
}

function logRecord(reader: ProtobufReader): LogRecord {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  let traceId = "";
  let spanId = "";
  let timeUs = 0;
  let observedUs = 0;
  let eventName = "";
  let body: DecodedValue = null;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === ATTRIBUTE) keyValue(reader, attributes);
    else if (tag === TIME) timeUs = reader.microseconds();
    else if (tag === OBSERVED_TIME) observedUs = reader.microseconds();
    else if (tag === BODY) body = anyValue(reader, 0);
    else if (tag === TRACE_ID) traceId = reader.hex();
    else if (tag === SPAN_ID) spanId = reader.hex();
    else if (tag === EVENT_NAME) eventName = reader.internedText();
    else reader.skip(tag);
  }
  reader.finish(end);
  return { traceId, spanId, timeUs, observedUs, eventName, body, attributes };
}

function fromJson(bytes: Uint8Array): LogsRequest {
  const request = readJsonBody(bytes, () => {});
  const unreadable: string[] = [];
  try {
    const resources = listField(request, "resourceLogs").map((group) => ({
      ...resourceIn(group),
      scopes: listField(group, "scopeLogs").map((scope) => ({
        ...scopeIn(scope),
        records: listField(scope, "logRecords").flatMap((record) => recordIn(record, unreadable)),
      })),
    }));
    return { resources, unreadable };
  } catch (error) {
    if (error instanceof Failure && error.kind !== "too_large") throw undecodable(error.message, error);
    throw error;
  }
}

function recordIn(record: JsonObject, unreadable: string[]): LogRecord[] {
  try {
    return [
      {
        traceId: idField(record, "traceId", TRACE_ID_BYTES),
        spanId: idField(record, "spanId", SPAN_ID_BYTES),
        timeUs: instantField(record, "timeUnixNano"),
        observedUs: instantField(record, "observedTimeUnixNano"),
        eventName: textField(record, "eventName"),
        body: valueIn(record, 0, "body"),
        attributes: attributesIn(record),
      },
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    unreadable.push(error.message);
    return [];
  }
}
