// The request of a call in every protocol.
import { describe, expect, test } from "bun:test";
import type { ModelCall, Wire } from "../../src/providers/model-call.ts";
import { anthropic, aws, callTools, google, jsonSchema, openAi } from "../support/model-calls.ts";
import { wireNames, wireParameters } from "../support/wire-endpoints.ts";
import { wireBody, wireRequest } from "../support/wire-requests.ts";

describe("paths", () => {
  test.each<[Wire, boolean, string]>([
    ["openai_chat", true, "/chat/completions"],
    ["openai_responses", true, "/responses"],
    ["anthropic", true, "/v1/messages"],
    ["google", true, "/v1beta/models/m%20%3F1:streamGenerateContent?alt=sse"],
    ["google", false, "/v1beta/models/m%20%3F1:generateContent"],
    ["bedrock", true, "/model/m%20%3F1/converse-stream"],
    ["bedrock", false, "/model/m%20%3F1/converse"],
  ])("%s, streaming %p", (wire, streaming, expected) => {
    expect(wireRequest(wire, { model: "m ?1", streaming }).path).toBe(expected);
  });

  test("tuned models of Google and ARNs of AWS", () => {
    expect(wireRequest("google", { model: "tunedModels/mine" }).path).toBe("/v1beta/tunedModels/mine:generateContent");
    const arn = "arn:aws:bedrock:us-east-1:1:inference-profile/us.x";
    expect(wireRequest("bedrock", { model: arn }).path).toBe(
      "/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.x/converse",
    );
  });
});

