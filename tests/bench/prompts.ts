// Programs that ask for a prompt by name and tag before each call of a model, beside ingestion: how long they wait, with the whole
// answer and with a 304. Usage: tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { startSenders } from "./senders.ts";

const options = readArguments({
  prompts: { default: 1000, meaning: "prompts" },
  versions: { default: 100, meaning: "versions of each; the tag points at the last" },
  rate: { default: 500, meaning: "requests a second" },
  seconds: { default: 10, meaning: "length of each measurement" },
  ingest: { default: 2000, meaning: "small spans a second meanwhile; 0 for none" },
  ...storedOptions,
});

const WRITERS = 16;
const { service, finish } = await startOnStored({ ...options, size: "small", spans: 10_000 });
const nameOf = (prompt: number) => `prompt-${prompt}`;

const body = (prompt: number, version: number) => ({
  prompt: { name: nameOf(prompt) },
  version: {
    model_provider: "OPENAI",
    model_name: "gpt-5",
    template_type: "CHAT",
    template_format: "MUSTACHE",
    template: {
      type: "chat",
      messages: [{ role: "system", content: `${version} ${"Answer in {{language}}. ".repeat(40)}` }],
    },
    invocation_parameters: { type: "openai", openai: { temperature: 0 } },
  },
});

async function post(path: string, json: object): Promise<string> {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text;
}

async function createPrompts(from: number): Promise<void> {
  for (let prompt = from; prompt < options.prompts; prompt += WRITERS) {
    let last = "";
    for (let version = 0; version < options.versions; version++)
      last = await post("/v1/prompts", body(prompt, version));
    const { id } = (JSON.parse(last) as { readonly data: { readonly id: string } }).data;
    await post(`/v1/prompt_versions/${id}/tags`, { name: "production" });
    progress(`made ${nameOf(prompt)}`);
  }
}
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => createPrompts(writer)));

interface Asked {
  readonly latencies: number[];
  readonly statuses: Set<number>;
}

/** At a fixed rate, whether the answers come or not. */
async function ask(tags: ReadonlyMap<number, string> | null): Promise<Asked & { readonly tags: Map<number, string> }> {
  const asked = { latencies: [] as number[], statuses: new Set<number>(), tags: new Map<number, string>() };
  const began = performance.now();
  const pending: Promise<void>[] = [];
  for (let request = 0; request < options.rate * options.seconds; request++) {
    const due = began + (request * 1000) / options.rate;
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    pending.push(askOne((request * 7919) % options.prompts, performance.now()));
  }
  await Promise.all(pending);
  return asked;

  async function askOne(prompt: number, sent: number): Promise<void> {
    const tag = tags?.get(prompt);
    const headers = tag === undefined ? undefined : { "if-none-match": tag };
    const response = await fetch(`${service.url}/v1/prompts/${nameOf(prompt)}/tags/production`, {
      ...(headers && { headers }),
    });
    await response.text();
    asked.latencies.push(performance.now() - sent);
    asked.statuses.add(response.status);
    asked.tags.set(prompt, response.headers.get("etag") ?? "");
  }
}

const sending =
  options.ingest === 0
    ? null
    : startSenders({
        ...{ service, senders: 4, spansPerRequest: 100, project: "busy", rate: options.ingest },
      });
progress("warming up");
const { tags } = await ask(null);
progress("asking for whole prompts");
const whole = await ask(null);
progress("asking whether they changed");
const unchanged = await ask(tags);
await sending?.stop();
await finish();

const row = (name: string, { latencies, statuses }: Asked) => [
  name,
  [...statuses].join(", "),
  milliseconds(percentile(latencies, 0.5)),
  milliseconds(percentile(latencies, 0.99)),
];
await printHead(
  options,
  `${short(options.prompts)} prompts of ${short(options.versions)} versions`,
  `${options.rate} requests a second beside ${short(options.ingest)} spans a second`,
);
console.log(
  table([["by name and tag", "status", "p50", "p99"], row("whole", whole), row("with the ETag of before", unchanged)]),
);
process.exit();
