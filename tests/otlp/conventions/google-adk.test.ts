// What Google's Agent Development Kit writes beside the GenAI conventions.
import { expect, test } from "bun:test";
import { addedTo, readRecorded } from "../../support/recorded.ts";

test("requests, answers, tools and their results of an agent", async () => {
  const [, agent, asking, tool, answering] = await readRecorded("google-adk-1");
  expect([agent, asking, tool, answering].map((each) => each!.span.kind)).toEqual(["AGENT", "LLM", "TOOL", "LLM"]);
  expect(asking!.span).toMatchObject({
    sessionKey: "session-1",
    model: "example-1",
    promptTokens: 20,
    inputPreview: "How is the weather in Malmö?",
  });
  expect(asking!.added).toMatchObject({
    "input.mime_type": "application/json",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": expect.stringContaining("Be brief."),
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.content": "How is the weather in Malmö?",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call-1",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": expect.stringContaining("Malmö"),
    "llm.tools.0.tool.json_schema": expect.stringContaining('"weather"'),
    "llm.token_count.prompt_details.cache_read": 5,
  });
  expect(asking!.added).not.toHaveProperty("llm.invocation_parameters");
  expect(tool!.added).toMatchObject({
    "input.value": '{"city": "Malmö"}',
    "output.value": '{"city": "Malmö", "weather": "rain"}',
    "output.mime_type": "application/json",
    "tool.name": "weather",
  });
  expect(tool!.added).not.toHaveProperty("llm.input_messages.0.message.role");
  expect(answering!.added).toMatchObject({
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "weather",
    "llm.input_messages.3.message.role": "tool",
    "llm.input_messages.3.message.tool_call_id": "call-1",
    "llm.output_messages.0.message.content": "It rains in Malmö.",
  });
});

test("parameters, thoughts and the reason why an answer ended", () => {
  const response = {
    content: { role: "model", parts: [{ text: "Hm.", thought: true }, { text: "Yes." }] },
    finish_reason: "STOP",
    usage_metadata: { thoughts_token_count: 12 },
  };
  const request = {
    contents: [{ role: "user", parts: [{ text: "Well?" }] }],
    config: { temperature: 0.5, tools: [], system_instruction: { parts: [{ text: "Be brief." }] } },
  };
  expect(
    addedTo({
      "gen_ai.request.model": "gemini",
      "gcp.vertex.agent.llm_request": JSON.stringify(request),
      "gcp.vertex.agent.llm_response": JSON.stringify(response),
    }),
  ).toMatchObject({
    "llm.input_messages.0.message.content": "Be brief.",
    "llm.invocation_parameters": '{"temperature": 0.5}',
    "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
    "llm.output_messages.0.message.contents.1.message_content.text": "Yes.",
    "llm.output_messages.0.message.finish_reason": "stop",
    "llm.token_count.completion_details.reasoning": 12,
  });
});

test.each(["{}", "", "N/A", "<not serializable>", "{broken", "[1, {}]", '"text"', '{"contents": 5, "config": "x"}'])(
  "nothing is made of a request and an answer that are %s",
  (text) => {
    const added = addedTo({ "gcp.vertex.agent.llm_request": text, "gcp.vertex.agent.llm_response": text });
    expect(Object.keys(added).filter((key) => key.startsWith("llm."))).toEqual([]);
  },
);

test("what the span says in OpenInference or in the conventions stays", () => {
  const added = addedTo({
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "mine",
    "input.value": "mine",
    "gcp.vertex.agent.session_id": "theirs",
    "session.id": "mine",
    "gcp.vertex.agent.llm_request": JSON.stringify({ contents: [{ role: "user", parts: [{ text: "theirs" }] }] }),
  });
  expect(JSON.stringify(added)).not.toContain("theirs");
});