describe("tools", () => {
  const one = callTools(["f"]);
  const schema = { type: "object", properties: { city: { type: "string" } } };
  const bare = { tools: [{ type: "function", function: { name: "f", strict: true } }] } as const;

  test("are defined in each provider's format", () => {
    expect(wireBody("openai_chat", { tools: one }).tools).toEqual([
      { type: "function", function: { name: "f", description: "Calls f", parameters: schema } },
    ]);
    expect(wireBody("openai_responses", { tools: one }).tools).toEqual([
      { type: "function", name: "f", description: "Calls f", parameters: schema },
    ]);
    expect(wireBody("anthropic", { tools: one }).tools).toEqual([
      { name: "f", description: "Calls f", input_schema: schema },
    ]);
    expect(wireBody("google", { tools: one }).tools).toEqual([
      { functionDeclarations: [{ name: "f", description: "Calls f", parametersJsonSchema: schema }] },
    ]);
    expect(wireBody("bedrock", { tools: one }).toolConfig).toEqual({
      tools: [{ toolSpec: { name: "f", description: "Calls f", inputSchema: { json: schema } } }],
    });
  });

  test("without parameters, and strict", () => {
    expect(wireBody("openai_chat", { tools: bare }).tools).toEqual([
      { type: "function", function: { name: "f", strict: true, parameters: {} } },
    ]);
    expect(wireBody("openai_responses", { tools: bare }).tools).toEqual([
      { type: "function", name: "f", strict: true, parameters: null },
    ]);
    expect(wireBody("anthropic", { tools: bare }).tools).toEqual([
      { name: "f", strict: true, input_schema: { type: "object" } },
    ]);
    expect(wireBody("google", { tools: bare }).tools).toEqual([{ functionDeclarations: [{ name: "f" }] }]);
    expect(wireBody("bedrock", { tools: bare }).toolConfig).toEqual({
      tools: [{ toolSpec: { name: "f", strict: true, inputSchema: { json: { type: "object" } } } }],
    });
  });

  const choices = [
    { type: "none" },
    { type: "zero_or_more" },
    { type: "one_or_more" },
    { type: "specific_function", function_name: "f" },
  ] as const;
  test.each<[Wire, (body: ReturnType<typeof wireBody>) => unknown, readonly unknown[]]>([
    [
      "openai_chat",
      (body) => body.tool_choice,
      ["none", "auto", "required", { type: "function", function: { name: "f" } }],
    ],
    ["openai_responses", (body) => body.tool_choice, ["none", "auto", "required", { type: "function", name: "f" }]],
    [
      "anthropic",
      (body) => body.tool_choice,
      [{ type: "none" }, { type: "auto" }, { type: "any" }, { type: "tool", name: "f" }],
    ],
    [
      "google",
      (body) => (body.toolConfig as { functionCallingConfig: unknown }).functionCallingConfig,
      [{ mode: "NONE" }, { mode: "AUTO" }, { mode: "ANY" }, { mode: "ANY", allowedFunctionNames: ["f"] }],
    ],
    [
      "bedrock",
      (body) => (body.toolConfig as { toolChoice?: unknown } | undefined)?.toolChoice,
      [undefined, { auto: {} }, { any: {} }, { tool: { name: "f" } }],
    ],
  ])("have a tool choice in the format of %s", (wire, choiceIn, expected) => {
    expect(choices.map((choice) => choiceIn(wireBody(wire, { tools: { ...one, tool_choice: choice } })))).toEqual([
      ...expected,
    ]);
  });

  test("are left out for Bedrock if the choice is none", () => {
    expect(wireBody("bedrock", { tools: callTools(["f"], { type: "none" }) })).not.toHaveProperty("toolConfig");
  });

  test("without parallel calls", () => {
    const single = (wire: Wire, choice?: (typeof choices)[number]) =>
      wireBody(wire, { tools: callTools(["f"], choice, { disable_parallel_tool_calls: true }) });
    expect(single("openai_chat").parallel_tool_calls).toBe(false);
    expect(single("openai_responses").parallel_tool_calls).toBe(false);
    expect(single("anthropic").tool_choice).toEqual({ type: "auto", disable_parallel_tool_use: true });
    expect(choices.map((choice) => single("anthropic", choice).tool_choice)).toEqual([
      { type: "none" },
      { type: "auto", disable_parallel_tool_use: true },
      { type: "any", disable_parallel_tool_use: true },
      { type: "tool", name: "f", disable_parallel_tool_use: true },
    ]);
    for (const wire of ["google", "bedrock"] as const) {
      expect(single(wire)).toEqual(wireBody(wire, { tools: one }));
    }
  });

  test("in the provider's own format", () => {
    const raw = (tool: Record<string, string | object>) =>
      ({ tools: { tools: [{ type: "raw", raw: tool }] } }) as Partial<ModelCall>;
    const search = { type: "web_search" };
    expect(() => wireBody("openai_chat", raw(search))).toThrow("raw tools need the Responses API");
    expect(() => wireBody("bedrock", raw(search))).toThrow("Amazon Bedrock takes no raw tools");
    expect(wireBody("openai_responses", raw(search)).tools).toEqual([search]);
    expect(wireBody("google", raw({ googleSearch: {} })).tools).toEqual([{ googleSearch: {} }]);
    const computer = wireRequest("anthropic", raw({ type: "computer_20250124", name: "computer" }));
    expect(computer.body.tools).toEqual([{ type: "computer_20250124", name: "computer" }]);
    expect(computer.headers).toEqual({
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "computer-use-2025-01-24",
    });
  });

  test("together with a response format", () => {
    const format = jsonSchema({ description: "d", strict: true });
    const both = { tools: one, responseFormat: format };
    for (const wire of wireNames) {
      const body = wireBody(wire, both);
      expect(body).toMatchObject(wireBody(wire, { tools: one }));
      expect(body).toMatchObject(wireBody(wire, { responseFormat: format }));
    }
  });
});

test("the response format in each provider's format", () => {
  const format = jsonSchema({ description: "d", strict: true });
  const whole = { name: "answer", description: "d", schema: { type: "object" }, strict: true };
  const bodies = Object.fromEntries(wireNames.map((wire) => [wire, wireBody(wire, { responseFormat: format })]));
  expect(bodies.openai_chat?.response_format).toEqual({ type: "json_schema", json_schema: whole });
  expect(bodies.openai_responses?.text).toEqual({ format: { type: "json_schema", ...whole } });
  expect(bodies.anthropic?.output_config).toEqual({ format: { type: "json_schema", schema: { type: "object" } } });
  expect(bodies.google?.generationConfig).toEqual({
    responseMimeType: "application/json",
    responseJsonSchema: { type: "object" },
  });
  expect(bodies.bedrock?.outputConfig).toEqual({
    textFormat: {
      type: "json_schema",
      structure: { jsonSchema: { name: "answer", description: "d", schema: '{"type":"object"}' } },
    },
  });
});

