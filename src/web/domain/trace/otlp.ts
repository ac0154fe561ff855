// A trace in the JSON form of OTLP, as any collector or Spanlight itself takes it, out of what REST lists.
import { isJsonObject, isRawNumber, type Json, type JsonObject } from "../../../kernel/json.ts";

/** `fields` are the spans of `…/spans/otlpv1`. */
export function otlpDocument(projectName: string, spans: readonly Json[]): JsonObject {
  const project = { key: "openinference.project.name", value: { stringValue: projectName } };
  return {
    resourceSpans: [
      {
        resource: { attributes: [project] },
        scopeSpans: [{ scope: { name: "spanlight" }, spans: spans.filter(isJsonObject).map(spanOf) }],
      },
    ],
  };
}

function spanOf(span: JsonObject): JsonObject {
  const status = isJsonObject(span.status) ? span.status : {};
  return {
    traceId: span.trace_id ?? null,
    spanId: span.span_id ?? null,
    ...(span.parent_span_id == null ? {} : { parentSpanId: span.parent_span_id }),
    name: span.name ?? "",
    kind: 1,
    startTimeUnixNano: digits(span.start_time_unix_nano),
    endTimeUnixNano: digits(span.end_time_unix_nano),
    attributes: attributesOf(span.attributes),
    ...(Array.isArray(span.events) ? { events: span.events.filter(isJsonObject).map(eventOf) } : {}),
    status: { code: status.code ?? 0, ...(status.message == null ? {} : { message: status.message }) },
  };
}

function eventOf(event: JsonObject): JsonObject {
  return {
    name: event.name ?? "",
    timeUnixNano: digits(event.time_unix_nano),
    attributes: attributesOf(event.attributes),
  };
}

function attributesOf(attributes: Json | undefined): Json[] {
  if (!Array.isArray(attributes)) return [];
  return attributes.filter(isJsonObject).map(({ key, value }) => ({ key: key ?? "", value: anyValueOf(value) }));
}

/** The one key that is set, in camel case; integers of 64 bits are text in OTLP/JSON. */
function anyValueOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  for (const [key, held] of Object.entries(value)) {
    if (held === null) continue;
    if (key === "int_value") return { intValue: digits(held) };
    if (key === "array_value") {
      const values = isJsonObject(held) && Array.isArray(held.values) ? held.values : [];
      return { arrayValue: { values: values.map(anyValueOf) } };
    }
    return { [key.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())]: held };
  }
  return {};
}

function digits(value: Json | undefined): string {
  if (isRawNumber(value)) return value.rawJSON;
  return typeof value === "number" || typeof value === "string" ? String(value) : "0";
}
