// The model proxy: the rows of tests/vectors/playground.json about it, with custom and built-in providers, and what becomes of a call: spans
// in the caller's trace, spending, budgets.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { CANARIES, configs, createCustomProvider } from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { keyOf } from "../support/principals.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";
import document from "../vectors/playground.json" with { type: "json" };

interface ProxyVector {
  readonly id: string;
  readonly request: { readonly body: object };
  readonly expect: Readonly<Record<string, unknown>>;
}
const rows = document.vectors.filter(({ group }) => group === "proxy") as unknown as readonly ProxyVector[];

/** Where a row is the reference's limit, and this server does more. */
const beyond: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // Calls are recorded as spans.
  x1: { spansWritten: 1 },
  // JSON schemas are taken, too.
  x32: { "error.messageContains": "Only response_format of type 'text' or 'json_schema' is supported." },
};

interface StoredSpan {
  readonly parentId: string | null;
  readonly statusCode: string;
  readonly statusMessage: string;
  /** JSON. */
  readonly attributes: string;
  readonly trace: { readonly traceId: string };
}

interface Chunk {
  readonly choices?: readonly { readonly delta: object; readonly finish_reason: string | null }[];
  readonly usage?: unknown;
  readonly error?: { readonly type: string; readonly message: string };
}

/** The data of the events of a stream; `[DONE]` is a text. */
function chunksIn(text: string): (Chunk | "[DONE]")[] {
  return text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? data : (JSON.parse(data) as Chunk)));
}

const at = (value: unknown, path: string) =>
  path.split(".").reduce<unknown>((found, step) => (found as Record<string, unknown> | null)?.[step], value);

