// How many annotations a second the real service acknowledges in batches, and what its ingestion costs meanwhile. Usage:
// tests/bench/README.md
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { startSenders } from "./senders.ts";
import { PROJECT } from "./stored.ts";

const WARM_UP_MS = 3000;
const SPANS_A_PAGE = 1000;

const options = readArguments({
  stored: { default: 100_000, meaning: "small spans in the database" },
  annotations: { default: 100_000, meaning: "annotations posted, one a span" },
  batch: { default: 1000, meaning: "annotations a request" },
  writers: { default: 1, meaning: "requests under way at once" },
  rate: { default: 1000, meaning: "spans a second that arrive meanwhile" },
  seconds: { default: 10, meaning: "how long spans arrive before, without annotations" },
  ...storedOptions,
});

const { service, finish } = await startOnStored({ ...options, size: "small", spans: options.stored });
const spanIds = await firstSpanIds(options.annotations);
const quiet = await post("alone");

const sending = startSenders({ service, senders: 4, spansPerRequest: 20, rate: options.rate });
progress("spans arrive alone");
await Bun.sleep(WARM_UP_MS);
sending.reset();
await Bun.sleep(options.seconds * 1000);
const before = sending.counts().latencies;
sending.reset();
const beside = await post("beside");
const during = sending.counts().latencies;
await sending.stop();
await finish();

await printHead(options, `${short(options.stored)} small spans stored`);
const each = (count: number, seconds: number) => (count / seconds).toFixed(0);
console.log(
  table([
    [
      `${short(options.annotations)} annotations, ${options.batch} a request`,
      "alone",
      `beside ${options.rate} spans/s`,
    ],
    ["acknowledged a second", each(spanIds.length, quiet), each(spanIds.length, beside)],
    ["ingestion's ack p99 before", "", milliseconds(percentile(before, 0.99))],
    ["meanwhile", "", milliseconds(percentile(during, 0.99))],
    ["ratio", "", ratio(percentile(during, 0.99), percentile(before, 0.99))],
  ]),
);
process.exit();

async function firstSpanIds(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && ids.length < count; ) {
    const query: string = new URLSearchParams({ limit: `${SPANS_A_PAGE}`, cursor }).toString();
    const response = await fetch(`${service.url}/v1/projects/${PROJECT}/spans?${query}`);
    const page = (await response.json()) as {
      readonly data: readonly { readonly context: { readonly span_id: string } }[];
      readonly next_cursor: string | null;
    };
    ids.push(...page.data.map(({ context }) => context.span_id));
    cursor = page.next_cursor;
    progress(`reading ids: ${ids.length}`);
  }
  return ids.slice(0, count);
}

/** Posts an annotation for each span, under a name; resolves with the seconds that it took. */
async function post(name: string): Promise<number> {
  const batches: string[] = [];
  for (let at = 0; at < spanIds.length; at += options.batch) {
    const data = spanIds.slice(at, at + options.batch).map((span_id, number) => ({
      span_id,
      name,
      annotator_kind: "LLM",
      result: {
        label: number % 3 === 0 ? "bad" : "good",
        score: (number % 100) / 100,
        explanation: "as a judge says it",
      },
      metadata: { model: "judge-1" },
    }));
    batches.push(JSON.stringify({ data }));
  }
  const began = performance.now();
  let next = 0;
  const write = async () => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      const response = await fetch(`${service.url}/v1/span_annotations?sync=true`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: batch,
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      progress(`${name}: batch ${next}`);
    }
  };
  await Promise.all(Array.from({ length: options.writers }, write));
  return (performance.now() - began) / 1000;
}
