// What the Vercel AI SDK exports by itself, recorded from its versions, becomes OpenInference.
import { describe, expect, test } from "bun:test";
import { addedTo, type Reading, readRecorded } from "../../support/recorded.ts";

const named = (readings: readonly Reading[], name: string, place = 0) =>
  readings.filter((each) => each.name === name)[place]!;

describe.each(["ai-sdk-5", "ai-sdk-6", "ai-sdk-7-legacy"])("%s", async (file) => {
  const readings = await readRecorded(file);

  test("a call is an agent with its question, its answer, and whose it is", () => {
    const { span, added } = named(readings, "ai.generateText");
    expect(span).toMatchObject({
      kind: "AGENT",
      model: "example-1",
      outputHead: "It rains in Malmö.",
      promptTokens: null,
    });
    expect(span.inputPreview).toBe("How is the weather in Malmö?");
    expect(added).toMatchObject({
      "agent.name": "ask-weather",
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.1.message.content": "How is the weather in Malmö?",
      "llm.token_count.prompt": file === "ai-sdk-5" ? 20 : 40,
    });
    if (file === "ai-sdk-7-legacy") return;
    expect(span).toMatchObject({ sessionKey: "session-1", userKey: "user-1" });
    expect(added).toMatchObject({ "metadata.tier": "gold", "metadata.tries": 2 });
    expect(added).not.toHaveProperty("metadata.sessionId");
  });

  test("a model call has its messages, its tools and its tokens", () => {
    const { span, added } = named(readings, "ai.generateText.doGenerate", 1);
    expect(span).toMatchObject({ kind: "LLM", promptTokens: 20, completionTokens: 7 });
    expect(added).toMatchObject({
      "llm.model_name": "example-1",
      "llm.invocation_parameters": '{"temperature": 0.5}',
      "llm.input_messages.2.message.role": "assistant",
      "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "weather",
      "llm.input_messages.3.message.role": "tool",
      "llm.input_messages.3.message.tool_call_id": "call-1",
      "llm.input_messages.3.message.content": '{"city": "Malmö", "weather": "rain"}',
      "llm.output_messages.0.message.finish_reason": "stop",
      "llm.token_count.total": 27,
      "output.value": "It rains in Malmö.",
      "output.mime_type": "text/plain",
    });
    const schema = JSON.parse(added["llm.tools.0.tool.json_schema"] as string) as Record<string, unknown>;
    expect(schema).toMatchObject({
      type: "function",
      function: { name: "weather", description: "The weather of a city", parameters: { required: ["city"] } },
    });
  });

  test("an answer that only calls a tool", () => {
    const { added } = named(readings, "ai.generateText.doGenerate");
    expect(added).toMatchObject({
      "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call-1",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
      "output.mime_type": "application/json",
    });
    expect(added).not.toHaveProperty("llm.output_messages.0.message.content");
  });

  test("a tool, an object, a stream", () => {
    expect(named(readings, "ai.toolCall").span.kind).toBe("TOOL");
    expect(named(readings, "ai.toolCall").added).toMatchObject({
      "tool.name": "weather",
      "tool.id": "call-1",
      "tool.parameters.city": "Malmö",
      "input.value": '{"city":"Malmö"}',
      "output.value": '{"city":"Malmö","weather":"rain"}',
      "output.mime_type": "application/json",
    });
    expect(named(readings, "ai.generateObject.doGenerate").added).toMatchObject({
      "output.value": '{"city":"Malmö"}',
      "llm.output_messages.0.message.content": '{"city":"Malmö"}',
      "llm.token_count.total": 27,
    });
    expect(named(readings, "ai.streamText.doStream").added).toMatchObject({
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.content": "In a word?",
      "output.value": "Rain.",
    });
  });

  test("an embedding has its texts and vectors where the model was asked", () => {
    expect(named(readings, "ai.embed").added).toMatchObject({
      "openinference.span.kind": "CHAIN",
      "input.value": "rain",
    });
    expect(named(readings, "ai.embed").added).not.toHaveProperty("embedding.embeddings.0.embedding.text");
    expect(named(readings, "ai.embed.doEmbed").added).toMatchObject({
      "openinference.span.kind": "EMBEDDING",
      "embedding.model_name": "example-embed",
      "embedding.embeddings.0.embedding.text": "rain",
      "embedding.embeddings.0.embedding.vector": [0.1, 0.2],
      "llm.token_count.prompt": 3,
    });
  });
});

