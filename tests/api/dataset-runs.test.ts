// Runs over datasets over REST: estimated, started, watched, paused and resumed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { passCooldown } from "../support/dataset-chats.ts";
import { numberedDataset } from "../support/dataset-runs.ts";
import { forEachDriver } from "../support/drivers.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

forEachDriver("runs over datasets over REST", (driver) => {
  let api: TestApi;
  let models: ScriptedModels;
  let dataset: string;
  beforeAll(async () => {
    models = await startScriptedModels();
    api = await openTestApi(await driver.createDatabase(), { variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true" } });
    dataset = await numberedDataset(api, 4);
  });
  afterAll(async () => {
    await api.close();
    await models.close();
  });

  const bodyOf = (model: string, changes: object = {}, openai: object = {}) => ({
    dataset_id: dataset,
    prompt: {
      model_provider: "OPENAI",
      model_name: model,
      template_format: "MUSTACHE",
      template: { type: "chat", messages: [{ role: "user", content: "hi {{x}}" }] },
      invocation_parameters: { type: "openai", openai },
    },
    connection: { base_url: models.openAi, openai_api_type: "CHAT_COMPLETIONS" },
    credentials: [{ name: "OPENAI_API_KEY", value: TEST_KEY }],
    ...changes,
  });
  const RUNS = "/v1/playground/dataset_runs";
  async function ask(line: string, json?: object, status = 200): Promise<Any> {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    expect({ line, status: response.status, text: response.status === status ? "" : text }).toEqual({
      line,
      status,
      text: "",
    });
    return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text).data : text;
  }
  const stateOf = (id: string) => ask(`GET ${RUNS}/${id}`);
  const eventsOf = (text: string): { name: string; data: Any }[] =>
    [...text.matchAll(/^event: (\w+)\ndata: (.+)$/gm)].map(([, name, data]) => ({
      name: name!,
      data: JSON.parse(data!),
    }));

  test("an estimate has the tokens and the price, and calls and writes nothing", async () => {
    models.requests.length = 0;
    const body = bodyOf("gpt-4o", { repetitions: 3 }, { max_completion_tokens: 500 });
    const estimate = await ask(`POST ${RUNS}/estimate`, body);
    expect(estimate).toMatchObject({
      examples: 4,
      runs: 12,
      calls: 12,
      max_completion_tokens: 6000,
      sampled_examples: 4,
      answer_lengths: "expected_outputs",
      failing_examples: 0,
      problem: null,
      models: [{ provider: "openai", model: "gpt-4o", calls: 12 }],
      budget_left: { cost: null, tokens: null },
    });
    // 10 USD for a million tokens of answers: they alone are 0.06 USD at most.
    expect(estimate.max_cost).toBeGreaterThan(0.06);
    expect(estimate.max_cost).toBeLessThan(0.07);
    expect(estimate.cost).toBeLessThan(estimate.max_cost);
    expect(estimate.cost).toBeGreaterThan(0);
    const failing = await ask(`POST ${RUNS}/estimate`, bodyOf("gpt-4o", { template_variables_path: "input.zzz" }));
    expect([failing.failing_examples, failing.problem]).toEqual([4, "Key 'zzz' not found in path 'input.zzz'"]);
    expect(models.requests).toEqual([]);
    expect(await ask(`GET /v1/datasets/${dataset}/experiments`)).toEqual([]);
  });

  test("a start answers at once, and its state says how far it is", async () => {
    const started = await ask(
      `POST ${RUNS}`,
      bodyOf("slow-first-byte-100", { name: "first", metadata: { a: 1 } }),
      202,
    );
    expect(started).toMatchObject({ status: "RUNNING", progress: { runs: 4 }, estimate: { examples: 4 } });
    await until(async () => (await stateOf(started.id)).status !== "RUNNING");
    expect(await stateOf(started.id)).toMatchObject({
      status: "COMPLETED",
      stop_reason: null,
      spent: { calls: 4, prompt_tokens: 44, completion_tokens: 28, unpriced_calls: 4 },
      progress: { succeeded: 4, failed: 0, left: 0, seconds_left: null },
      last_error: null,
    });
    const experiment = await ask(`GET /v1/experiments/${started.id}`);
    expect(experiment).toMatchObject({ name: "first", metadata: { a: 1 }, example_count: 4, successful_run_count: 4 });
    expect(eventsOf(await ask(`GET ${RUNS}/${started.id}/events`)).map(({ name }) => name)).toEqual(["end"]);
  });

  test("a start with its events ends with the state", async () => {
    const json = bodyOf("text", { repetitions: 2, filter: "m3", ephemeral: true });
    const response = await send(api.server, `POST ${RUNS}`, { json, headers: { accept: "text/event-stream" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const events = eventsOf(await response.text());
    expect([events[0]!.name, events.at(-1)!.name]).toEqual(["run", "end"]);
    const results = events.filter(({ name }) => name === "result");
    expect(results.map(({ data }) => data.repetition_number).sort()).toEqual([1, 2]);
    for (const { data } of results) {
      const own = events.filter(
        ({ data: { dataset_example_id, repetition_number } }) =>
          dataset_example_id === data.dataset_example_id && repetition_number === data.repetition_number,
      );
      expect(own.map(({ data: { text = "" } }) => text).join("")).toBe("Hello world");
      expect([data.run_id, data.trace_id, data.span_id].every((id) => typeof id === "string")).toBe(true);
    }
    expect(events.at(-1)!.data).toMatchObject({ status: "COMPLETED", progress: { runs: 2, succeeded: 2 } });
  });

  test("a version, splits, a stored prompt: only what they name is run, as it was", async () => {
    const versions = await ask(`GET /v1/datasets/${dataset}/versions`);
    const examples = (await ask(`GET /v1/datasets/${dataset}/examples`)).examples;
    const given = { name: "some", example_ids: [examples[1].id] };
    const split = await ask(`POST /v1/datasets/${dataset}/splits`, given, 201);
    const version = {
      description: "",
      model_provider: "OPENAI",
      model_name: "echo",
      template_type: "CHAT",
      template_format: "MUSTACHE",
      template: { type: "chat", messages: [{ role: "user", content: "stored {{x}}" }] },
      invocation_parameters: { type: "openai", openai: {} },
    };
    const prompt = await ask("POST /v1/prompts", { prompt: { name: "of-a-run" }, version });
    const { prompt: _, ...rest } = bodyOf("", {
      dataset_version_id: versions[0].version_id,
      prompt_version_id: prompt.id,
    });
    const started = await ask(`POST ${RUNS}`, { ...rest, split_ids: [split.id] }, 202);
    await until(async () => (await stateOf(started.id)).status === "COMPLETED");
    const runs = await ask(`GET /v1/experiments/${started.id}/runs`);
    const texts = runs.map(({ output }: Any) => output.messages[0].content).sort();
    expect(texts).toEqual(["stored v1"]);
  });

  test("it is paused and resumed, and only failed runs are tried again where that is asked for", async () => {
    const started = await ask(`POST ${RUNS}`, bodyOf("e400", { max_concurrency: 2 }), 202);
    await until(async () => (await stateOf(started.id)).status === "COMPLETED");
    const failed = await stateOf(started.id);
    expect([failed.progress.failed, failed.last_error.code, failed.last_error.category]).toEqual([
      4,
      "provider_error",
      "TASK",
    ]);
    models.requests.length = 0;
    const credentials = [{ name: "OPENAI_API_KEY", value: TEST_KEY }];
    await ask(`POST ${RUNS}/${started.id}/resume`, { credentials, retry_failed: false });
    await until(async () => (await stateOf(started.id)).status === "COMPLETED");
    expect(models.requests).toHaveLength(0);
    await passCooldown(api);
    await ask(`POST ${RUNS}/${started.id}/resume`, { credentials });
    await until(async () => (await stateOf(started.id)).status === "COMPLETED");
    expect(models.requests).toHaveLength(4);
    const slow = await ask(`POST ${RUNS}`, bodyOf("slow-first-byte-400", { max_concurrency: 1 }), 202);
    await until(() => models.requests.length === 5);
    const pausing = await ask(`POST ${RUNS}/${slow.id}/stop`, { mode: "pause" });
    expect(pausing.status === "RUNNING" ? pausing.pausing : pausing.stop_reason === "paused").toBe(true);
    await until(async () => (await stateOf(slow.id)).status === "STOPPED");
    expect(await stateOf(slow.id)).toMatchObject({ stop_reason: "paused", progress: { succeeded: 1, left: 3 } });
    await ask(`POST ${RUNS}/${slow.id}/resume`, { credentials }, 409);
  });

  /** Runs one example after the other, until it stops or is done. */
  async function runInOrder(changes: object = {}): Promise<Any> {
    const body = bodyOf("gpt-4o", { max_concurrency: 1, ...changes }, { max_completion_tokens: 20 });
    const { id } = await ask(`POST ${RUNS}`, body, 202);
    return ended(id);
  }
  async function ended(id: string): Promise<Any> {
    await until(async () => (await stateOf(id)).status !== "RUNNING");
    return stateOf(id);
  }
  async function resumed(id: string, changes: object = {}): Promise<Any> {
    await passCooldown(api);
    const credentials = [{ name: "OPENAI_API_KEY", value: TEST_KEY }];
    await ask(`POST ${RUNS}/${id}/resume`, { credentials, ...changes });
    return ended(id);
  }
  const storedOutputs = async (id: string) =>
    (await ask(`GET /v1/experiments/${id}/runs`)).map(({ output, error }: Any) => [output.messages[0].content, error]);

  test("it stops before the call that could exceed max_cost, keeps what is done, and goes on with a higher limit", async () => {
    models.requests.length = 0;
    const whole = await runInOrder();
    const each = whole.spent.cost / 4;
    const most = whole.estimate.max_cost / 4;
    expect([models.requests.length, each > 0, most > each]).toEqual([4, true, true]);
    // Two fit; after them one and a half times what a call has taken is left, and the next one may take more.
    const stopped = await runInOrder({ limits: { max_cost: most + 1.5 * each } });
    expect(stopped).toMatchObject({ status: "STOPPED", stop_reason: "cost_limit", spent: { calls: 2 } });
    expect(stopped.stop_message).toStartWith("The limit of ");
    expect(stopped.progress).toMatchObject({ succeeded: 2, failed: 0, left: 2 });
    expect(stopped.spent.cost).toBeCloseTo(2 * each, 12);
    expect(await storedOutputs(stopped.id)).toEqual(Array(2).fill(["Hello world", null]));
    expect(models.requests).toHaveLength(6);
    const unchanged = await resumed(stopped.id);
    expect([unchanged.stop_reason, models.requests.length]).toEqual(["cost_limit", 6]);
    const done = await resumed(stopped.id, { limits: { max_cost: 1 } });
    expect(done).toMatchObject({ status: "COMPLETED", stop_reason: null, spent: { calls: 4 } });
    expect(models.requests).toHaveLength(8);
  });

  test("a budget that is used up in its middle stops it at once; it goes on with a higher budget, and on the next day", async () => {
    const { estimate } = await runInOrder();
    const most = Math.ceil(estimate.prompt_tokens / 3) + 20;
    const setBudget = (tokens: number) =>
      ask("PUT /v1/budgets", { scope: "server", period: "day", max_tokens: tokens });
    const used = async () => (await ask("GET /v1/budgets"))[0].use;
    const budget = await setBudget(10_000);
    const before = budget.use.tokens;
    try {
      const { budget_left } = await ask(`POST ${RUNS}/estimate`, bodyOf("gpt-4o"));
      expect(budget_left).toMatchObject({ cost: null, tokens: { left: 10_000 - before, period: "day" } });
      await setBudget(before + most + 18);
      models.requests.length = 0;
      const stopped = await runInOrder();
      expect(stopped).toMatchObject({
        status: "STOPPED",
        stop_reason: "budget",
        stop_message: expect.stringContaining("The daily budget of the server is used up"),
        spent: { calls: 2 },
        progress: { succeeded: 2, failed: 0, left: 2 },
      });
      expect(await storedOutputs(stopped.id)).toEqual(Array(2).fill(["Hello world", null]));
      expect(models.requests).toHaveLength(2);
      expect(await used()).toMatchObject({ tokens: before + 2 * 18, reserved_tokens: 0 });
      await setBudget(before + most + 2 * 18);
      const raised = await resumed(stopped.id);
      expect([raised.stop_reason, raised.progress.succeeded]).toEqual(["budget", 3]);
      // As a day later.
      await api.stored.storage.handle
        .write(api.context())
        .updateTable("spending")
        .set((of) => ({ day_us: of("day_us", "-", 86_400_000_000) }))
        .execute();
      const done = await resumed(stopped.id);
      expect([done.status, done.progress.succeeded, models.requests.length]).toEqual(["COMPLETED", 4, 4]);
      expect(await used()).toMatchObject({ tokens: 18, reserved_tokens: 0 });
    } finally {
      await ask(`DELETE /v1/budgets/${budget.id}`, undefined, 204);
    }
  });

  test("refusals name what is wrong, and write nothing", async () => {
    const before = (await ask(`GET /v1/datasets/${dataset}/experiments`)).length;
    const rows: readonly (readonly [changes: object, status: number, text: string])[] = [
      [{ prompt: undefined }, 422, "prompt_version_id must be given"],
      [{ repetitions: 101 }, 422, "repetitions"],
      [{ max_concurrency: 0 }, 422, "max_concurrency"],
      [{ dataset_id: globalId("Dataset", 999) }, 404, "Could not find dataset with ID 999"],
      [{ prompt_version_id: globalId("PromptVersion", 999) }, 404, globalId("PromptVersion", 999)],
      [{ evaluator_ids: [globalId("DatasetEvaluator", 999)] }, 404, globalId("DatasetEvaluator", 999)],
      [{ filter: "nowhere" }, 404, "No examples found"],
      [{ limits: { max_cost: 1 } }, 422, "has no price"],
      [{ credentials: [], connection: null }, 422, "An API key is required for OpenAI models"],
      [{ connection: { base_url: "ftp://x" } }, 422, ""],
      [{ surprise: 1 }, 422, "surprise"],
    ];
    for (const [changes, status, text] of rows) {
      const response = await send(api.server, `POST ${RUNS}`, { json: bodyOf("text", changes) });
      const answer = await response.text();
      expect({ changes, status: response.status, has: answer.includes(text) ? text : answer }).toEqual({
        changes,
        status,
        has: text,
      });
      expect(answer).not.toContain(TEST_KEY);
    }
    expect(await ask(`GET /v1/datasets/${dataset}/experiments`)).toHaveLength(before);
    await ask(`GET ${RUNS}/${globalId("Experiment", 999)}`, undefined, 404);
  });
});
