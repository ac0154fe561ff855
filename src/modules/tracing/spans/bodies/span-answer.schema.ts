// A span as the list answers it (docs/protocol/rest.md#reading-spans).
import { type Static, Type } from "@sinclair/typebox";
import { globalId } from "../../../../kernel/ids.ts";
import {
  emptyObject,
  isJsonObject,
  isRawNumber,
  type Json,
  type JsonObject,
  numberOf,
} from "../../../../kernel/json.ts";
import { pageOf } from "../../../../kernel/paging.ts";
import { AnyObject, InstantText, Nullable } from "../../../../kernel/schema.ts";
import { formatInstant, parseInstant } from "../../../../kernel/time.ts";
import { flatten } from "../../../../model/attributes/flatten.ts";
import { SPAN, type Span } from "../spans.schema.ts";

const KIND = "openinference.span.kind";

const EventAnswer = Type.Object({ name: Type.String(), timestamp: InstantText(), attributes: AnyObject() });

export const SpanAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    context: Type.Object({ trace_id: Type.String(), span_id: Type.String() }),
    span_kind: Type.String({ description: "As sent, in its own letter case." }),
    parent_id: Nullable(Type.String()),
    start_time: InstantText(),
    end_time: InstantText(),
    status_code: Type.String(),
    status_message: Type.String(),
    attributes: AnyObject({ description: "By dotted keys." }),
    events: Type.Array(EventAnswer),
  },
  { $id: "Span" },
);
export type SpanAnswer = Static<typeof SpanAnswer>;
export const SpanPage = pageOf(SpanAnswer);

/** `nowUs` is shown as the time of an event without one. */
export function spanAnswer(span: Span, nowUs: number): SpanAnswer {
  const attributes = flatten(span.attributes);
  const kind = attributes[KIND];
  delete attributes[KIND];
  return {
    id: globalId(SPAN, span.id),
    name: span.name,
    context: { trace_id: span.traceKey, span_id: span.spanKey },
    span_kind: typeof kind === "string" ? kind : "UNKNOWN",
    parent_id: span.parentKey,
    start_time: formatInstant(span.startUs),
    end_time: formatInstant(span.endUs),
    status_code: span.status,
    status_message: span.statusMessage,
    attributes,
    events: span.events.filter(isJsonObject).map((event) => ({
      name: typeof event.name === "string" ? event.name : "",
      timestamp: formatInstant(eventInstant(event.timestamp) ?? nowUs),
      attributes: attributesOf(event),
    })),
  };
}

/** Attributes of a stored event, not flattened. */
export function attributesOf(event: JsonObject): JsonObject {
  return isJsonObject(event.attributes) ? event.attributes : emptyObject();
}

/** Numbers above this are nanoseconds, others seconds. */
const LARGEST_SECONDS = 1e12;

/** Microseconds of the time of a stored event, or null when it is missing or unreadable. */
export function eventInstant(value: Json | undefined): number | null {
  if (typeof value === "string") return parseInstant(value)?.microseconds ?? null;
  if (typeof value !== "number" && !isRawNumber(value)) return null;
  const number = numberOf(value)!;
  const microseconds = Math.round(number > LARGEST_SECONDS ? number / 1000 : number * 1e6);
  return Number.isSafeInteger(microseconds) ? microseconds : null;
}
