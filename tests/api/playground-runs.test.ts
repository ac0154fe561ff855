// POST /v1/playground/runs: what is called, the events, prompts by id, name and tag, refusals, and a client that goes away.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { keyOf } from "../support/principals.ts";
import { type RunEvent, readRunEvents } from "../support/run-events.ts";
import { ENCRYPTED, SIGNATURE } from "../support/scripted-answers.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";

const IMAGE = "data:image/png;base64,iVBORw0KGgo=";

forEachDriver("POST /v1/playground/runs", (driver) => {
  let models: ScriptedModels;
  let api: TestApi;
  let principal: Principal = openPrincipal;
  let isLocked = false;

  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      isStorageLocked: () => isLocked,
      settings: { bodyLimit: 8 * 1024 * 1024 },
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true", OLLAMA_BASE_URL: models.openAi },
    });
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });
  beforeEach(() => {
    principal = openPrincipal;
    isLocked = false;
    models.requests.length = 0;
    models.abandoned.length = 0;
  });

  const ollama = (model: string, changes: object = {}) => ({
    model_provider: "OLLAMA",
    model_name: model,
    messages: [{ role: "user", content: "hi {{x}}" }],
    ...changes,
  });
  const post = (run: object) => send(api.server, "POST /v1/playground/runs", { json: run });
  const eventsOf = async (run: object): Promise<RunEvent[]> => {
    const response = await post(run);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    return Array.fromAsync(readRunEvents(response));
  };
  const results = (events: readonly RunEvent[]) =>
    events.flatMap(({ name, data }) => (name === "result" ? [data] : []));
  const textOf = (events: readonly RunEvent[], variant = 0) =>
    events.flatMap(({ name, data }) => (name === "text" && data.variant === variant ? [data.text] : [])).join("");

  test("what an Anthropic model thought goes back with its message, signed as it was", async () => {
    const thinking = { max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 1024 } };
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const answer = async (messages: readonly object[], stream: boolean) => {
      const variant = {
        model_provider: "ANTHROPIC",
        model_name: "think",
        messages,
        tools: { type: "tools", tools: [{ type: "function", function: { name: "weather", parameters } }] },
        invocation_parameters: { type: "anthropic", anthropic: thinking },
        connection: { base_url: models.address },
      };
      const credentials = [{ name: "ANTHROPIC_API_KEY", value: TEST_KEY }];
      return results(await eventsOf({ variants: [variant], credentials, stream }))[0]!;
    };
    const question = { role: "user", content: "hi" };
    for (const stream of [true, false]) {
      const { message } = await answer([question], stream);
      expect(message).toEqual({
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Which city is it?", signature: SIGNATURE },
          { type: "redacted_thinking", data: ENCRYPTED },
          {
            type: "tool_call",
            tool_call_id: expect.any(String),
            tool_call: { type: "function", name: "weather", arguments: '{"city":"because hi"}' },
          },
        ],
      });
      const { content } = message as { content: readonly { tool_call_id?: string }[] };
      const { tool_call_id } = content.at(-1)!;
      const result = { role: "tool", content: [{ type: "tool_result", tool_call_id, tool_result: "rain" }] };
      const next = await answer([question, message as object, result], stream);
      expect([next.error, next.message]).toEqual([null, { role: "assistant", content: "Hello world" }]);
      const sent = models.requests.at(-1)!.body as { messages: readonly { content: readonly object[] }[] };
      expect(sent.messages[1]!.content).toMatchObject([
        { type: "thinking", thinking: "Which city is it?", signature: SIGNATURE },
        { type: "redacted_thinking", data: ENCRYPTED },
        { type: "tool_use", name: "weather" },
      ]);
      const forgotten = { role: "assistant", content: content.slice(2) };
      expect((await answer([question, forgotten, result], stream)).error).toMatchObject({
        message: expect.stringContaining("Expected `thinking`"),
      });
    }
  });

  test("the events of an answer: pieces, a result with its trace, the end", async () => {
    const events = await eventsOf({ variants: [ollama("text")], variables: { x: "there" } });
    expect(events.map(({ name }) => name)).toEqual(["run", "text", "text", "result", "done"]);
    expect(events[0]!.data).toEqual({
      repetitions: 1,
      variants: [{ model_provider: "OLLAMA", model_name: "text" }],
    });
    const [result] = results(events);
    expect(result).toEqual({
      variant: 0,
      repetition: 1,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      message: { role: "assistant", content: "Hello world" },
      finish_reason: "stop",
      usage: {
        prompt_tokens: 11,
        completion_tokens: 7,
        total_tokens: 18,
        cache_read_tokens: 3,
        cache_write_tokens: null,
        reasoning_tokens: 2,
      },
      cost_usd: null,
      latency_ms: expect.any(Number),
      time_to_first_token_ms: expect.any(Number),
      error: null,
    });
    const spans = await send(api.server, `GET /v1/projects/playground/spans?trace_id=${result!.trace_id}`);
    const { data } = (await spans.json()) as { data: { context: { span_id: string }; attributes: object }[] };
    expect(data).toMatchObject([{ context: { span_id: result!.span_id }, attributes: { "metadata.repetition": 1 } }]);
    expect(models.requests[0]!.body.messages).toEqual([{ role: "user", content: "hi there" }]);
  });

  test("up to eight variants are called side by side, each as often as asked", async () => {
    const variants = Array.from({ length: 8 }, (_, position) => ollama("echo", { variables: { x: position } }));
    const events = await eventsOf({ variants, repetitions: 2 });
    expect(
      results(events)
        .map(({ variant, repetition }) => `${variant} ${repetition}`)
        .toSorted(),
    ).toEqual(variants.flatMap((_, variant) => [`${variant} 1`, `${variant} 2`]));
    for (const [variant] of variants.entries()) expect(textOf(events, variant)).toBe(`hi ${variant}hi ${variant}`);
  });

  test("a price makes a cost", async () => {
    const credentials = [{ name: "OPENAI_API_KEY", value: TEST_KEY }];
    const variant = ollama("text", { model_provider: "OPENAI", connection: { base_url: models.openAi } });
    const [unknown] = results(await eventsOf({ variants: [variant], credentials, variables: { x: 1 } }));
    expect(unknown!.cost_usd).toBeNull();
    const database = api.stored.storage.handle.write(api.context());
    const prices = JSON.stringify([
      { tokenType: "input", isPrompt: true, rate: 1_000_000 },
      { tokenType: "output", isPrompt: false, rate: 10_000_000 },
    ]);
    const model = {
      name: "text",
      name_pattern: "^text$",
      provider: "openai",
      prices,
      change: 1,
      created_us: 1,
      updated_us: 1,
    };
    await database.insertInto("models").values(model).execute();
    const [known] = results(await eventsOf({ variants: [variant], credentials, variables: { x: 1 } }));
    expect(known!.cost_usd).toBeCloseTo(0.000081, 12);
  });

  test("tools, a response format with them, parameters and images reach the provider", async () => {
    const parameters = { type: "openai", openai: { temperature: 0.5, extra_body: { top_k: 4.0 } } };
    const tools = {
      type: "tools",
      tools: [{ type: "function", function: { name: "f" } }],
      tool_choice: { type: "one_or_more" },
    };
    const format = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
    const content = [
      { type: "text", text: "what is {this}?" },
      { type: "image", url: IMAGE },
      { type: "image", url: "https://example.org/a.png" },
    ];
    const messages = [{ role: "user", content }];
    const events = await eventsOf({
      variants: [ollama("tool", { messages, invocation_parameters: parameters, tools, response_format: format })],
    });
    const body = JSON.parse(models.requests[0]!.text) as Record<string, unknown>;
    expect(body).toMatchObject({
      temperature: 0.5,
      top_k: 4,
      tool_choice: "required",
      response_format: { type: "json_schema", json_schema: { name: "answer" } },
      messages: [
        {
          content: [
            { type: "text", text: "what is {this}?" },
            { type: "image_url", image_url: { url: IMAGE } },
            { type: "image_url", image_url: { url: "https://example.org/a.png" } },
          ],
        },
      ],
    });
    const pieces = events.flatMap(({ name, data }) => (name === "tool_call" ? [data] : []));
    expect(pieces[0]).toMatchObject({ index: 0, id: "call_0", name: "f", arguments: "" });
    expect(results(events)[0]!.message).toMatchObject({
      content: [{ type: "tool_call", tool_call_id: "call_0", tool_call: { type: "function", name: "f" } }],
    });
  });

  test("an answer is the next message, with results of tools that are typed in", async () => {
    const [answer] = results(await eventsOf({ variants: [ollama("tool", { tools: oneTool, messages: [] })] }));
    const messages = [
      { role: "user", content: "hi" },
      answer!.message,
      { role: "tool", content: [{ type: "tool_result", tool_call_id: "call_0", tool_result: { degrees: 20 } }] },
    ];
    await eventsOf({ variants: [ollama("text", { tools: oneTool, messages })] });
    expect(models.requests.at(-1)!.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "call_0" }] },
      { role: "tool", tool_call_id: "call_0", content: '{"degrees":20}' },
    ]);
  });

  test("a body larger than those of other routes is read: images are", async () => {
    const url = `data:image/png;base64,${"A".repeat(3 * 1024 * 1024)}`;
    const messages = [{ role: "user", content: [{ type: "image", url }] }];
    expect(results(await eventsOf({ variants: [ollama("text", { messages })] }))[0]!.error).toBeNull();
    expect(models.requests[0]!.text.length).toBeGreaterThan(3 * 1024 * 1024);
  });

  describe("a version of a prompt", () => {
    const ids: string[] = [];
    beforeAll(async () => {
      for (const [model, text] of [
        ["text", "first {{x}}"],
        ["echo", "second {{x}}"],
      ] as const) {
        const made = await send(api.server, "POST /v1/prompts", {
          json: {
            prompt: { name: "greeting" },
            version: {
              model_provider: "OLLAMA",
              model_name: model,
              template: { type: "chat", messages: [{ role: "user", content: text }] },
              template_type: "CHAT",
              template_format: "MUSTACHE",
              invocation_parameters: { type: "openai", openai: { seed: 7 } },
            },
            tags: model === "text" ? [{ name: "production" }] : [],
          },
        });
        ids.push(((await made.json()) as { data: { id: string } }).data.id);
      }
    });
    const sent = () => models.requests.at(-1)!.body;

    test("is found by its id, by a tag, and as the latest", async () => {
      await eventsOf({ variants: [{ prompt_version_id: ids[0] }], variables: { x: 1 } });
      expect(sent()).toMatchObject({ model: "text", seed: 7, messages: [{ content: "first 1" }] });
      await eventsOf({ variants: [{ prompt: { name: "greeting", tag: "production" } }], variables: { x: 2 } });
      expect(sent()).toMatchObject({ model: "text", messages: [{ content: "first 2" }] });
      await eventsOf({ variants: [{ prompt: { name: "greeting" } }], variables: { x: 3 } });
      expect(sent()).toMatchObject({ model: "echo", messages: [{ content: "second 3" }] });
    });

    test("is named by the spans, and gives way to what the variant says", async () => {
      const changes = { model_name: "text", invocation_parameters: { type: "openai", openai: { seed: 8 } } };
      const [result] = results(
        await eventsOf({ variants: [{ prompt_version_id: ids[1], ...changes }], variables: { x: 4 } }),
      );
      expect(sent()).toMatchObject({ model: "text", seed: 8, messages: [{ content: "second 4" }] });
      const spans = await send(api.server, `GET /v1/projects/playground/spans?trace_id=${result!.trace_id}`);
      expect(await spans.json()).toMatchObject({ data: [{ attributes: { "metadata.prompt_version_id": ids[1] } }] });
    });

    test("that is not there is a 404", async () => {
      for (const variant of [
        { prompt: { name: "nothing" } },
        { prompt: { name: "greeting", tag: "nothing" } },
        { prompt_version_id: globalId("PromptVersion", 999) },
      ]) {
        expect((await post({ variants: [variant] })).status).toBe(404);
      }
      const wrong = await post({ variants: [{ prompt_version_id: globalId("Prompt", 1) }] });
      expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("prompt version")]);
    });
  });

  describe("what goes wrong", () => {
    test("at the provider is the error of the result, with its span", async () => {
      const events = await eventsOf({
        variants: [ollama("e401"), ollama("cut"), ollama("flaky-1")],
        variables: { x: 1 },
      });
      const byVariant = results(events).toSorted((one, other) => one.variant! - other.variant!);
      expect(byVariant).toMatchObject([
        { error: { code: "auth", message: expect.stringContaining("401") }, span_id: expect.any(String) },
        { error: { code: "connection" }, message: { content: "partial" } },
        { error: null, message: { content: "Hello world" } },
      ]);
      expect(events.find(({ name }) => name === "retry")?.data).toMatchObject({
        variant: 2,
        reason: expect.any(String),
      });
    });

    test("in a template is the error of a result without a call", async () => {
      const [result] = results(await eventsOf({ variants: [ollama("text")], variables: {} }));
      expect(result).toMatchObject({
        error: { code: "template", message: "Missing template variable(s): x" },
        trace_id: null,
        message: null,
      });
      expect(models.requests).toEqual([]);
    });

    test.each([
      [{ variants: [] }, "body.variants"],
      [{ variants: Array.from({ length: 9 }, () => ollama("text")) }, "body.variants"],
      [{ variants: [ollama("text")], repetitions: 0 }, "body.repetitions"],
      [{ variants: [{ ...ollama("text"), model_nmae: "x" }] }, "body.variants.0.model_nmae"],
      [{ variants: [{ model_provider: "OLLAMA", model_name: "text" }] }, "messages must be given"],
      [{ variants: [{ messages: [], model_name: "text" }] }, "model_provider or custom_provider_id"],
      [{ variants: [{ prompt: { name: "x" }, prompt_version_id: "y" }] }, "exclude each other"],
      [{ variants: [ollama("text", { tools: { type: "tools", tools: [] } })] }, "body.variants.0.tools"],
    ])("in the body is named by its place: %#", async (run, place) => {
      const response = await post(run);
      expect(response.status).toBe(422);
      const { detail } = (await response.json()) as { detail: { loc: (string | number)[]; msg: string }[] };
      expect(`${detail[0]!.loc.join(".")} ${detail[0]!.msg}`).toContain(place);
    });

    test("with one variant is refused before any is called, and names it", async () => {
      const response = await post({ variants: [ollama("text"), ollama("text", { model_provider: "OPENAI" })] });
      expect([response.status, await response.text()]).toEqual([
        422,
        expect.stringContaining("variants[1]: An API key is required for OpenAI models."),
      ]);
      expect(models.requests).toEqual([]);
    });

    test("never shows the keys of the request", async () => {
      const response = await post({ variants: [], credentials: [{ name: 1, value: TEST_KEY }] });
      expect(await response.text()).not.toContain(TEST_KEY);
    });

    test("is that viewers may not spend, and that the database is full", async () => {
      isLocked = true;
      expect((await post({ variants: [ollama("text")] })).status).toBe(507);
      isLocked = false;
      principal = keyOf(1, "VIEWER");
      expect((await post({ variants: [ollama("text")] })).status).toBe(403);
      expect(models.requests).toEqual([]);
    });
  });

  test("a client that goes away stops what runs", async () => {
    const response = await post({ variants: [ollama("slow"), ollama("slow")], variables: { x: 1 } });
    let begun = 0;
    for await (const { name } of readRunEvents(response)) {
      if (name === "text") begun++;
      if (begun === 2) break;
    }
    await until(() => models.abandoned.length === 2);
    await until(async () => {
      const spans = await send(api.server, "GET /v1/projects/playground/spans?limit=1000");
      const { data } = (await spans.json()) as { data: { status_message: string }[] };
      return data.filter(({ status_message }) => status_message === "The call was cancelled").length === 2;
    });
  });
});

const oneTool = { type: "tools", tools: [{ type: "function", function: { name: "f" } }] };
