// What messages of logs add to a stored span is what they would have added as its events.
import { describe, expect, test } from "bun:test";
import { type JsonObject, parseJson } from "../../../src/kernel/json.ts";
import type { DecodedEvent } from "../../../src/otlp/decoded/decoded.ts";
import { fillWithMessages, liesIn } from "../../../src/otlp/logs/message-fill.ts";
import { otlpAttributes, otlpExport } from "../../support/otlp-encode.ts";
import { plainSpan, roundTrip } from "../../support/otlp-request.ts";

const event = (name: string, attributes: JsonObject): DecodedEvent => ({
  name,
  timeUs: 1,
  attributes: new Map(Object.entries(attributes)),
  droppedAttributes: 0,
});
const question = event("gen_ai.user.message", { "gen_ai.system": "openai", content: "How is the weather?" });
const call = event("gen_ai.assistant.message", {
  tool_calls: [{ id: "call-1", type: "function", function: { name: "weather", arguments: '{"city":"Malmö"}' } }],
});
const result = event("gen_ai.tool.message", { id: "call-1", content: '{"rain":true}' });
const answer = event("gen_ai.choice", { finish_reason: "stop", message: { content: "It rains." } });
const details = event("gen_ai.client.inference.operation.details", {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.usage.input_tokens": 7,
  "gen_ai.usage.output_tokens": 2,
  "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Hello"}]}]',
});
const nothing = { inputPreview: null, outputPreview: null };

const spanWith = (attributes: Record<string, unknown>, events: readonly DecodedEvent[]) => {
  const sent = events.map(({ name, attributes: each }) => ({
    name,
    attributes: otlpAttributes(Object.fromEntries(each)),
  }));
  const { spans } = roundTrip(
    otlpExport([{ ...plainSpan, attributes: otlpAttributes(attributes), events: sent }]),
    "protobuf",
  );
  return spans[0]!;
};
const fill = (attributes: Record<string, unknown>, messages: readonly DecodedEvent[]) => {
  const { attributes: stored, inputPreview, outputPreview } = spanWith(attributes, []);
  return fillWithMessages(parseJson(stored) as JsonObject, [], messages, { inputPreview, outputPreview });
};

describe("a fill", () => {
  test.each([
    ["a bare span", {}, [question, call, result, answer]],
    ["the operation's details", {}, [details]],
    [
      "a span of the conventions",
      { "gen_ai.operation.name": "chat", "gen_ai.request.model": "example-1" },
      [question, answer],
    ],
    ["a span with messages of its own", { "llm.input_messages.0.message.content": "mine" }, [question, answer]],
    ["a span with a kind and tokens", { "openinference.span.kind": "TOOL", "llm.token_count.prompt": 3 }, [details]],
    ["values in the way", { llm: "a text", "session.id": "s" }, [question, answer]],
    ["numbers of its own kind", { "llm.token_count.prompt": 1.5, big: 2 ** 60, metadata: '{"a":1.0}' }, [details]],
  ] as [string, Record<string, unknown>, DecodedEvent[]][])(
    "of %s is that of its events",
    (_, attributes, messages) => {
      const asEvents = spanWith(attributes, messages);
      const { columns, attributes: filled } = fill(attributes, messages);
      if (!("llm" in attributes)) expect(filled).toEqual(parseJson(asEvents.attributes) as JsonObject);
      const { kind, promptTokens, completionTokens, model, sessionKey, inputPreview, outputPreview } = asEvents;
      if (!("llm" in attributes))
        expect(columns).toMatchObject({
          kind,
          promptTokens,
          completionTokens,
          model,
          sessionKey,
          inputPreview,
          outputPreview,
        });
      else expect(filled.llm).toBe("a text");
    },
  );

  test("in several steps is that of all at once", () => {
    const all = [question, call, result, answer];
    let attributes = parseJson(spanWith({ note: "mine" }, []).attributes) as JsonObject;
    let filled: readonly (readonly string[])[] = [];
    for (let count = 1; count <= all.length; count++) {
      const step = fillWithMessages(attributes, filled, all.slice(0, count), nothing);
      ({ attributes, paths: filled } = step);
    }
    expect(attributes).toEqual(fill({ note: "mine" }, all).attributes);
    const { attributes: bare } = fillWithMessages(attributes, filled, [], nothing);
    expect(bare).toEqual({ note: "mine" });
  });

  test("keeps the previews of what it does not touch, and cuts long texts", () => {
    const long = event("gen_ai.user.message", { content: "x".repeat(100_000) });
    const saidBefore = { inputPreview: "before", outputPreview: "the end of a long text" };
    const { columns, largeValues } = fillWithMessages({}, [], [long], saidBefore);
    expect(columns.outputPreview).toBe("the end of a long text");
    expect(columns.inputPreview).toBe("x".repeat(160));
    expect(largeValues.map(({ path }) => path)).toEqual(['["llm","input_messages",0,"message","content"]']);
    expect(liesIn(largeValues[0]!.path, [["llm"]])).toBe(true);
    expect(liesIn(largeValues[0]!.path, [["llm", "output_messages"], ["note"]])).toBe(false);
  });
});
