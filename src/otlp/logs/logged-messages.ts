// Messages of model calls that come as log records and not as events of their span: which records are such, and what is kept of them until
// they are given to the span.
import { createHash } from "node:crypto";
import type { LoggedMessage } from "../../ingest/incoming-logs.ts";
import { fail } from "../../kernel/failure.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../../kernel/json.ts";
import { parseEmbeddedJson } from "../../model/attributes/embedded-json.ts";
import { exceedsBytes } from "../../model/attributes/text.ts";
import { MAX_KEY_BYTES } from "../../model/span.ts";
import type { DecodedEvent, DecodedValue } from "../decoded/decoded.ts";
import { plainAttributes, plainValue } from "../decoded/events.ts";
import { isMessageName } from "../genai/previous.ts";
import type { LogRecord } from "./log-record.ts";

/** Characters of a message as it is kept. */
export const MOST_MESSAGE_CHARACTERS = 32 * 1024 * 1024;

/** Attributes that hold lists; conventions have them as JSON text in spans and as lists in log records. */
const LISTS = [
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "gen_ai.system_instructions",
  "gen_ai.tool.definitions",
];

/** The message in a log record; null for a record of anything else. Fails (kind invalid) with the reason for one without a span. */
export function messageIn(record: LogRecord): LoggedMessage | null {
  const named = record.attributes.get("event.name");
  const name = record.eventName !== "" ? record.eventName : typeof named === "string" ? named : "";
  if (!isMessageName(name)) return null;
  const { traceId: traceKey, spanId: spanKey } = record;
  if (!/[^0]/.test(traceKey)) throw fail("otlp.log_no_trace_id", "invalid", "A message has no trace id");
  if (!/[^0]/.test(spanKey)) throw fail("otlp.log_no_span_id", "invalid", "A message has no span id");
  if (exceedsBytes(traceKey, MAX_KEY_BYTES) || exceedsBytes(spanKey, MAX_KEY_BYTES)) {
    throw fail("otlp.log_id_too_long", "invalid", `The ids of a message are longer than ${MAX_KEY_BYTES} bytes`);
  }
  const attributes = { ...plainAttributes(record.attributes), ...bodyAttributes(record.body) };
  delete attributes["event.name"];
  for (const key of LISTS) {
    const value = attributes[key];
    if (typeof value === "object" && value !== null) attributes[key] = stringifyJson(value);
  }
  const timeUs = record.timeUs > 0 ? record.timeUs : record.observedUs;
  const body = stringifyJson({ name, timeUs, attributes });
  if (body.length > MOST_MESSAGE_CHARACTERS) {
    const most = `${MOST_MESSAGE_CHARACTERS} characters`;
    throw fail("otlp.log_too_long", "invalid", `A message is longer than ${most}`);
  }
  return { traceKey, spanKey, digest: createHash("sha256").update(body).digest("hex"), body };
}

/** What a body says: an object, one as JSON text, or nothing but the content. */
function bodyAttributes(body: DecodedValue): JsonObject {
  if (body === null) return {};
  const value = typeof body === "string" ? (parseEmbeddedJson(body) ?? body) : plainValue(body);
  return isJsonObject(value) ? value : { content: plainValue(body) };
}

/** The event that a span would have had, from the text that was kept. */
export function messageEvent(body: string): DecodedEvent {
  const { name, timeUs, attributes } = parseJson(body) as JsonObject;
  return {
    name: name as string,
    timeUs: timeUs as number,
    attributes: new Map(Object.entries(attributes as JsonObject)),
    droppedAttributes: 0,
  };
}