forEachDriver("the model proxy", (driver) => {
  let models: ScriptedModels;
  let api: TestApi;
  let principal: Principal = openPrincipal;
  const custom = new Map<string, string>();

  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true", OLLAMA_BASE_URL: models.openAi },
    });
    const { openai } = configs(models.address).openai;
    const all = { ...configs(models.address), responses: { openai: { ...openai, openaiApiType: "RESPONSES" } } };
    for (const [name, config] of Object.entries(all))
      custom.set(name, (await createCustomProvider(api, name, config)).id);
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });
  beforeEach(() => {
    principal = openPrincipal;
    models.requests.length = 0;
  });

  const post = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    send(api.server, "POST /v1/chat/completions", { json: body, headers });
  const ask = (model: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    post({ model, messages: [{ role: "user", content: "hi" }], ...more }, headers);
  const spans = async (project: string) => {
    const query = `query Spans($name: String!) { getProjectByName(name: $name) { spans(first: 100) { edges { node {
      spanId parentId statusCode statusMessage attributes trace { traceId } } } } } }`;
    const { getProjectByName: found } = await askData<{
      getProjectByName: { spans: { edges: { node: StoredSpan }[] } } | null;
    }>(api, query, { name: project });
    return found?.spans.edges.map(({ node }) => node) ?? [];
  };

  describe("rows of the vectors", () => {
    for (const row of rows) {
      test(row.id, async () => {
        const wanted: Readonly<Record<string, unknown>> = { ...row.expect, ...beyond[row.id] };
        const filled = JSON.stringify(row.request.body)
          .replaceAll("<openai provider>", custom.get("openai")!)
          .replaceAll("<unknown id>", globalId("GenerativeModelCustomProvider", 9999));
        const before = (await spans("proxy")).length;
        const response = await post(JSON.parse(filled));
        const text = await response.text();
        const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
        const answer: unknown = isJson ? JSON.parse(text) : null;
        const chunks = isJson ? [] : chunksIn(text);
        for (const [name, value] of Object.entries(wanted)) {
          const told = { row: row.id, name };
          switch (name) {
            case "status":
              expect({ ...told, status: response.status }).toEqual({ ...told, status: value as number });
              break;
            case "body":
              for (const [path, member] of Object.entries(value as object)) {
                const shown =
                  typeof member === "string" ? member.replace("<openai provider>", custom.get("openai")!) : member;
                expect({ path, member: at(answer, path) }).toEqual({ path, member: shown });
              }
              break;
            case "contentType":
              expect(response.headers.get("content-type")).toBe(value as string);
              break;
            case "deltas":
              expect(chunks.flatMap((chunk) => (chunk as Chunk).choices?.map(({ delta }) => delta) ?? [])).toEqual(
                value as object[],
              );
              break;
            case "finish_reason":
              expect(at(chunks.at(-2), "choices.0.finish_reason")).toBe(value as string);
              break;
            case "end":
              expect(text.trimEnd()).toEndWith(value as string);
              break;
            case "last":
              expect(chunks.at(-2)).toMatchObject(value as object);
              break;
            case "usageOfOthers":
              for (const chunk of chunks.slice(0, -2)) expect((chunk as Chunk).usage).toBe(value);
              break;
            case "events_end": {
              const kinds: string[] = chunks.map((chunk) =>
                chunk === "[DONE]" ? chunk : Object.hasOwn(chunk, "error") ? "error" : "chunk",
              );
              expect(kinds.slice(-2)).toEqual(value as string[]);
              break;
            }
            case "mustNotContain":
              expect(text).not.toContain(CANARIES.key);
              break;
            case "error.messageContains":
              expect(at(answer, "error.message")).toContain(value as string);
              break;
            case "wire":
              expect(models.requests.at(-1)!.body).toMatchObject(value as object);
              break;
            case "note":
              // Row x41.
              expect(models.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 6, stop: ["q"] });
              break;
            case "spansWritten":
              expect((await spans("proxy")).length - before).toBe(value as number);
              break;
            default: {
              const found = name.startsWith("error.") && !isJson ? chunks.at(-2) : answer;
              expect({ ...told, value: at(found, name) }).toEqual({ ...told, value });
            }
          }
        }
      });
    }
  });

  test("tools go to every protocol and come back, whole and in pieces, and so do their results", async () => {
    const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" }, strict: true } }];
    const call = { name: "weather", arguments: '{"city": "because hi"}' };
    for (const provider of ["openai", "responses", "anthropic", "google", "azure", "bedrock"]) {
      const model = `custom:${custom.get(provider)}:tool`;
      const options = { tools, tool_choice: "required", parallel_tool_calls: false };
      const whole = await (await ask(model, options)).json();
      const { message, finish_reason } = whole.choices[0];
      expect({ provider, finish_reason }).toEqual({ provider, finish_reason: "tool_calls" });
      expect(message).toMatchObject({
        content: null,
        tool_calls: [{ type: "function", function: { name: "weather" } }],
      });
      const chunks = chunksIn(await (await ask(model, { ...options, stream: true })).text()) as Chunk[];
      const pieces = chunks.flatMap(
        (chunk) => (at(chunk, "choices.0.delta.tool_calls") ?? []) as { function: typeof call }[],
      );
      expect(pieces[0]).toMatchObject({ index: 0, type: "function", function: { name: "weather" } });
      const written = pieces.map((piece) => piece.function.arguments).join("");
      expect(JSON.parse(written)).toEqual(JSON.parse(message.tool_calls[0].function.arguments));
      const id = message.tool_calls[0].id;
      const messages = [
        { role: "user", content: "hi" },
        { ...message },
        {
          role: "tool",
          tool_call_id: id,
          content: [
            { type: "text", text: "sun" },
            { type: "text", text: "ny" },
          ],
        },
      ];
      const next = await ask(`custom:${custom.get(provider)}:text`, { messages, tools });
      expect({ provider, status: next.status }).toEqual({ provider, status: 200 });
      expect(models.requests.at(-1)!.text).toContain("sunny");
    }
    await ask(`custom:${custom.get("openai")}:tool`, {
      tools,
      tool_choice: { type: "function", function: { name: "weather" } },
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: { type: "object" }, strict: true },
      },
    });
    expect(models.requests.at(-1)!.body).toMatchObject({
      tools,
      tool_choice: { type: "function", function: { name: "weather" } },
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: { type: "object" }, strict: true },
      },
    });
  });

  test("images reach the provider, and what cannot be sent is named by its place", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const parts = [{ type: "text", text: "What is this?" }, image];
    await ask("ollama:text", { messages: [{ role: "user", content: parts }] });
    expect(models.requests.at(-1)!.body).toMatchObject({ messages: [{ role: "user", content: parts }] });
    const wrong: readonly (readonly [object, number, string])[] = [
      [{ messages: [{ role: "user", content: [{ type: "input_audio" }] }] }, 400, "messages.0.content.0.type"],
      [{ messages: [{ role: "user" }] }, 422, "messages.0.content"],
      [{ messages: [{ role: "assistant", tool_calls: [{ id: "a" }] }] }, 422, "messages.0.tool_calls.0.function"],
      [{ tools: [{ type: "function", function: {} }] }, 422, "tools.0.function.name"],
      [{ tool_choice: "required" }, 422, "tool_choice"],
      [{ tools: [{ type: "function", function: { name: "f" } }], tool_choice: "maybe" }, 400, "tool_choice"],
      [{ response_format: { type: "json_schema" } }, 422, "response_format.json_schema"],
      [{ stream_options: { include_usage: true } }, 400, "stream_options is only allowed when stream is true"],
    ];
    const before = models.requests.length;
    for (const [more, status, place] of wrong) {
      const response = await ask("ollama:text", more);
      const { error } = await response.json();
      expect({ place, status: response.status, type: error.type }).toEqual({
        place,
        status,
        type: "invalid_request_error",
      });
      expect(error.message).toContain(place);
    }
    expect(models.requests).toHaveLength(before);
  });

  test("a provider's failures keep what clients act on", async () => {
    const statuses = new Map<string, number>();
    for (const model of [
      "e400",
      "e404",
      "e403",
      "e409",
      "e429-after-7",
      "e503",
      "e529",
      "cut",
      "badjson",
      "finaltext",
    ]) {
      const response = await ask(`custom:${custom.get("openai")}:${model}`, {
        stream: model === "cut" || model === "badjson",
      });
      statuses.set(model, response.status);
      if (model === "e429-after-7") expect(response.headers.get("retry-after")).toBe("7");
      if (model === "e403")
        expect((await response.json()).error).toMatchObject({ type: "provider_error", code: "scripted_403" });
      if (model === "cut") {
        const events = chunksIn(await response.text());
        expect(events.at(-2)).toMatchObject({ error: { type: "api_error", message: expect.any(String) } });
      }
      if (model === "finaltext") expect((await response.json()).choices[0].message.content).toBe("Hello world tail");
    }
    expect(Object.fromEntries(statuses)).toEqual({
      e400: 400,
      e404: 404,
      e403: 502,
      e409: 502,
      "e429-after-7": 429,
      e503: 503,
      e529: 503,
      cut: 200,
      badjson: 502,
      finaltext: 200,
    });
    const unreachable = await ask("openai:gpt-4o");
    expect([unreachable.status, (await unreachable.json()).error.message]).toEqual([
      400,
      expect.stringContaining("An API key is required for OpenAI models"),
    ]);
  });

  test("the span stands in the caller's trace and project, and nothing is stored where the caller records nothing", async () => {
    const traceKey = "4bf92f3577b34da6a3ce929d0e0e4736";
    const parent = "00f067aa0ba902b7";
    const headers = { traceparent: `00-${traceKey}-${parent}-01`, "x-project-name": "caller" };
    expect((await ask("ollama:text", {}, headers)).status).toBe(200);
    expect((await ask("ollama:e400", {}, headers)).status).toBe(400);
    await until(async () => (await spans("caller")).length === 2);
    const stored = await spans("caller");
    expect(stored).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ parentId: parent, statusCode: "OK", trace: { traceId: traceKey } }),
        expect.objectContaining({ parentId: parent, statusCode: "ERROR", trace: { traceId: traceKey } }),
      ]),
    );
    expect(JSON.parse(stored.find(({ statusCode }) => statusCode === "OK")!.attributes)).toMatchObject({
      llm: { provider: "ollama", model_name: "text", token_count: { prompt: 11, completion: 7 } },
    });
    await ask(
      "ollama:text",
      {},
      { ...headers, traceparent: `00-${traceKey}-${parent}-00`, "x-project-name": "silent" },
    );
    expect(await spans("silent")).toEqual([]);
    const long = await ask("ollama:text", {}, { "x-project-name": "x".repeat(5000) });
    expect([long.status, (await long.json()).error.message]).toEqual([400, expect.stringContaining("x-project-name")]);
  });

  test("budgets of a key bound it, and what was spent is listed", async () => {
    const budget = { scope: "api_key", period: "day", max_tokens: 80 };
    expect((await send(api.server, "PUT /v1/budgets", { json: budget })).status).toBe(200);
    principal = { kind: "system", userId: 1, apiKeyId: 77 };
    expect((await ask("ollama:text", { max_tokens: 20 })).status).toBe(200);
    const refused = await ask("ollama:text", { max_tokens: 20, stream: true });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await refused.json()).error).toMatchObject({
      code: "spending.budget_used_up",
      message: expect.stringContaining("The daily budget of this API key is used up: 18 of 80 tokens"),
    });
    expect(models.requests).toHaveLength(1);
    principal = openPrincipal;
    const { data } = await (await send(api.server, "GET /v1/spending")).json();
    expect(data.find((row: { api_key_id: string }) => row.api_key_id !== null)).toMatchObject({
      purpose: "proxy",
      provider: "ollama",
      model: "text",
      calls: 1,
      prompt_tokens: 11,
      completion_tokens: 7,
    });
  });

  test("viewers may not spend", async () => {
    principal = keyOf(1, "VIEWER");
    expect((await ask("ollama:text")).status).toBe(403);
    expect((await send(api.server, "GET /v1/models")).status).toBe(403);
    expect(models.requests).toEqual([]);
  });

  test("a client that goes away ends the call, and its span says so", async () => {
    const before = (await spans("proxy")).length;
    const response = await ask("ollama:slow", { stream: true });
    const reader = response.body!.getReader();
    for (let read = ""; !read.includes("first "); ) read += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    await until(() => models.abandoned.length > 0);
    await until(async () => (await spans("proxy")).length === before + 1);
    const cancelled = (await spans("proxy")).filter(({ statusCode }) => statusCode === "ERROR");
    expect(cancelled.map(({ statusMessage }) => statusMessage)).toContain("The call was cancelled");
  });

  test("models are listed without a request, and by their endpoint when it is named", async () => {
    const list = async (query: string) => {
      const response = await send(api.server, `GET /v1/models${query}`);
      return { status: response.status, ...(await response.json().catch(() => ({}))) };
    };
    const known = await list("");
    const ids = known.data.map(({ id }: { id: string }) => id);
    expect(known.object).toBe("list");
    expect(ids).toContain("ollama:llama3.2");
    expect(ids).toContain(`custom:${custom.get("openai")}:gpt-4o`);
    expect(ids.some((id: string) => id.startsWith("openai:"))).toBe(false);
    expect(models.requests).toEqual([]);
    expect(await list("?provider=ollama")).toMatchObject({
      data: [
        { id: "ollama:text", object: "model", created: 0, owned_by: "ollama" },
        { id: "ollama:tool", object: "model", created: 0, owned_by: "ollama" },
      ],
    });
    const own = await list(`?provider=custom:${custom.get("openai")}`);
    expect(own.data[0]).toMatchObject({ id: `custom:${custom.get("openai")}:text` });
    expect((await list("?provider=nobody")).status).toBe(404);
    expect((await list("?provider=groq")).status).toBe(422);
  });
});
