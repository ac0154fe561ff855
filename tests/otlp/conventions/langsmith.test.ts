// What LangSmith's SDK exports becomes OpenInference.
import { expect, test } from "bun:test";
import { addedTo, readRecorded } from "../../support/recorded.ts";

const readings = Object.fromEntries((await readRecorded("langsmith")).map((each) => [each.name, each]));

test("a model call has messages, model, parameters and tokens", () => {
  const { span, added } = readings.ChatOpenAI!;
  expect(span).toMatchObject({ kind: "LLM", promptTokens: 20, completionTokens: 7, model: "example-1" });
  expect(added).toMatchObject({
    "llm.provider": "openai",
    "llm.system": "openai",
    "llm.input_messages.1.message.content": "How is the weather in Malmö?",
    "llm.output_messages.0.message.content": "It rains in Malmö.",
    "llm.output_messages.0.message.finish_reason": "stop",
    "llm.invocation_parameters": '{"temperature": 0.5}',
    "llm.token_count.prompt_details.cache_read": 5,
    "llm.token_count.completion_details.reasoning": 2,
  });
});

test("runs have their kind, whatever gen_ai calls them", () => {
  expect(readings.answer!.span).toMatchObject({
    kind: "CHAIN",
    sessionKey: "session-1",
    outputHead: "It rains in Malmö.",
  });
  expect(readings.answer!.added).toMatchObject({ "metadata.tier": "gold", "tag.tags": ["guide"] });
  expect(readings.answer!.added).not.toHaveProperty("metadata.LANGSMITH_TRACING");
  expect(readings.find!.added).toMatchObject({
    "openinference.span.kind": "RETRIEVER",
    "retrieval.documents.0.document.content": "It rains.",
    "retrieval.documents.0.document.metadata.source": "a",
  });
  expect(readings.weather!.added).toMatchObject({ "openinference.span.kind": "TOOL", "tool.name": "weather" });
});

test("messages of LangChain", () => {
  const human = { lc: 1, id: ["langchain", "schema", "messages", "HumanMessage"], kwargs: { content: "hi" } };
  const call = { name: "weather", args: { city: "Malmö" }, id: "c1" };
  const ai = { id: ["langchain", "AIMessage"], kwargs: { content: "", type: "ai", tool_calls: [call] } };
  expect(
    addedTo({
      "langsmith.span.kind": "llm",
      "gen_ai.prompt": JSON.stringify({ messages: [[human]] }),
      "gen_ai.completion": JSON.stringify({ generations: [[{ message: ai }]] }),
    }),
  ).toMatchObject({
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "hi",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"city": "Malmö"}',
  });
});

test("half a JSON is input as text", () => {
  expect(addedTo({ "langsmith.span.kind": "llm", "gen_ai.prompt": '{"messages":[' })).toEqual({
    "openinference.span.kind": "LLM",
    "input.value": '{"messages":[',
    "input.mime_type": "text/plain",
  });
});
