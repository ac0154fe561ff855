// What happened during a span: exceptions with their stack traces, the first token, and everything else.
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { parseInstant } from "../../../../kernel/time.ts";
import { type Excerpt, excerptOf, type Payload, type Place } from "./payload.ts";
import { at, numberAt, textAt, wordAt } from "./values.ts";

export interface SpanEvent {
  readonly name: string;
  /** Microseconds UTC; null where it cannot be read. */
  readonly timeUs: number | null;
  readonly attributes: Json | undefined;
  readonly exception: SpanException | null;
}

export interface SpanException {
  readonly type: string | null;
  readonly message: Excerpt | null;
  readonly stackTrace: Excerpt | null;
}

export function eventsOf(payload: Payload): SpanEvent[] {
  return payload.events.map((event, position) => {
    const name = textAt(event, "name") ?? "";
    return {
      name,
      timeUs: timeOf(event),
      attributes: at(event, "attributes"),
      exception: exceptionOf(event, name, payload, ["events", position, "attributes"]),
    };
  });
}

function timeOf(event: JsonObject): number | null {
  const text = wordAt(event, "timestamp");
  return text === null ? null : (parseInstant(text)?.microseconds ?? null);
}

/** Attributes of events stand by their dotted keys; nested ones are read, too. */
function exceptionOf(event: JsonObject, name: string, payload: Payload, place: Place): SpanException | null {
  const attributes = at(event, "attributes");
  const read = (key: string): Excerpt | null => {
    const dotted = textAt(attributes, `exception.${key}`);
    if (dotted !== null) return excerptOf(payload, dotted, [...place, `exception.${key}`]);
    const nested = textAt(attributes, "exception", key);
    return nested === null ? null : excerptOf(payload, nested, [...place, "exception", key]);
  };
  const found = { type: read("type")?.text ?? null, message: read("message"), stackTrace: read("stacktrace") };
  const isNamed = name === "exception";
  return isNamed || found.type !== null || found.message !== null || found.stackTrace !== null ? found : null;
}

const FIRST_TOKEN = /first[ _.-]?token/i;

/** Microseconds from the start of the span to its first token, if the sender recorded it; null otherwise. */
export function firstTokenUs(payload: Payload, startUs: number): number | null {
  const event = eventsOf(payload).find(
    ({ name, timeUs }) => FIRST_TOKEN.test(name) && timeUs !== null && timeUs >= startUs,
  );
  if (event?.timeUs != null) return event.timeUs - startUs;
  // Seconds, by the names that are in use.
  const seconds = numberAt(payload.attributes, "gen_ai", "server", "time_to_first_token");
  return seconds === null || seconds < 0 ? null : seconds * 1e6;
}