test("thoughts are part of the answer", async () => {
  const { added } = named(await readRecorded("ai-sdk-6"), "ai.generateText.doGenerate", 1);
  expect(added).toMatchObject({
    "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
    "llm.output_messages.0.message.contents.0.message_content.text": "The tool says rain.",
    "llm.output_messages.0.message.contents.1.message_content.text": "It rains in Malmö.",
    "llm.token_count.prompt_details.cache_read": 5,
    "llm.token_count.prompt_details.cache_write": 3,
    "llm.token_count.completion_details.reasoning": 2,
  });
});

test("version 7 speaks the conventions of OpenTelemetry", async () => {
  const readings = await readRecorded("ai-sdk-7");
  expect(named(readings, "chat example-1", 1).span).toMatchObject({
    kind: "LLM",
    promptTokens: 20,
    model: "example-1",
  });
  expect(named(readings, "chat example-1", 1).added).toMatchObject({
    "llm.input_messages.3.message.tool_call_id": "call-1",
    "llm.output_messages.0.message.contents.1.message_content.text": "It rains in Malmö.",
  });
});

describe("on one span", () => {
  const text = (content: string) => JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);
  const ai = {
    "ai.operationId": "ai.generateText.doGenerate",
    "ai.prompt.messages": '[{"role":"user","content":"by ai"}]',
    "ai.model.id": "by ai",
    "ai.usage.inputTokens": 1,
    "ai.usage.outputTokens": 1,
    "ai.response.text": "by ai",
  };
  const genAi = {
    "gen_ai.input.messages": text("by gen_ai"),
    "gen_ai.request.model": "by gen_ai",
    "gen_ai.usage.input_tokens": 2,
  };

  test("gen_ai comes before ai, which fills the rest", () => {
    expect(addedTo({ ...ai, ...genAi, "gen_ai.response.id": "r" })).toMatchObject({
      "llm.input_messages.0.message.content": "by gen_ai",
      "llm.model_name": "by gen_ai",
      "llm.token_count.prompt": 2,
      "llm.token_count.completion": 1,
      "output.value": "by ai",
    });
    expect(addedTo({ ...ai, ...genAi })).not.toHaveProperty("llm.token_count.total");
  });

  test("OpenInference comes before both and is left as it is", () => {
    const own = {
      "openinference.span.kind": "CHAIN",
      "llm.model_name": "own",
      "llm.input_messages.0.message.content": "own",
      "input.value": "own",
      "output.value": "own",
      "session.id": "own",
      "metadata.own": 1,
    };
    const added = addedTo({
      ...ai,
      ...genAi,
      ...own,
      "ai.telemetry.metadata.sessionId": "s",
      "ai.telemetry.metadata.a": 1,
    });
    expect(Object.keys(added).sort()).toEqual([
      "llm.output_messages.0.message.content",
      "llm.output_messages.0.message.role",
      "llm.token_count.completion",
      "llm.token_count.prompt",
    ]);
  });
});

describe("messages that cannot be read", () => {
  const readable = { "openinference.span.kind": "LLM", "input.mime_type": "text/plain" };
  test.each(["no JSON", '[{"role":"user","con', "", "[1, null]", '{"messages":7}', `${"[".repeat(2000)}`])(
    "%s",
    (text) => {
      const added = addedTo({
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": text,
        "ai.prompt.tools": text,
      });
      expect(Object.keys(added).some((key) => key.startsWith("llm."))).toBe(false);
      if (text === "no JSON") expect(added).toEqual({ ...readable, "input.value": text });
    },
  );

  test("5 MB of them are stored, as a whole or cut off", () => {
    const whole = JSON.stringify([{ role: "user", content: "x".repeat(5_000_000) }]);
    for (const text of [whole, whole.slice(0, -2)]) {
      const added = addedTo({ "ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": text });
      expect(added["openinference.span.kind"]).toBe("LLM");
    }
  });
});

test("images of a prompt become images", () => {
  const parts = [
    { type: "text", text: "What is it?" },
    { type: "image", image: "https://example.org/a.png" },
    { type: "file", mediaType: "image/gif", data: "R0lG" },
  ];
  const added = addedTo({ "ai.prompt.messages": JSON.stringify([{ role: "user", content: parts }]) });
  expect(added).toMatchObject({
    "llm.input_messages.0.message.contents.0.message_content.text": "What is it?",
    "llm.input_messages.0.message.contents.1.message_content.image.image.url": "https://example.org/a.png",
    "llm.input_messages.0.message.contents.2.message_content.image.image.url": "data:image/gif;base64,R0lG",
  });
});
