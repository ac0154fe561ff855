// What the OpenAPI document shows of exports: the outer members and an example in JSON, and bytes in protobuf.
const PROTOBUF = { schema: { type: "string", format: "binary" } };

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
const resource = { attributes: attributes({ "openinference.project.name": "example-support-agent" }) };
const TIME = "1772359200000000000";

const span = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  name: "answer question",
  kind: 1,
  startTimeUnixNano: TIME,
  endTimeUnixNano: "1772359201500000000",
  attributes: attributes({ "openinference.span.kind": "LLM", "input.value": "Where is my parcel?" }),
  status: { code: 1 },
};
const record = { timeUnixNano: TIME, severityText: "INFO", body: { stringValue: "Where is my parcel?" } };
const metric = { name: "requests", sum: { dataPoints: [{ asInt: "1", timeUnixNano: TIME }] } };

/** Of a signal: the message's member, the scope's member, and what one scope holds. */
function exportOf(outer: string, scope: string, list: string, item: object, rejected: string) {
  const message = {
    type: "object",
    properties: {
      [outer]: {
        type: "array",
        items: {
          type: "object",
          properties: {
            resource: { type: "object", description: "Its attributes name the project." },
            [scope]: {
              type: "array",
              items: {
                type: "object",
                properties: { scope: { type: "object" }, [list]: { type: "array", items: { type: "object" } } },
              },
            },
          },
        },
      },
    },
  };
  const answer = {
    type: "object",
    properties: {
      partialSuccess: {
        type: "object",
        description: "Only where something was rejected.",
        properties: { [rejected]: { type: "string" }, errorMessage: { type: "string" } },
      },
    },
  };
  const example = { [outer]: [{ resource, [scope]: [{ scope: { name: "example" }, [list]: [item] }] }] };
  return {
    request: { "application/x-protobuf": PROTOBUF, "application/json": { schema: message, example } },
    answer: { "application/x-protobuf": PROTOBUF, "application/json": { schema: answer, example: {} } },
  };
}

export const shownTraces = exportOf("resourceSpans", "scopeSpans", "spans", span, "rejectedSpans");
export const shownLogs = exportOf("resourceLogs", "scopeLogs", "logRecords", record, "rejectedLogRecords");
export const shownMetrics = exportOf("resourceMetrics", "scopeMetrics", "metrics", metric, "rejectedDataPoints");
