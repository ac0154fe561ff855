// Which log records are messages of a span, and what is kept of them.
import { describe, expect, test } from "bun:test";
import { messageEvent } from "../../../src/otlp/logs/logged-messages.ts";
import { otlpAttributes, otlpValue } from "../../support/otlp-encode.ts";
import { decodedLogs, otlpLogs } from "../../support/otlp-logs.ts";
import { wireFormats } from "../../support/otlp-request.ts";

const place = { traceId: "0123456789abcdef0123456789abcdef", spanId: "0123456789abcdef", timeUnixNano: "5000" };
const attributes = otlpAttributes({ "event.name": "gen_ai.user.message", "gen_ai.system": "openai" });
const named = { ...place, eventName: "gen_ai.choice" };

const read = (records: Parameters<typeof otlpLogs>[0], format: "protobuf" | "json" = "protobuf") =>
  decodedLogs(otlpLogs(records), format);
const eventsOf = (records: Parameters<typeof otlpLogs>[0]) =>
  read(records).messages.map(({ body }) => messageEvent(body));

describe("a message", () => {
  test("is told by its event, with what its body says", () => {
    const body = otlpValue({ content: "Hello", role: "user" });
    const [event] = eventsOf([{ ...place, attributes, body }]);
    expect(event).toMatchObject({ name: "gen_ai.user.message", timeUs: 5 });
    expect(Object.fromEntries(event!.attributes)).toEqual({
      "gen_ai.system": "openai",
      content: "Hello",
      role: "user",
    });
  });

  test("may have a body that is JSON text, text, or nothing", () => {
    const bodies = ['{"content":"Hello"}', "Hello", "[half"].map(otlpValue);
    const contents = eventsOf(bodies.map((body) => ({ ...named, body }))).map((event) =>
      event.attributes.get("content"),
    );
    expect(contents).toEqual(["Hello", "Hello", "[half"]);
    expect(eventsOf([named])[0]!.attributes.size).toBe(0);
  });

  test("has its lists as JSON text, as spans have them", () => {
    const messages = [{ role: "user", parts: [{ type: "text", content: "Hello" }] }];
    const eventName = "gen_ai.client.inference.operation.details";
    const [event] = eventsOf([
      { ...place, eventName, attributes: otlpAttributes({ "gen_ai.input.messages": messages }) },
    ]);
    expect(event!.attributes.get("gen_ai.input.messages")).toBe(JSON.stringify(messages));
  });

  test("is the same in both encodings, and another when it says something else", () => {
    const records = ["one", "two", "one"].map((text) => ({
      ...named,
      body: otlpValue({ message: { content: text } }),
    }));
    const [protobuf, json] = wireFormats.map((format) => read(records, format).messages);
    expect(json).toEqual(protobuf!);
    const [one, two, again] = protobuf!.map(({ digest }) => digest);
    expect(again).toBe(one!);
    expect(two).not.toBe(one!);
  });

  test("without a span is dropped, and so are events of other names", () => {
    const { messages, rejections } = read([
      { ...named, traceId: "" },
      { ...named, traceId: "0".repeat(32) },
      { ...named, spanId: "" },
      { ...named, spanId: "0".repeat(16) },
      { ...named, eventName: "gen_ai.evaluation.result" },
    ]);
    expect([messages.length, rejections.count]).toEqual([0, 5]);
    expect(rejections.message).toContain("A message has no trace id (2 times); A message has no span id (2 times)");
  });
});
