// How many notes and annotations a second the real service acknowledges when each is a request of its own. Usage: tests/bench/README.md
import { readArguments, sharedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { cpuSeconds } from "./process-tree.ts";
import { PROJECT } from "./stored.ts";

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  stored: { default: 100_000, meaning: "small spans in the database" },
  clients: { default: 64, meaning: "requests under way at once" },
  warm: { default: 2000, meaning: "requests of each kind before those that are measured" },
  requests: { default: 20_000, meaning: "measured requests of each kind" },
  ...sharedOptions,
});

const { service, finish } = await startOnStored({ ...options, size: "small", spans: options.stored });
const spans = await newestSpans();

const note = (span_id: string, number: number) => ({ data: { span_id, note: `looked at ${number}` } });
const annotation = (span_id: string, number: number) => ({
  data: [{ span_id, name: `judge ${number}`, annotator_kind: "LLM", result: { label: "good", score: 0.5 } }],
});
const kinds = [
  ["notes", "/v1/span_notes", note],
  ["annotations, `sync=true`", "/v1/span_annotations?sync=true", annotation],
  ["annotations", "/v1/span_annotations", annotation],
] as const;
const rows: string[][] = [];
for (const [name, path, bodyOf] of kinds) {
  await post(name, path, bodyOf, options.warm);
  const [cpuBefore, began] = [await cpuSeconds(service.pid), performance.now()];
  const latencies = await post(name, path, bodyOf, options.requests);
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((await cpuSeconds(service.pid)) - cpuBefore) / options.requests;
  rows.push([
    name,
    short(options.requests / seconds),
    milliseconds(cpu * 1000),
    milliseconds(percentile(latencies, 0.5)),
    milliseconds(percentile(latencies, 0.99)),
  ]);
}
await finish();

await printHead(options, `${short(options.stored)} small spans stored`, `${options.clients} clients`);
console.log(table([["a request each", "a second", "CPU of the service", "answered after, p50", "p99"], ...rows]));
process.exit();

async function newestSpans(): Promise<string[]> {
  const response = await fetch(`${service.url}/v1/projects/${PROJECT}/spans?limit=1000`);
  const { data } = (await response.json()) as {
    readonly data: readonly { readonly context: { readonly span_id: string } }[];
  };
  return data.map(({ context }) => context.span_id);
}

/** Resolves with the milliseconds of each request. */
async function post(
  name: string,
  path: string,
  bodyOf: (spanId: string, number: number) => object,
  requests: number,
): Promise<number[]> {
  const latencies: number[] = [];
  let next = 0;
  const client = async () => {
    for (let number = next++; number < requests; number = next++) {
      const began = performance.now();
      const response = await fetch(service.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodyOf(spans[number % spans.length]!, number)),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      latencies.push(performance.now() - began);
      progress(`${name}: ${number}`);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return latencies;
}
