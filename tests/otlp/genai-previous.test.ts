// Earlier GenAI conventions, which go beyond the vectors of the reference server.
import { describe, expect, test } from "bun:test";
import { type JsonObject, parseJson } from "../../src/kernel/json.ts";
import { flatten } from "../../src/model/attributes/flatten.ts";
import type { OtlpEvent } from "../support/otlp-encode.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";

function converted(attributes: Record<string, unknown>, events: OtlpEvent[] = []): Record<string, unknown> {
  const span = incomingFrom({ attributes: otlpAttributes(attributes), events });
  const flat = flatten(parseJson(span.attributes) as JsonObject);
  return Object.fromEntries(Object.entries(flat).filter(([key]) => !key.startsWith("gen_ai.")));
}

function event(name: string, attributes: Record<string, unknown>): OtlpEvent {
  return { name, attributes: otlpAttributes(attributes) };
}

describe("numbered prompt and completion keys", () => {
  test("become messages, tool calls included", () => {
    expect(
      converted({
        "gen_ai.system": "OpenAI",
        "gen_ai.request.model": "gpt-4o",
        "llm.request.type": "chat",
        "gen_ai.usage.prompt_tokens": 12,
        "gen_ai.usage.completion_tokens": 3,
        "gen_ai.prompt.10.content": "third",
        "gen_ai.prompt.10.role": "tool",
        "gen_ai.prompt.10.tool_call_id": "c1",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "be brief",
        "gen_ai.prompt.1.content":
          '[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]',
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c2",
        "gen_ai.completion.0.tool_calls.0.name": "search",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"q":1}',
      }),
    ).toEqual({
      "openinference.span.kind": "LLM",
      "llm.provider": "openai",
      "llm.system": "openai",
      "llm.model_name": "gpt-4o",
      "llm.request.type": "chat",
      "llm.token_count.prompt": 12,
      "llm.token_count.completion": 3,
      "llm.token_count.total": 15,
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": "be brief",
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.contents.0.message_content.type": "text",
      "llm.input_messages.1.message.contents.0.message_content.text": "look",
      "llm.input_messages.1.message.contents.1.message_content.type": "image",
      "llm.input_messages.1.message.contents.1.message_content.image.image.url": "https://x/y.png",
      "llm.input_messages.2.message.role": "tool",
      "llm.input_messages.2.message.content": "third",
      "llm.input_messages.2.message.tool_call_id": "c1",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.finish_reason": "tool_calls",
      "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c2",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"q":1}',
    });
  });

  test("yield to messages of the span's own and to the current convention", () => {
    const native = converted({ "gen_ai.prompt.0.content": "old", "llm.input_messages.0.message.content": "own" });
    expect(native["llm.input_messages.0.message.content"]).toBe("own");
    const current = converted({
      "gen_ai.prompt.0.content": "old",
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"new"}]}]',
    });
    expect(current["llm.input_messages.0.message.content"]).toBe("new");
    expect(Object.keys(current)).not.toContain("llm.input_messages.1.message.content");
  });

  test("an embeddings request is no LLM span", () => {
    expect(converted({ "gen_ai.request.model": "e", "llm.request.type": "embedding" })).toEqual({
      "openinference.span.kind": "EMBEDDING",
      "embedding.model_name": "e",
      "llm.request.type": "embedding",
    });
  });
});

describe("events", () => {
  const expected = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "be brief",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.content": "hi",
    "llm.input_messages.2.message.role": "tool",
    "llm.input_messages.2.message.tool_call_id": "c1",
    "llm.input_messages.2.message.content": "42",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "yo",
    "llm.output_messages.0.message.finish_reason": "stop",
  };

  test("with their body in attributes become messages", () => {
    expect(
      converted({}, [
        event("gen_ai.system.message", { content: "be brief" }),
        event("gen_ai.user.message", { content: "hi", role: "user" }),
        event("gen_ai.tool.message", { content: "42", id: "c1" }),
        event("gen_ai.choice", { index: 0, finish_reason: "stop", message: '{"role":"assistant","content":"yo"}' }),
      ]),
    ).toEqual(expected);
  });

  test("with their body as one JSON text become messages", () => {
    const body = (content: unknown) => ({ "gen_ai.event.content": JSON.stringify(content) });
    expect(
      converted({}, [
        event("gen_ai.system.message", body({ content: "be brief" })),
        event("gen_ai.user.message", body({ content: "hi" })),
        event("gen_ai.tool.message", body({ content: "42", id: "c1" })),
        event("gen_ai.choice", body({ index: 0, finish_reason: "stop", message: { content: "yo" } })),
      ]),
    ).toEqual(expected);
  });

  test("tool calls of a choice are kept", () => {
    const message = { tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"x":1}' } }] };
    expect(converted({}, [event("gen_ai.choice", { message: JSON.stringify(message) })])).toEqual({
      "openinference.span.kind": "LLM",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "f",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"x":1}',
    });
  });

  test("that carry the whole prompt or completion become messages", () => {
    const text = (role: string, content: string) => JSON.stringify([{ role, content }]);
    expect(
      converted({ "gen_ai.operation.name": "chat" }, [
        event("gen_ai.content.prompt", { "gen_ai.prompt": text("user", "hi") }),
        event("gen_ai.content.completion", { "gen_ai.completion": text("assistant", "yo") }),
      ]),
    ).toMatchObject({
      "llm.input_messages.0.message.content": "hi",
      "llm.output_messages.0.message.content": "yo",
    });
  });

  test("that carry the details of the current convention count as attributes", () => {
    const details = event("gen_ai.client.inference.operation.details", {
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
    });
    expect(converted({ "gen_ai.operation.name": "chat" }, [details])["llm.input_messages.0.message.content"]).toBe(
      "hi",
    );
  });
});

test("the first names of the token counts are read only beside gen_ai.system", () => {
  const usage = { "gen_ai.usage.prompt_tokens": 5, "gen_ai.usage.completion_tokens": 7 };
  expect(converted(usage)).toEqual({});
  expect(converted({ ...usage, "gen_ai.system": "x", "gen_ai.usage.input_tokens": 1 })).toMatchObject({
    "llm.token_count.prompt": 1,
    "llm.token_count.completion": 7,
    "llm.token_count.total": 8,
  });
});
