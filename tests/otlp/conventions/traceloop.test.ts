// What Traceloop's SDK exports becomes OpenInference.
import { expect, test } from "bun:test";
import { addedTo, readRecorded } from "../../support/recorded.ts";

const readings = Object.fromEntries((await readRecorded("traceloop")).map((each) => [each.name, each]));

test("a workflow and its tasks have input, output, session, user and metadata", () => {
  const workflow = readings["weather_report.workflow"]!;
  expect(workflow.span).toMatchObject({ kind: "CHAIN", sessionKey: "session-1", userKey: "user-1" });
  expect(workflow.added).toEqual({
    "openinference.span.kind": "CHAIN",
    "input.value": '{"args": ["How is the weather in Malm\\u00f6?"], "kwargs": {}}',
    "input.mime_type": "application/json",
    "output.value": '{"city": "Malm\\u00f6", "weather": "rain"}',
    "output.mime_type": "application/json",
    "session.id": "session-1",
    "user.id": "user-1",
    "metadata.tier": "gold",
    "metadata.workflow_name": "weather_report",
  });
  expect(readings["ask.task"]!.added).toMatchObject({
    "openinference.span.kind": "CHAIN",
    "output.value": '"weather"',
  });
});

test("a tool has its name, a model call everything of gen_ai and the session", () => {
  expect(readings["weather.tool"]!.added).toMatchObject({
    "openinference.span.kind": "TOOL",
    "tool.name": "weather",
    "output.value": '{"city": "Malm\\u00f6", "weather": "rain"}',
  });
  expect(readings["openai.chat"]!.span).toMatchObject({ kind: "LLM", sessionKey: "session-1", promptTokens: 20 });
  expect(readings["openai.chat"]!.added).toMatchObject({
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
    "llm.token_count.completion_details.reasoning": 2,
    "llm.token_count.total": 27,
    "output.value": '{"id": "chatcmpl-1", "model": "example-1-2026"}',
  });
});

test("a managed prompt, a task, and unknown properties", () => {
  expect(
    addedTo({
      "traceloop.span.kind": "agent",
      "traceloop.entity.name": "planner",
      "traceloop.prompt.template": "Hi {{name}}",
      "traceloop.prompt.template_variables": '{"name":"Ada"}',
      "gen_ai.task.input": "in",
      "gen_ai.task.output": "out",
      "session.id": "own",
      "traceloop.association.properties.session_id": "other",
    }),
  ).toEqual({
    "openinference.span.kind": "AGENT",
    "agent.name": "planner",
    "input.value": "in",
    "input.mime_type": "text/plain",
    "output.value": "out",
    "output.mime_type": "text/plain",
    "llm.prompt_template.template": "Hi {{name}}",
    "llm.prompt_template.variables.name": "Ada",
  });
  expect(addedTo({ "traceloop.span.kind": "unknown", "traceloop.entity.input": '{"half":' })).toEqual({
    "input.value": '{"half":',
    "input.mime_type": "text/plain",
  });
});
