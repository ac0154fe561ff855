// Decodes an ExportTraceServiceRequest (opentelemetry-proto 1.x). Unknown fields and known ones of another wire type are
// skipped, as protobuf asks; anything that overruns its message makes the whole request undecodable.
import {
  type DecodedAttributes,
  type DecodedEvent,
  type DecodedExport,
  type DecodedLink,
  type DecodedResource,
  type DecodedScope,
  type DecodedSpan,
  type PlannedAttributes,
  projectNameFrom,
} from "../decoded/decoded.ts";
import { isGenAi } from "../genai/genai.ts";
import type { AttributePlanner } from "./planned-attributes.ts";
import { ProtobufChecker, ProtobufReader } from "./protobuf.ts";
import { keyValue } from "./protobuf-values.ts";

// Tags: field number × 8 + wire type (0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes).
const FIXED64_1 = 9;
const BYTES_1 = 10;
const VARINT_2 = 16;
const BYTES_2 = 18;
const VARINT_3 = 24;
const BYTES_3 = 26;
const VARINT_4 = 32;
const BYTES_4 = 34;
const VARINT_5 = 40;
const BYTES_5 = 42;
const VARINT_6 = 48;
const FIXED32_6 = 53;
const FIXED64_7 = 57;
const FIXED64_8 = 65;
const BYTES_9 = 74;
const VARINT_10 = 80;
const BYTES_11 = 90;
const VARINT_12 = 96;
const BYTES_13 = 106;
const VARINT_14 = 112;
const BYTES_15 = 122;
const FIXED32_16 = 133;

/** The spans of a larger body are only checked at first: all of them decoded would take as much memory again. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Decodes the bytes of a request. Fails with `otlp.undecodable` (invalid) or `otlp.too_many_items` (too_large), never
 *  otherwise. The bytes of a large one must stay until its spans have been walked through. */
export function decodeProtobuf(bytes: Uint8Array, planner: AttributePlanner | null = null): DecodedExport {
  return readExport(new ProtobufReader(bytes), bytes.length > LARGE_BYTES, planner);
}

/** The same from a reader, which counts the work. */
export function readExport(
  reader: ProtobufReader,
  isLarge = false,
  planner: AttributePlanner | null = null,
): DecodedExport {
  const resources: DecodedResource[] = [];
  const ways: Ways = { checker: isLarge ? new ProtobufChecker(reader.bytes) : null, planner };
  while (reader.position < reader.length) {
    const tag = reader.tag();
    if (tag === BYTES_1) resources.push(resourceSpans(reader, ways));
    else reader.skip(tag);
  }
  reader.finish(reader.length);
  return { resources, unreadable: [] };
}

/** How spans are read: at once or only checked at first, their attributes by plans or one by one. */
interface Ways {
  readonly checker: ProtobufChecker | null;
  readonly planner: AttributePlanner | null;
}

/** Spans of a message that was checked, by where they begin. */
function decodedLater(
  bytes: Uint8Array,
  positions: readonly number[],
  planner: AttributePlanner | null,
): Iterable<DecodedSpan> {
  return {
    *[Symbol.iterator]() {
      const reader = new ProtobufReader(bytes);
      for (const position of positions) {
        reader.position = position;
        yield span(reader, planner);
      }
    },
  };
}

function resourceSpans(reader: ProtobufReader, ways: Ways): DecodedResource {
  return readResource(reader, () => scopeSpans(reader, ways));
}

/** A resource with its groups, of spans or of log records, which `readGroup` reads. */
export function readResource<Group>(reader: ProtobufReader, readGroup: () => Group) {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  const scopes: Group[] = [];
  let projectName: string | null = null;
  let droppedAttributes = 0;
  let schemaUrl = "";
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === BYTES_1) {
      const resourceEnd = reader.messageEnd();
      while (reader.position < resourceEnd) {
        const inner = reader.tag();
        if (inner === BYTES_1) {
          const key = keyValue(reader, attributes);
          projectName = projectNameFrom(projectName, key, attributes.get(key) ?? null);
        } else if (inner === VARINT_2) droppedAttributes = reader.uint32();
        else reader.skip(inner);
      }
      reader.finish(resourceEnd);
    } else if (tag === BYTES_2) scopes.push(readGroup());
    else if (tag === BYTES_3) schemaUrl = reader.internedText();
    else reader.skip(tag);
  }
  reader.finish(end);
  return { attributes, projectName, droppedAttributes, schemaUrl, scopes };
}

function scopeSpans(reader: ProtobufReader, { checker, planner }: Ways): DecodedScope {
  const spans: DecodedSpan[] = [];
  const positions: number[] = [];
  const scope = readScope(reader, () => {
    if (checker === null) spans.push(span(reader, planner));
    else {
      positions.push(reader.position);
      checker.position = reader.position;
      span(checker, null);
      reader.position = checker.position;
    }
  });
  return { ...scope, spans: checker === null ? spans : decodedLater(reader.bytes, positions, planner) };
}

