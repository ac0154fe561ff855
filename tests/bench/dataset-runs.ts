// How close a run over a dataset comes to what its provider allows, and what a run takes of the processor.
// Usage: tests/bench/README.md

import { createSqliteDatabase } from "../support/drivers.ts";
import { createPostgresDatabase } from "../support/postgres.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, progress, short, table } from "./figures.ts";
import { cpuSeconds, threadSeconds } from "./process-tree.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  examples: { default: 10_000, meaning: "examples of the dataset" },
  warm: { default: 3000, meaning: "examples that are run before, so that the engine has compiled what is measured" },
  milliseconds: { default: 20, meaning: "until the provider answers" },
  concurrency: { default: 50, meaning: "calls at once" },
  stream: { default: false, meaning: "the answers are streamed" },
  threads: { default: false, meaning: "print the processor time of each thread" },
  binary: sharedOptions.binary,
});

const provider = Bun.spawn([process.execPath, `${import.meta.dir}/quick-models.ts`, String(options.milliseconds)], {
  stdin: "pipe",
  stdout: "pipe",
});
const lines = provider.stdout.pipeThrough(new TextDecoderStream()).getReader();
const port = Number((await lines.read()).value);
const database = await (options.driver === "sqlite" ? createSqliteDatabase() : createPostgresDatabase());
const service = await startMeasured(database.url, options.binary, {
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
});

const inputs = Array.from({ length: options.examples }, (_none, at) => ({ question: `Question ${at}` }));
const warm = await uploaded("warm", inputs.slice(0, options.warm));
await finished(await started(warm));
const dataset = await uploaded("bench", inputs);
const { requests: before } = await counted();
const cpuBefore = await cpuSeconds(service.pid);
const threadsBefore = await threadSeconds(service.pid);
progress(`${short(options.examples)} examples`);
const began = performance.now();
const run = await finished(await started(dataset));
const seconds = (performance.now() - began) / 1000;
const cpu = (await cpuSeconds(service.pid)) - cpuBefore;
const threads = await threadSeconds(service.pid);
const { requests, mostAtOnce } = await counted();
if (run.progress.succeeded !== options.examples) throw new Error(JSON.stringify(run));
await stopMeasured(service);
provider.kill();
await database.drop();
endProgress("done");

const allowedSeconds = (options.examples * options.milliseconds) / 1000 / options.concurrency;
console.log(`\n${await machine()}`);
console.log(`service ${programName(options.binary)}, ${options.driver}\n`);
console.log(
  table([
    [`${short(options.examples)} examples × ${options.milliseconds} ms, ${options.concurrency} at once`, "figure"],
    ["seconds", seconds.toFixed(2)],
    ["share of what the provider allows", `${((100 * allowedSeconds) / seconds).toFixed(0)} %`],
    ["processor time of a run, all threads", `${((1000 * cpu) / options.examples).toFixed(2)} ms`],
    ["calls, most at once", `${requests - before}, ${mostAtOnce}`],
  ]),
);
if (options.threads) {
  for (const [name, taken] of threads) {
    const more = taken - (threadsBefore.get(name) ?? 0);
    if (more > 0.05) console.log(`${name.padEnd(30)}${((1000 * more) / options.examples).toFixed(3)} ms a run`);
  }
}

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}/v1/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

async function uploaded(name: string, rows: readonly object[]): Promise<string> {
  return (await ask("POST", "datasets/upload?sync=true", { name, action: "create", inputs: rows })).dataset_id;
}

async function started(datasetId: string): Promise<string> {
  const prompt = {
    model_provider: "OPENAI",
    model_name: "gpt-4o",
    template_format: "MUSTACHE",
    template: { type: "chat", messages: [{ role: "user", content: "Answer: {{question}}" }] },
    invocation_parameters: { type: "openai", openai: { temperature: 0 } },
  };
  const { concurrency: max_concurrency, stream: stream_model_output } = options;
  const body = { dataset_id: datasetId, prompt, max_concurrency, stream_model_output };
  return (await ask("POST", "playground/dataset_runs", body)).id;
}

async function finished(id: string) {
  for (;;) {
    const state = await ask("GET", `playground/dataset_runs/${id}`);
    if (state.status !== "RUNNING") return state;
    await Bun.sleep(500);
  }
}

async function counted(): Promise<{ requests: number; mostAtOnce: number }> {
  provider.stdin.write("count\n");
  provider.stdin.flush();
  return JSON.parse((await lines.read()).value!);
}
