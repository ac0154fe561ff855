// What the serializers of the real exporters of logs write, read by our decoder: both encodings give the same.
import { expect, test } from "bun:test";
import { JsonLogsSerializer, ProtobufLogsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { decodeLogs } from "../../../src/otlp/logs/decode-logs.ts";
import { messageEvent } from "../../../src/otlp/logs/logged-messages.ts";
import { wireFormats } from "../../support/otlp-request.ts";

type RealRecord = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0][number];

function record(eventName: string, body: RealRecord["body"], attributes: RealRecord["attributes"]): RealRecord {
  return {
    hrTime: [1_772_442_000, 500_000_000],
    hrTimeObserved: [1_772_442_001, 0],
    spanContext: { traceId: "0123456789abcdef0123456789abcdef", spanId: "0123456789abcdef", traceFlags: 1 },
    eventName,
    body,
    attributes,
    severityNumber: 9,
    severityText: "INFO",
    resource: resourceFromAttributes({ "service.name": "real", "openinference.project.name": "real" }),
    instrumentationScope: { name: "tests", version: "1.0" },
    droppedAttributesCount: 0,
  };
}

test("messages and events of coding agents", () => {
  const records = [
    record(
      "gen_ai.user.message",
      { content: "How is the weather?", parts: [1, true, { deep: [null] }] },
      { "gen_ai.system": "openai" },
    ),
    record("", "claude_code.api_request", {
      "event.name": "api_request",
      "session.id": "session-1",
      "prompt.id": "prompt-1",
      model: "example-1",
      input_tokens: 4,
      output_tokens: 60,
      cost_usd: 0.0125,
      duration_ms: 1200,
    }),
  ];
  const bodies = {
    protobuf: ProtobufLogsSerializer.serializeRequest(records)!,
    json: JsonLogsSerializer.serializeRequest(records)!,
  };
  const [protobuf, json] = wireFormats.map((format) =>
    decodeLogs({
      body: bodies[format],
      format,
      encoding: null,
      projectOverride: null,
      defaultProject: "default",
      limitBytes: 1e6,
    }),
  );
  expect(json).toEqual(protobuf!);
  expect(protobuf!.rejections.count).toBe(0);
  expect(protobuf!.spans).toMatchObject([
    {
      projectName: "real",
      name: "claude_code.api_request",
      kind: "LLM",
      endUs: 1_772_442_000_500_000,
      startUs: 1_772_441_999_300_000,
      promptTokens: 4,
      completionTokens: 60,
    },
  ]);
  const event = messageEvent(protobuf!.messages[0]!.body);
  expect(event).toMatchObject({ name: "gen_ai.user.message", timeUs: 1_772_442_000_500_000 });
  expect(Object.fromEntries(event.attributes)).toEqual({
    "gen_ai.system": "openai",
    content: "How is the weather?",
    parts: [1, true, { deep: [null] }],
  });
});