/** A scope whose spans or log records `readRecord` reads. */
export function readScope(reader: ProtobufReader, readRecord: () => void): Omit<DecodedScope, "spans"> {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  let name = "";
  let version = "";
  let droppedAttributes = 0;
  let schemaUrl = "";
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === BYTES_2) readRecord();
    else if (tag === BYTES_1) {
      const scopeEnd = reader.messageEnd();
      while (reader.position < scopeEnd) {
        const inner = reader.tag();
        if (inner === BYTES_1) name = reader.internedText();
        else if (inner === BYTES_2) version = reader.internedText();
        else if (inner === BYTES_3) keyValue(reader, attributes);
        else if (inner === VARINT_4) droppedAttributes = reader.uint32();
        else reader.skip(inner);
      }
      reader.finish(scopeEnd);
    } else if (tag === BYTES_3) schemaUrl = reader.internedText();
    else reader.skip(tag);
  }
  reader.finish(end);
  return { name, version, attributes, droppedAttributes, schemaUrl };
}

const NO_EVENTS: DecodedEvent[] = [];
const NO_LINKS: DecodedLink[] = [];

function span(reader: ProtobufReader, planner: AttributePlanner | null): DecodedSpan {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  let planned: PlannedAttributes | null = null;
  let firstAttribute = 0;
  let traceId = "";
  let spanId = "";
  let parentSpanId = "";
  let traceState = "";
  let name = "";
  let kind = 0;
  let startUs = 0;
  let endUs = 0;
  let statusCode = 0;
  let statusMessage = "";
  let events = NO_EVENTS;
  let links = NO_LINKS;
  let droppedAttributes = 0;
  let droppedEvents = 0;
  let droppedLinks = 0;
  let flags = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    switch (tag) {
      case BYTES_9:
        if (firstAttribute === 0 && planner !== null) {
          firstAttribute = reader.position;
          planned = planner(reader, end);
          if (planned !== null) break;
        }
        // Not all of them follow one another.
        if (planned !== null) planned = readAgain(reader, firstAttribute, reader.position, attributes);
        keyValue(reader, attributes);
        break;
      case BYTES_1:
        traceId = reader.hex();
        break;
      case BYTES_2:
        spanId = reader.hex();
        break;
      case BYTES_3:
        traceState = reader.internedText();
        break;
      case BYTES_4:
        parentSpanId = reader.hex();
        break;
      case BYTES_5:
        name = reader.internedText();
        break;
      case VARINT_6:
        kind = reader.uint32();
        break;
      case FIXED64_7:
        startUs = reader.microseconds();
        break;
      case FIXED64_8:
        endUs = reader.microseconds();
        break;
      case VARINT_10:
        droppedAttributes = reader.uint32();
        break;
      case BYTES_11:
        if (events === NO_EVENTS) events = [];
        events.push(event(reader));
        break;
      case VARINT_12:
        droppedEvents = reader.uint32();
        break;
      case BYTES_13:
        if (links === NO_LINKS) links = [];
        links.push(link(reader));
        break;
      case VARINT_14:
        droppedLinks = reader.uint32();
        break;
      case BYTES_15: {
        const statusEnd = reader.messageEnd();
        while (reader.position < statusEnd) {
          const inner = reader.tag();
          if (inner === BYTES_2) statusMessage = reader.text();
          else if (inner === VARINT_3) statusCode = reader.uint32();
          else reader.skip(inner);
        }
        reader.finish(statusEnd);
        break;
      }
      case FIXED32_16:
        flags = reader.fixed32();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.finish(end);
  if (planned !== null && events.some((each) => isGenAi(each.name)))
    planned = readAgain(reader, firstAttribute, end, attributes);
  if (planned !== null) reader.countItems(planned.count);
  return {
    traceId,
    spanId,
    parentSpanId,
    traceState,
    name,
    kind,
    startUs,
    endUs,
    statusCode,
    statusMessage,
    attributes,
    planned,
    events,
    links,
    droppedAttributes,
    droppedEvents,
    droppedLinks,
    flags,
  };
}

/** Reads the attributes that follow one another from the first on, behind the tag of which `first` is, without a plan after all, and goes
 *  on at `end`. */
function readAgain(reader: ProtobufReader, first: number, end: number, attributes: DecodedAttributes): null {
  reader.position = first;
  do keyValue(reader, attributes);
  while (reader.position < end && reader.bytes[reader.position] === BYTES_9 && reader.tag() === BYTES_9);
  reader.position = end;
  return null;
}

function event(reader: ProtobufReader): DecodedEvent {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  let name = "";
  let timeUs = 0;
  let droppedAttributes = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === BYTES_3) keyValue(reader, attributes);
    else if (tag === FIXED64_1) timeUs = reader.microseconds();
    else if (tag === BYTES_2) name = reader.internedText();
    else if (tag === VARINT_4) droppedAttributes = reader.uint32();
    else reader.skip(tag);
  }
  reader.finish(end);
  return { name, timeUs, attributes, droppedAttributes };
}

function link(reader: ProtobufReader): DecodedLink {
  reader.countItem();
  const end = reader.messageEnd();
  const attributes: DecodedAttributes = new Map();
  let traceId = "";
  let spanId = "";
  let traceState = "";
  let droppedAttributes = 0;
  let flags = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === BYTES_1) traceId = reader.hex();
    else if (tag === BYTES_2) spanId = reader.hex();
    else if (tag === BYTES_3) traceState = reader.internedText();
    else if (tag === BYTES_4) keyValue(reader, attributes);
    else if (tag === VARINT_5) droppedAttributes = reader.uint32();
    else if (tag === FIXED32_6) flags = reader.fixed32();
    else reader.skip(tag);
  }
  reader.finish(end);
  return { traceId, spanId, traceState, attributes, droppedAttributes, flags };
}
