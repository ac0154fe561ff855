// Spans that the server makes itself, of calls to models and what is around them, as ingestion takes them.
import { randomBytes } from "node:crypto";
import { type Json, stringifyJson } from "../kernel/json.ts";
import { formatInstant } from "../kernel/time.ts";
import { storableText } from "../kernel/validation-scalars.ts";
import { storableJson } from "../model/attributes/text.ts";
import { unflatten } from "../model/attributes/unflatten.ts";
import type { IncomingSpan, SpanKind } from "../model/span.ts";
import { incomingSpan } from "./incoming-span.ts";

/** Flat attributes, with dotted keys. */
type FlatAttributes = Readonly<Record<string, Json>>;

interface ServerSpanEvent {
  readonly name: string;
  /** Microseconds UTC. */
  readonly timeUs: number;
  readonly attributes: FlatAttributes;
}

export interface ServerSpan {
  readonly projectName: string;
  readonly traceKey: string;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: "OK" | "ERROR";
  /** Empty for OK. */
  readonly statusMessage: string;
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
  readonly attributes: FlatAttributes;
  readonly events: readonly ServerSpanEvent[];
}

/** Ids as OpenTelemetry makes them. */
export const newTraceKey = (): string => randomBytes(16).toString("hex");
export const newSpanKey = (): string => randomBytes(8).toString("hex");

export function incomingServerSpan({ attributes, kind, events, ...frame }: ServerSpan): IncomingSpan {
  const storable = Object.entries({ ...attributes, "openinference.span.kind": kind }).map(
    ([key, value]) => [storableText(key), storableJson(value)] as const,
  );
  return incomingSpan(
    {
      ...frame,
      name: storableText(frame.name),
      statusMessage: storableText(frame.statusMessage),
      events: stringifyJson(events.map(storedEvent)),
      extra: null,
    },
    kind,
    unflatten(storable),
    false,
  );
}

function storedEvent({ name, timeUs, attributes }: ServerSpanEvent) {
  return { name: storableText(name), timestamp: formatInstant(timeUs), attributes: storableJson({ ...attributes }) };
}
