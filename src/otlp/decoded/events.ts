// The events of a span as they are stored.
import { emptyObject, type Json, type JsonObject, stringifyJson } from "../../kernel/json.ts";
import { formatInstant } from "../../kernel/time.ts";
import type { DecodedAttributes, DecodedEvent, DecodedValue } from "./decoded.ts";

const EXCEPTION_KEYS = ["exception.type", "exception.message", "exception.escaped", "exception.stacktrace"];

/** JSON text of the list of events. */
export function eventsText(events: readonly DecodedEvent[]): string {
  return events.length === 0 ? "[]" : stringifyJson(events.map(storedEvent));
}

function storedEvent(event: DecodedEvent): JsonObject {
  const attributes =
    event.name === "exception" ? exceptionAttributes(event.attributes) : plainAttributes(event.attributes);
  const stored: JsonObject = {
    name: event.name,
    timestamp: formatInstant(event.timeUs),
    attributes,
  };
  if (event.droppedAttributes > 0) stored.dropped_attributes_count = event.droppedAttributes;
  return stored;
}

/** Of an exception only what describes it is kept, always with a message. */
function exceptionAttributes(attributes: DecodedAttributes): JsonObject {
  const kept = emptyObject();
  for (const key of EXCEPTION_KEYS) {
    const value = attributes.get(key);
    if (value !== undefined && value !== null) kept[key] = plainValue(value);
  }
  kept["exception.message"] ??= "";
  return kept;
}

/** Attributes as one flat object: keys are not unflattened, unset values are null. */
export function plainAttributes(attributes: DecodedAttributes): JsonObject {
  const object = emptyObject();
  for (const [key, value] of attributes) object[key] = plainValue(value);
  return object;
}

/** Bytes are kept as base64 text, because JSON has none. */
export function plainValue(value: DecodedValue): Json {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
    : value;
}
