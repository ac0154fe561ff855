// Calls of models over the whole service: each attempt is a span that is there when its event arrives, and what it cost is recorded.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal } from "../../../../src/access/principal.ts";
import { Failure } from "../../../../src/kernel/failure.ts";
import { modelCallsFeature } from "../../../../src/modules/evaluation/model-calls/model-calls.feature.ts";
import type {
  RecordedCallRequest,
  RecordedEvent,
} from "../../../../src/modules/evaluation/model-calls/model-calls.schema.ts";
import { spenderOf } from "../../../../src/modules/evaluation/spending/spending.schema.ts";
import { playgroundLimits } from "../../../../src/providers/call-limits.ts";
import type { ModelCall } from "../../../../src/providers/model-call.ts";
import { playgroundRetries } from "../../../../src/providers/retries.ts";
import { openTestApi, send, type TestApi } from "../../../support/api.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { message, modelCall, modelEndpoint, TEST_KEY } from "../../../support/model-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../../../support/scripted-models.ts";
import { until } from "../../../support/until.ts";

interface ListedSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly status_code: string;
  readonly status_message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

forEachDriver("recorded calls", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  let projects = 0;
  let projectName = "";
  let traceKey = "";

  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), { variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" } });
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });
  beforeEach(() => {
    projectName = `calls ${projects++}`;
    traceKey = projects.toString(16).padStart(32, "0");
    models.requests.length = 0;
  });

  const requestOf = (model: string, changes: Partial<RecordedCallRequest> = {}, call: Partial<ModelCall> = {}) => {
    const endpoint = modelEndpoint(models.openAi);
    return {
      call: modelCall(endpoint, { model, ...call }),
      retries: playgroundRetries,
      limits: playgroundLimits(endpoint, false),
      heedsRateLimits: false,
      spender: spenderOf(openPrincipal),
      purpose: "playground",
      projectId: null,
      place: { projectName, traceKey, parentSpanKey: null },
      metadata: {},
      signal: new AbortController().signal,
      ...changes,
    } satisfies RecordedCallRequest;
  };
  const run = (request: RecordedCallRequest) => api.features.use(modelCallsFeature).calls.run(request);
  const eventsOf = async (request: RecordedCallRequest): Promise<RecordedEvent[]> => Array.fromAsync(run(request));
  const spans = async (): Promise<readonly ListedSpan[]> => {
    const response = await send(api.server, `GET /v1/projects/${encodeURIComponent(projectName)}/spans`);
    return ((await response.json()) as { data: readonly ListedSpan[] }).data;
  };

  test("the span is there when the last event arrives, and what the call used is known", async () => {
    for await (const event of run(requestOf("text", { metadata: { prompt_version_id: "abc" } }))) {
      if (event.type !== "finish") continue;
      expect(event.spent).toMatchObject({ promptTokens: 11, completionTokens: 7, cost: null });
      const [span] = await spans();
      expect(span).toMatchObject({
        name: "ChatCompletion",
        context: { trace_id: traceKey, span_id: event.spanKey },
        status_code: "OK",
        attributes: {
          "llm.token_count.prompt": 11,
          "metadata.prompt_version_id": "abc",
          "output.value": "Hello world",
        },
      });
    }
  });

  test("each attempt is a span of the same trace", async () => {
    const events = await eventsOf(requestOf("flaky-1"));
    expect(events.map(({ type }) => type)).toEqual(["retry", "text", "text", "finish"]);
    const found = await spans();
    expect(found.map(({ status_code }) => status_code).sort()).toEqual(["ERROR", "OK"]);
    expect(found.map(({ context }) => context.trace_id)).toEqual([traceKey, traceKey]);
    expect(found.find(({ status_code }) => status_code === "OK")?.attributes).toMatchObject({ "metadata.attempt": 2 });
  });

  describe("a call that is cancelled", () => {
    const cancelled = { status_code: "ERROR", attributes: { "llm.output_messages.0.message.content": "first " } };

    test("by its signal leaves a span with what came before", async () => {
      const abort = new AbortController();
      const events: RecordedEvent[] = [];
      for await (const event of run(requestOf("slow", { signal: abort.signal }))) {
        events.push(event);
        if (event.type === "text") abort.abort();
      }
      expect(events.at(-1)).toMatchObject({
        type: "failure",
        failure: { kind: "cancelled" },
        spent: { isEstimated: true },
      });
      expect(await spans()).toMatchObject([{ ...cancelled, status_message: "The call was cancelled" }]);
    });

    test("because its reader went away leaves the same", async () => {
      for await (const event of run(requestOf("slow"))) if (event.type === "text") break;
      expect(await spans()).toMatchObject([cancelled]);
      expect(models.abandoned.map(({ body }) => body.model)).toContain("slow");
    });

    test("before it began is never sent", async () => {
      const signal = AbortSignal.abort();
      expect((await eventsOf(requestOf("text", { signal }))).map(({ type }) => type)).toEqual(["failure"]);
      expect(models.requests).toEqual([]);
    });
  });

  test("a budget that is used up refuses before anything is sent", async () => {
    const budget = { scope: "server", period: "day", max_tokens: 0, created_us: 0, updated_us: 0 };
    const database = api.stored.storage.handle.write(api.context());
    const { id } = await database.insertInto("budgets").values(budget).returning("id").executeTakeFirstOrThrow();
    try {
      const refusal = async () => {
        const error: unknown = await eventsOf(requestOf("text")).catch((refused: unknown) => refused);
        return error instanceof Failure ? error.code : null;
      };
      // A first budget counts within a second.
      await until(async () => (await refusal()) === "spending.call_too_large");
      models.requests.length = 0;
      expect(await refusal()).toBe("spending.call_too_large");
      expect(models.requests).toEqual([]);
    } finally {
      await database.deleteFrom("budgets").where("id", "=", id).execute();
    }
  });

  test("a key that the model repeats is nowhere in what is stored", async () => {
    await eventsOf(requestOf("keyecho", {}, { messages: [message("user", `my key is ${TEST_KEY}`)] }));
    await eventsOf(requestOf("e401"));
    const text = JSON.stringify(await spans());
    expect(text).toContain("[REDACTED]");
    expect(text).not.toContain(TEST_KEY);
  });

  test("without a place no span is stored", async () => {
    const events = await eventsOf(requestOf("text", { place: null }));
    expect(events.at(-1)).toMatchObject({ type: "finish", spanKey: null, problem: null });
    expect((await send(api.server, `GET /v1/projects/${encodeURIComponent(projectName)}`)).status).toBe(404);
  });
});
