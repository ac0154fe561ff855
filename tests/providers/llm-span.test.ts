// Spans of model calls.
import { describe, expect, test } from "bun:test";
import { type LlmSpan, llmSpan, runOutput } from "../../src/providers/llm-span.ts";
import type { ModelCall } from "../../src/providers/model-call.ts";
import type { ModelAttempt } from "../../src/providers/model-event.ts";
import {
  callTools,
  message,
  modelAttempt,
  modelCall,
  modelEndpoint,
  modelFailure,
  openAi,
  TEST_KEY,
  toolCall,
} from "../support/model-calls.ts";

const endpoint = modelEndpoint("http://127.0.0.1/v1");
const span = (
  attempt: Partial<ModelAttempt> = {},
  call: Partial<ModelCall> = {},
  includeResponseBody = false,
): LlmSpan => llmSpan(modelCall(endpoint, call), modelAttempt(attempt), { includeResponseBody });

test("a streamed answer", () => {
  const messages = [
    message("system", "Be brief."),
    message("user", [
      { type: "text", text: "Look" },
      { type: "image", url: "data:image/png;base64,aGk=" },
    ]),
    message("assistant", [
      { type: "tool_call", tool_call_id: "c1", tool_call: { type: "function", name: "f", arguments: '{"a": 1}' } },
    ]),
    message("tool", [{ type: "tool_result", tool_call_id: "c1", tool_result: { b: 2 } }]),
  ];
  const parameters = openAi({ temperature: 0.5, extra_body: { zz: 1 } });
  const made = span({}, { messages, parameters, tools: callTools(["f"]) });
  expect(made).toMatchObject({
    name: "ChatCompletion",
    kind: "LLM",
    status: "OK",
    statusMessage: "",
    startUs: 1_000_000,
    endUs: 2_000_000,
    events: [],
  });
  expect(made.attributes).toEqual({
    "openinference.span.kind": "LLM",
    "llm.model_name": "text",
    "llm.system": "openai",
    "llm.provider": "openai",
    "llm.invocation_parameters":
      '{"temperature":0.5,"stream":true,"stream_options":{"include_usage":true},"extra_body":{"zz":1}}',
    "llm.input_messages.0.message.role": "system",
    "llm.input_messages.0.message.content": "Be brief.",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.contents.0.message_content.type": "text",
    "llm.input_messages.1.message.contents.0.message_content.text": "Look",
    "llm.input_messages.1.message.contents.1.message_content.type": "image",
    "llm.input_messages.1.message.contents.1.message_content.image.image.url": "data:image/png;base64,aGk=",
    "llm.input_messages.2.message.role": "ai",
    "llm.input_messages.2.message.content": "",
    "llm.input_messages.2.message.tool_calls.0.tool_call.id": "c1",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "f",
    "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"a": 1}',
    "llm.input_messages.3.message.role": "tool",
    "llm.input_messages.3.message.content": '{"b":2}',
    "llm.input_messages.3.message.tool_call_id": "c1",
    "llm.tools.0.tool.json_schema":
      '{"type":"function","function":{"name":"f","description":"Calls f","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}',
    "input.value": '{"model":"text"}',
    "input.mime_type": "application/json",
    "url.full": "http://127.0.0.1/v1/chat/completions",
    "url.path": "/chat/completions",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "Hello world",
    "output.value": "Hello world",
    "output.mime_type": "text/plain",
    "llm.token_count.prompt": 11,
    "llm.token_count.completion": 7,
    "llm.token_count.total": 18,
    "llm.finish_reason": "stop",
    "gen_ai.server.time_to_first_token": 0.5,
    "http.response.status_code": 200,
  });
});

describe("the output", () => {
  const output = (attempt: Partial<ModelAttempt>) => {
    const { attributes } = span(attempt);
    return [attributes["output.mime_type"], attributes["output.value"]];
  };

  test("is the provider's JSON answer if there is one", () => {
    expect(output({ responseJson: '{"id":1}' })).toEqual(["application/json", '{"id":1}']);
  });

  test("with tool calls is a message", () => {
    const toolCalls = [toolCall("f", '{"a": 1}')];
    const call = '{"id":"call_0","function":{"name":"f","arguments":"{\\"a\\": 1}"}}';
    expect(output({ text: "", toolCalls })).toEqual([
      "application/json",
      `{"messages":[{"role":"assistant","tool_calls":[${call}]}]}`,
    ]);
    expect(output({ text: "So", toolCalls })[1]).toBe(
      `{"messages":[{"role":"assistant","content":"So","tool_calls":[${call}]}]}`,
    );
    const { attributes } = span({ text: "", toolCalls });
    expect(attributes).not.toHaveProperty(["llm.output_messages.0.message.content"]);
    expect(attributes["llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments"]).toBe('{"a": 1}');
  });

  test("of Responses has a list of contents", () => {
    const { attributes } = span({ wire: "openai_responses" });
    expect(attributes["llm.output_messages.0.message.contents.0.message_content.text"]).toBe("Hello world");
    expect(attributes).not.toHaveProperty(["llm.output_messages.0.message.content"]);
  });

  test("includes the received body on demand, unless it is the output value", () => {
    const received = { status: 200, contentType: "application/json", body: "as received" };
    expect(span({ response: received }, {}, true).attributes["http.response.body"]).toBe("as received");
    expect(span({ response: received }, {}, false).attributes).not.toHaveProperty(["http.response.body"]);
    expect(span({ response: received, responseJson: "as received" }, {}, true).attributes).not.toHaveProperty([
      "http.response.body",
    ]);
  });
});

