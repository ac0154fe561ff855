// What pydantic-ai and logfire export becomes OpenInference.
import { expect, test } from "bun:test";
import { shownNameOf } from "../../../src/ingest/shown-name.ts";
import { addedTo, readRecorded } from "../../support/recorded.ts";

test("the run of an agent has its question, its answer and everything between", async () => {
  const agent = (await readRecorded("pydantic-ai")).find(({ name }) => name === "invoke_agent weather_agent")!;
  expect(agent.span).toMatchObject({
    kind: "AGENT",
    sessionKey: "session-1",
    inputHead: "How is the weather in Malmö?",
    outputHead: "It rains in Malmö.",
  });
  expect(agent.added).toMatchObject({
    "agent.name": "weather_agent",
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "weather",
    "llm.input_messages.3.message.tool_call_id": "call_1",
    "llm.input_messages.3.message.content": "Malmö: rain",
    "llm.output_messages.0.message.content": "It rains in Malmö.",
  });
  expect(agent.added).not.toHaveProperty("llm.token_count.prompt");
});

test("a model call has its reasoning, a span of one's own its tags", async () => {
  const readings = await readRecorded("pydantic-ai");
  expect(readings.find(({ name }) => name === "chat example-1")!.added).toMatchObject({
    "llm.token_count.completion_details.reasoning": 2,
    "llm.token_count.prompt_details.cache_read": 5,
  });
  expect(readings[0]!.name).toBe("ask about {city}");
  expect(readings[0]!.added).toEqual({ "tag.tags": ["guide"] });
});

test("a name that is a template is shown as its message; other messages are not shown, and no name changes", async () => {
  const shown = async (file: string) =>
    (await readRecorded(file)).map(({ name, span }) => {
      expect(span.name).toBe(name);
      return span.shownName;
    });
  expect(await shown("pydantic-ai")).toEqual(["ask about Malmö", null, null, null, null]);
  expect(await shown("openai-agents")).toEqual([
    "OpenAI Agents trace: Agent workflow",
    null,
    "Agent run: 'weather_agent'",
    "Turn 1 for agent weather_agent",
    "Chat completion with 'example-1'",
    "Function: weather",
    "Turn 2 for agent weather_agent",
    "Chat completion with 'example-1'",
  ]);
  expect(shownNameOf("{a}", { logfire: { msg: "m".repeat(5000), msg_template: "{a}" } })).toHaveLength(200);
  expect(shownNameOf("{a}", { logfire: { msg: 5, msg_template: "{a}" } })).toBeNull();
  expect(shownNameOf("{a}", { logfire: "msg" })).toBeNull();
});

test("OpenAI's Agents SDK through logfire has kinds and messages", async () => {
  const readings = await readRecorded("openai-agents");
  const kinds = ["CHAIN", "CHAIN", "AGENT", "CHAIN", "LLM", "TOOL", "CHAIN", "LLM"] as const;
  expect(readings.map(({ span }) => span.kind)).toEqual([...kinds]);
  expect(readings[2]!.added).toMatchObject({ "agent.name": "weather_agent" });
  expect(readings[5]!.added).toMatchObject({ "tool.name": "weather" });
  expect(readings[7]!.added).toMatchObject({
    "llm.input_messages.3.message.content": "Malmö: rain",
    "llm.output_messages.0.message.content": "It rains in Malmö.",
    "llm.token_count.prompt_details.cache_read": 5,
    "llm.token_count.completion_details.reasoning": 2,
  });
});

test("a call through OpenAI's client, and the events of earlier versions", () => {
  const messages = {
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "hi",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "yo",
  };
  expect(
    addedTo({
      "logfire.msg_template": "Chat Completion with {request_data[model]!r}",
      request_data: '{"messages":[{"role":"user","content":"hi"}],"model":"m"}',
      response_data: '{"message":{"role":"assistant","content":"yo"}}',
    }),
  ).toMatchObject(messages);
  const events = [
    { "event.name": "gen_ai.user.message", role: "user", content: "hi" },
    { "event.name": "gen_ai.choice", message: { role: "assistant", content: "yo" } },
  ];
  expect(addedTo({ "logfire.msg": "chat m", events: JSON.stringify(events) })).toMatchObject(messages);
  const all = [
    { "event.name": "gen_ai.user.message", role: "user", content: "hi" },
    { role: "assistant", content: "yo" },
  ];
  expect(addedTo({ all_messages_events: JSON.stringify(all), final_result: '{"answer":"yo"}' })).toMatchObject({
    ...messages,
    "input.value": "hi",
    "output.mime_type": "application/json",
  });
});

test("messages that cannot be read become nothing", () => {
  for (const text of ["no JSON", '[{"role":"us', "[1]"])
    expect(addedTo({ "pydantic_ai.all_messages": text })).toEqual({});
});

test("Google's ADK names what its agents do", async () => {
  const readings = await readRecorded("google-adk");
  expect(readings.map(({ span }) => span.kind)).toEqual(["UNKNOWN", "AGENT", "LLM", "TOOL", "LLM"]);
  expect(readings[2]!.span).toMatchObject({ sessionKey: "session-1", promptTokens: 20, completionTokens: 7 });
});
