// Runs over datasets survive the server that runs them: killed, stopped in order, and taken over by another one.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { forEachDriver } from "../support/drivers.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import { type RunningService, startService } from "../support/server.ts";
import { until } from "../support/until.ts";

/** Answers of many shapes. */
type Any = ReturnType<typeof JSON.parse>;

const credentials = [{ name: "OPENAI_API_KEY", value: "canary-of-a-request-0123456789" }];
const EXAMPLES = 60;
const CONCURRENCY = 4;
/** A server that is lost is noticed when its claim runs out. */
const TAKEN_OVER_MS = 50_000;

setDefaultTimeout(120_000);

forEachDriver("runs over datasets whose server is lost", (driver) => {
  let models: ScriptedModels;
  let databaseUrl: string;
  const services: RunningService[] = [];
  beforeAll(async () => {
    models = await startScriptedModels();
    databaseUrl = await driver.createDatabase();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await models.close();
  });

  async function start(): Promise<RunningService> {
    const env = {
      OPENAI_API_KEY: "key-of-the-server",
      OPENAI_BASE_URL: models.openAi,
      SERVICE_ALLOW_PRIVATE_PROVIDERS: "true",
    };
    const service = await startService({ databaseUrl, env });
    services.push(service);
    return service;
  }

  async function ask({ url }: RunningService, method: string, path: string, body?: object): Promise<Any> {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as Any).data;
  }

  /** The id of an experiment that runs, with some runs done. */
  async function startedRun(service: RunningService, name: string): Promise<string> {
    const inputs = Array.from({ length: EXAMPLES }, (_none, at) => ({ x: `v${at}` }));
    const { dataset_id } = await ask(service, "POST", "datasets/upload?sync=true", { name, action: "create", inputs });
    const prompt = {
      model_provider: "OPENAI",
      model_name: "slow-first-byte-150",
      template_format: "MUSTACHE",
      template: { type: "chat", messages: [{ role: "user", content: "hi {{x}}" }] },
      invocation_parameters: { type: "openai", openai: {} },
    };
    models.requests.length = 0;
    const connection = { openai_api_type: "CHAT_COMPLETIONS" };
    const body = { dataset_id, prompt, connection, max_concurrency: CONCURRENCY };
    const { id } = await ask(service, "POST", "playground/dataset_runs", body);
    await until(async () => (await stateOf(service, id)).progress.succeeded >= 8, 20_000);
    return id;
  }

  const stateOf = (service: RunningService, id: string) => ask(service, "GET", `playground/dataset_runs/${id}`);

  async function completedRuns(service: RunningService, id: string, limit: number): Promise<Any[]> {
    await until(async () => (await stateOf(service, id)).status !== "RUNNING", limit);
    const { status, progress } = await stateOf(service, id);
    expect([status, progress.succeeded, progress.failed, progress.left]).toEqual(["COMPLETED", EXAMPLES, 0, 0]);
    const runs = await ask(service, "GET", `experiments/${id}/runs?limit=1000`);
    expect(new Set(runs.map(({ dataset_example_id }: Any) => dataset_example_id)).size).toBe(EXAMPLES);
    expect(runs).toHaveLength(EXAMPLES);
    for (const { output, error, trace_id } of runs) {
      expect([output.messages[0].content, error, typeof trace_id]).toEqual(["Hello world", null, "string"]);
    }
    return runs;
  }

  const callsOf = (model: string) => models.requests.filter(({ body }) => body.model === model);

  /** One whose keys come with the request, and whose calls do not end. */
  async function startedWithKeys(service: RunningService): Promise<string> {
    const upload = { name: "keys", action: "create", inputs: [{ x: 1 }, { x: 2 }, { x: 3 }] };
    const { dataset_id } = await ask(service, "POST", "datasets/upload?sync=true", upload);
    const prompt = {
      model_provider: "OPENAI",
      model_name: "slow",
      template_format: "NONE",
      template: { type: "chat", messages: [{ role: "user", content: "hi" }] },
      invocation_parameters: { type: "openai", openai: {} },
    };
    const connection = { base_url: models.openAi, openai_api_type: "CHAT_COMPLETIONS" };
    const body = { dataset_id, prompt, connection, credentials, template_variables_path: "" };
    const { id } = await ask(service, "POST", "playground/dataset_runs", body);
    await until(() => callsOf("slow").length === 3, 20_000);
    return id;
  }

  /** The keys are gone with the server; a resume with them goes on. */
  async function expectKeysNeeded(service: RunningService, id: string): Promise<void> {
    await until(async () => (await stateOf(service, id)).status !== "RUNNING", TAKEN_OVER_MS);
    expect(await stateOf(service, id)).toMatchObject({ status: "ERROR", stop_reason: "credentials_needed" });
    const resumed = await ask(service, "POST", `playground/dataset_runs/${id}/resume`, { credentials });
    expect(resumed.status).toBe("RUNNING");
    await until(() => callsOf("slow").length === 6, 20_000);
    expect(callsOf("slow").at(-1)!.headers.authorization).toBe(`Bearer ${credentials[0]!.value}`);
    expect(service.log()).not.toContain("canary");
  }

  test("killed: the next server does what is missing, and stores nothing twice; keys of a request are needed again", async () => {
    const first = await start();
    // SQLite has one server at a time; PostgreSQL another one that takes over.
    const other = driver.name === "postgres" ? await start() : null;
    const id = await startedRun(first, "killed");
    const withKeys = await startedWithKeys(first);
    const before = await ask(first, "GET", `experiments/${id}/runs?limit=1000`);
    await first.kill();
    const next = other ?? (await start());
    const runs = await completedRuns(next, id, TAKEN_OVER_MS);
    // What was stored is not run again.
    const kept = new Map(runs.map((run: Any) => [run.id, run.trace_id]));
    for (const run of before) expect(kept.get(run.id)).toBe(run.trace_id);
    const repeated = callsOf("slow-first-byte-150").length - EXAMPLES;
    expect(repeated).toBeLessThanOrEqual(EXAMPLES - before.length);
    await expectKeysNeeded(next, withKeys);
    await next.stop();
  });

  test("stopped in order: running calls end and are stored, and no call is made twice", async () => {
    const first = await start();
    const id = await startedRun(first, "stopped");
    expect(await first.stop()).toBe(0);
    const next = await start();
    await completedRuns(next, id, TAKEN_OVER_MS);
    expect(callsOf("slow-first-byte-150")).toHaveLength(EXAMPLES);
    await next.stop();
  });
});