describe("parameters", () => {
  const extra = { extra_body: { zz: 1, temperature: 2 } };

  test("of OpenAI", () => {
    const all = openAi({
      temperature: 0.5,
      max_completion_tokens: 9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      top_p: 0.9,
      seed: 0,
      stop: ["a"],
      reasoning_effort: "low",
      ...extra,
    });
    expect(wireBody("openai_chat", { parameters: all, messages: [] })).toEqual({
      model: "text",
      messages: [],
      temperature: 2,
      max_completion_tokens: 9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      top_p: 0.9,
      seed: 0,
      stop: ["a"],
      reasoning_effort: "low",
      zz: 1,
    });
    expect(wireBody("openai_responses", { parameters: all, messages: [] })).toEqual({
      model: "text",
      input: [],
      temperature: 2,
      max_output_tokens: 9,
      top_p: 0.9,
      reasoning: { effort: "low" },
      zz: 1,
    });
    const older = { parameters: openAi({ max_tokens: 7 }) };
    expect(wireBody("openai_chat", older).max_completion_tokens).toBe(7);
    expect(wireBody("openai_responses", older).max_output_tokens).toBe(7);
  });

  test("of Anthropic", () => {
    const all = anthropic(
      {
        max_tokens: 5000,
        temperature: 0.1,
        top_p: 0.2,
        stop_sequences: ["x"],
        output_config: { effort: "max" },
        ...extra,
      },
      { type: "enabled", budget_tokens: 2000, display: "omitted" },
    );
    expect(wireBody("anthropic", { parameters: all, messages: [], responseFormat: jsonSchema() })).toEqual({
      model: "text",
      messages: [],
      max_tokens: 5000,
      temperature: 2,
      top_p: 0.2,
      stop_sequences: ["x"],
      output_config: { effort: "max", format: { type: "json_schema", schema: { type: "object" } } },
      thinking: { type: "enabled", budget_tokens: 2000, display: "omitted" },
      zz: 1,
    });
  });

  test("of Google", () => {
    const all = google({
      temperature: 0.5,
      max_output_tokens: 5,
      stop_sequences: ["x"],
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      top_p: 0.3,
      top_k: 4,
      thinking_config: { thinking_budget: 0, thinking_level: "low", include_thoughts: false },
      extra_body: { zz: 1 },
    });
    expect(wireBody("google", { parameters: all, messages: [] })).toEqual({
      contents: [],
      generationConfig: {
        temperature: 0.5,
        maxOutputTokens: 5,
        stopSequences: ["x"],
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        topP: 0.3,
        topK: 4,
        thinkingConfig: { thinkingBudget: 0, thinkingLevel: "LOW", includeThoughts: false },
      },
      zz: 1,
    });
  });

  test("of AWS", () => {
    const all = aws({ max_tokens: 5, temperature: 0.1, top_p: 0.2, stop_sequences: ["x"], extra_body: { zz: 1 } });
    expect(wireBody("bedrock", { parameters: all, messages: [] })).toEqual({
      messages: [],
      inferenceConfig: { maxTokens: 5, temperature: 0.1, topP: 0.2, stopSequences: ["x"] },
      zz: 1,
    });
  });

  test("that are empty or null are not sent, zero and false are sent", () => {
    const empty = { stop: [], temperature: null, seed: 0 } as never;
    expect(wireBody("openai_chat", { parameters: openAi(empty), messages: [] })).toEqual({
      model: "text",
      messages: [],
      seed: 0,
    });
  });

  test("streams are requested with usage", () => {
    const asked = (wire: Wire) => wireBody(wire, { streaming: true });
    expect(asked("openai_chat")).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(asked("openai_responses")).toMatchObject({ stream: true });
    expect(asked("anthropic")).toMatchObject({ stream: true });
  });

  test("for spans are the request without messages, model and tools, with extra_body as a member", () => {
    const shown = wireNames.map((wire) => {
      const parameters = structuredClone(wireParameters[wire]) as unknown as Record<string, Record<string, unknown>>;
      parameters[wireParameters[wire].type]!.extra_body = { zz: 1 };
      const call = { parameters, tools: callTools(["f"], { type: "one_or_more" }), streaming: true };
      return wireRequest(wire, call as unknown as Partial<ModelCall>).parameters;
    });
    expect(shown).toEqual([
      { tool_choice: "required", stream: true, stream_options: { include_usage: true }, extra_body: { zz: 1 } },
      { tool_choice: "required", stream: true, extra_body: { zz: 1 } },
      { max_tokens: 100, tool_choice: { type: "any" }, stream: true, extra_body: { zz: 1 } },
      { toolConfig: { functionCallingConfig: { mode: "ANY" } }, extra_body: { zz: 1 } },
      { toolConfig: { toolChoice: { any: {} } }, extra_body: { zz: 1 } },
    ]);
  });
});