test("a failure sets the status, adds an event, and keeps the partial answer", () => {
  const failure = modelFailure("provider_error", { message: "mid stream boom" });
  const made = span({ failure, text: "partial", finishReason: null, providerFinishReason: null, usage: null });
  expect(made).toMatchObject({
    status: "ERROR",
    statusMessage: "mid stream boom",
    events: [
      {
        name: "exception",
        timeUs: 2_000_000,
        attributes: { "exception.type": "provider_error", "exception.message": "mid stream boom" },
      },
    ],
  });
  expect(made.attributes["llm.output_messages.0.message.content"]).toBe("partial");
  const refused = span({ failure, text: "", finishReason: null, usage: null, firstTokenUs: null, response: null });
  const names = Object.keys(refused.attributes).filter((name) => /output|token|time_to|http/.test(name));
  expect(names).toEqual([]);
});

test("token counts are those that the provider reports", () => {
  const usage = {
    prompt: 1,
    completion: 2,
    total: null,
    cacheRead: 3,
    cacheWrite: 4,
    promptAudio: 5,
    reasoning: 6,
    completionAudio: 0,
  };
  const counts = Object.entries(span({ usage }).attributes).filter(([name]) => name.startsWith("llm.token_count."));
  expect(Object.fromEntries(counts)).toEqual({
    "llm.token_count.prompt": 1,
    "llm.token_count.completion": 2,
    "llm.token_count.prompt_details.cache_read": 3,
    "llm.token_count.prompt_details.cache_write": 4,
    "llm.token_count.prompt_details.audio": 5,
    "llm.token_count.completion_details.reasoning": 6,
    "llm.token_count.completion_details.audio": 0,
  });
});

test("llm.system follows the protocol, llm.provider the endpoint", () => {
  const words = (changes: Partial<typeof endpoint>) => {
    const call = modelCall(modelEndpoint("", changes));
    const { attributes } = llmSpan(call, modelAttempt(), { includeResponseBody: false });
    return [attributes["llm.system"], attributes["llm.provider"]];
  };
  expect(words({ llmProvider: "my gateway" })).toEqual(["openai", "my gateway"]);
  expect(words({ provider: "GOOGLE", wire: "google", llmProvider: "google" })).toEqual(["vertexai", "google"]);
  expect(words({ provider: "ANTHROPIC", wire: "anthropic", llmProvider: "anthropic" })).toEqual([
    "anthropic",
    "anthropic",
  ]);
  expect(words({ provider: "AWS", wire: "bedrock", llmProvider: "aws" })).toEqual(["aws", "aws"]);
});

test("secrets in messages, parameters and tools are redacted", () => {
  const messages = [
    message("user", `my key is ${TEST_KEY}`),
    message("tool", [{ type: "tool_result", tool_call_id: "c", tool_result: TEST_KEY }]),
    message("assistant", [
      {
        type: "tool_call",
        tool_call_id: "c",
        tool_call: { type: "function", name: "f", arguments: `{"a":"${TEST_KEY}"}` },
      },
    ]),
  ];
  const tools = { tools: [{ type: "function", function: { name: "f", description: TEST_KEY } }] } as const;
  const made = span({}, { messages, tools, parameters: openAi({ extra_body: { key: TEST_KEY } }) });
  expect(JSON.stringify(made)).not.toContain(TEST_KEY);
});

test("the output of an experiment run has the message with its tool calls, and the tools as sent", () => {
  const call = modelCall(endpoint, { tools: callTools(["f"]) });
  const toolCalls = [toolCall("f", '{"a": 1}'), toolCall("g", "no json", "call_1")];
  expect(runOutput(call, modelAttempt({ text: "", toolCalls }))).toEqual({
    messages: [
      {
        role: "assistant",
        tool_calls: [
          { id: "call_0", function: { name: "f", arguments: { a: 1 } } },
          { id: "call_1", function: { name: "g", arguments: "no json" } },
        ],
      },
    ],
    available_tools: [
      {
        type: "function",
        function: {
          name: "f",
          description: "Calls f",
          parameters: { type: "object", properties: { city: { type: "string" } } },
        },
      },
    ],
  });
  expect(runOutput(modelCall(endpoint), modelAttempt())).toEqual({
    messages: [{ role: "assistant", content: "Hello world" }],
    available_tools: [],
  });
});
