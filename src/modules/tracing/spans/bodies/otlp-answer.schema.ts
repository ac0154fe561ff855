// A span in the OTLP form of `…/spans/otlpv1`: members in snake case, values with every kind named.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { integerToJson, isJsonObject, isRawNumber, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { pageOf } from "../../../../kernel/paging.ts";
import { Nullable, Words } from "../../../../kernel/schema.ts";
import { flatten } from "../../../../model/attributes/flatten.ts";
import { pythonText } from "../../../../model/attributes/python-text.ts";
import { spanStatuses } from "../../../../model/span.ts";
import type { Span } from "../spans.schema.ts";
import { attributesOf, eventInstant } from "./span-answer.schema.ts";

/** An integer beyond 2^53, which travels as it is written. */
const LongInteger = (options = {}) => Type.Unsafe<Json>({ type: "integer", ...options });
const value = <Member extends TSchema>(members: Member) =>
  Type.Object({
    array_value: members,
    bool_value: Nullable(Type.Boolean()),
    bytes_value: Nullable(Type.String()),
    double_value: Nullable(Type.Unsafe<Json>({ type: "number" })),
    int_value: Nullable(LongInteger()),
    kvlist_value: Type.Null(),
    string_value: Nullable(Type.String()),
  });

const OtlpScalar = value(Type.Null());
type OtlpScalar = Static<typeof OtlpScalar>;
/** Lists hold no lists: inner ones are text. */
const OtlpValue = value(Nullable(Type.Object({ values: Type.Array(OtlpScalar) })));
type OtlpValue = Static<typeof OtlpValue>;
const OtlpAttributes = Type.Array(Type.Object({ key: Type.String(), value: OtlpValue }));

const OtlpEvent = Type.Object({
  name: Type.String(),
  time_unix_nano: Nullable(LongInteger()),
  attributes: OtlpAttributes,
  dropped_attributes_count: Nullable(LongInteger()),
});

const OtlpSpanAnswer = Type.Object(
  {
    trace_id: Type.String(),
    span_id: Type.String(),
    parent_span_id: Nullable(Type.String()),
    name: Type.String(),
    start_time_unix_nano: LongInteger(),
    end_time_unix_nano: LongInteger(),
    kind: Words(["SPAN_KIND_INTERNAL"]),
    status: Type.Object({ code: Type.Integer(), message: Nullable(Type.String()) }),
    attributes: OtlpAttributes,
    events: Nullable(Type.Array(OtlpEvent)),
    dropped_attributes_count: Type.Null(),
    dropped_events_count: Type.Null(),
    dropped_links_count: Type.Null(),
    flags: Type.Null(),
    links: Type.Null(),
    trace_state: Type.Null(),
  },
  { $id: "OtlpSpan" },
);
type OtlpSpanAnswer = Static<typeof OtlpSpanAnswer>;
export const OtlpSpanPage = pageOf(OtlpSpanAnswer);

export function otlpSpanAnswer(span: Span): OtlpSpanAnswer {
  const events = span.events.filter(isJsonObject);
  return {
    trace_id: span.traceKey,
    span_id: span.spanKey,
    parent_span_id: span.parentKey,
    name: span.name,
    start_time_unix_nano: nanoseconds(span.startUs),
    end_time_unix_nano: nanoseconds(span.endUs),
    kind: "SPAN_KIND_INTERNAL",
    status: { code: spanStatuses.indexOf(span.status), message: span.statusMessage || null },
    attributes: otlpAttributes(span.attributes),
    events: events.length === 0 ? null : events.map(otlpEvent),
    dropped_attributes_count: null,
    dropped_events_count: null,
    dropped_links_count: null,
    flags: null,
    links: null,
    trace_state: null,
  };
}

function otlpEvent(event: JsonObject): Static<typeof OtlpEvent> {
  const instant = eventInstant(event.timestamp);
  return {
    name: typeof event.name === "string" ? event.name : "",
    time_unix_nano: instant === null ? null : nanoseconds(instant),
    attributes: otlpAttributes(attributesOf(event)),
    dropped_attributes_count: event.dropped_attributes_count ?? null,
  };
}

function nanoseconds(microseconds: number): Json {
  return integerToJson(BigInt(microseconds) * 1000n);
}

function otlpAttributes(nested: JsonObject): Static<typeof OtlpAttributes> {
  return Object.entries(flatten(nested)).map(([key, member]) => ({ key, value: otlpValue(member) }));
}

const NOTHING: OtlpScalar = {
  array_value: null,
  bool_value: null,
  bytes_value: null,
  double_value: null,
  int_value: null,
  kvlist_value: null,
  string_value: null,
};

type Scalar = "bool" | "int" | "double" | "string" | "other";

function scalarKind(member: Json): Scalar {
  if (typeof member === "boolean") return "bool";
  if (typeof member === "string") return "string";
  if (typeof member === "number") return Number.isInteger(member) ? "int" : "double";
  if (isRawNumber(member)) return /^-?\d+$/.test(member.rawJSON) ? "int" : "double";
  return "other";
}

function otlpValue(member: Json): OtlpValue {
  return Array.isArray(member) ? { ...NOTHING, array_value: { values: otlpList(member) } } : otlpScalar(member);
}

function otlpScalar(member: Json): OtlpScalar {
  switch (scalarKind(member)) {
    case "bool":
      return { ...NOTHING, bool_value: member as boolean };
    case "int":
      return { ...NOTHING, int_value: member };
    case "double":
      return { ...NOTHING, double_value: member };
    case "string":
      return { ...NOTHING, string_value: member as string };
    default:
      return NOTHING;
  }
}

/** Members of one kind are converted each; mixed ones and inner lists become text. */
function otlpList(list: readonly Json[]): OtlpScalar[] {
  const kinds = new Set(list.map((member) => (Array.isArray(member) ? "list" : scalarKind(member))));
  const asText = kinds.size > 1 || kinds.has("list");
  return list.map((member) => otlpScalar(asText ? pythonText(member) : member));
}
