// What forwarding takes: how long after it arrived the first token leaves, and what many streams at once cost in memory and to ingestion.
// Usage: tests/bench/README.md
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, megabytes, milliseconds, percentile, progress, ratio, table } from "./figures.ts";
import { memoryOf } from "./process-tree.ts";
import { startSenders } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";

const options = readArguments({
  streams: { default: 200, meaning: "streams at once" },
  seconds: { default: 10, meaning: "length of each run" },
  alone: { default: 100, meaning: "streams one after the other, for the first token" },
  rate: { default: 2000, meaning: "spans a second that arrive meanwhile" },
  ...sharedOptions,
});

/** Between two pieces of a stream. */
const PIECE_MS = 50;
/** Sent with the first piece: when it left the provider. */
const encoder = new TextEncoder();
const chunk = (content: string, finish: string | null = null) =>
  encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`);

/** A provider whose first piece holds the time at which it leaves. `pieces` follow. */
const provider = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  async fetch(request) {
    const { model } = (await request.json()) as { model: string };
    const pieces = Number(model);
    async function* events() {
      await Bun.sleep(20);
      yield chunk(`<${performance.now()}>`);
      for (let piece = 0; piece < pieces; piece++) {
        await Bun.sleep(PIECE_MS);
        yield chunk("a word ");
      }
      yield chunk("", "stop");
      yield encoder.encode("data: [DONE]\n\n");
    }
    return new Response(events() as unknown as ReadableStream, { headers: { "content-type": "text/event-stream" } });
  },
});

const service = await startMeasured("sqlite:///:memory:", options.binary, {
  OLLAMA_BASE_URL: `http://127.0.0.1:${provider.port}/v1`,
  SERVICE_ALLOW_PRIVATE_PROVIDERS: "true",
});

/** Milliseconds from the provider's first piece to its arrival here. */
async function stream(url: string, pieces: number): Promise<number> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: url.startsWith(service.url) ? `ollama:${pieces}` : String(pieces),
      stream: true,
      messages: [{ role: "user", content: "hi" }],
    }),
  });
  let text = "";
  let delay: number | null = null;
  for await (const part of response.body! as unknown as AsyncIterable<Uint8Array>) {
    if (delay !== null) continue;
    text += new TextDecoder().decode(part);
    const left = /<([\d.]+)>/.exec(text)?.[1];
    if (left !== undefined) delay = performance.now() - Number(left);
  }
  if (delay === null) throw new Error(text.slice(0, 500));
  return delay;
}

async function ingestion(meanwhile: () => Promise<unknown>): Promise<readonly number[]> {
  const sending = startSenders({ service, senders: 8, spansPerRequest: 50, rate: options.rate });
  await Bun.sleep(1000);
  sending.reset();
  await meanwhile();
  const { latencies } = sending.counts();
  await sending.stop();
  return latencies;
}

const proxied = `${service.url}/v1`;
const straight = `http://127.0.0.1:${provider.port}/v1`;
const [direct, forwarded]: [number[], number[]] = [[], []];
for (let round = 0; round < options.alone; round++) {
  progress(`stream ${round + 1} of ${options.alone}`);
  direct.push(await stream(straight, 0));
  forwarded.push(await stream(proxied, 0));
}
progress("ingestion alone");
const alone = await ingestion(() => Bun.sleep(options.seconds * 1000));
const before = (await memoryOf(service.pid)).rss;
progress("ingestion beside streams");
let most = 0;
const crowd: number[] = [];
const beside = await ingestion(async () => {
  const pieces = Math.round((options.seconds * 1000) / PIECE_MS);
  const running = Promise.all(Array.from({ length: options.streams }, () => stream(proxied, pieces)));
  const watch = setInterval(async () => (most = Math.max(most, (await memoryOf(service.pid)).rss)), 200);
  crowd.push(...(await running));
  clearInterval(watch);
});
endProgress("done");

console.log(`\n${await machine()}\nservice ${programName(options.binary)}, SQLite in memory\n`);
console.log(
  table([
    ["first token behind the provider's", "p50", "p99"],
    ["read from the provider", milliseconds(percentile(direct, 0.5)), milliseconds(percentile(direct, 0.99))],
    ["through the proxy", milliseconds(percentile(forwarded, 0.5)), milliseconds(percentile(forwarded, 0.99))],
    [`${options.streams} at once`, milliseconds(percentile(crowd, 0.5)), milliseconds(percentile(crowd, 0.99))],
  ]),
);
console.log(
  table([
    ["ingestion", "p50", "p99", "p99 to alone", "memory"],
    ["alone", milliseconds(percentile(alone, 0.5)), milliseconds(percentile(alone, 0.99)), "1", megabytes(before)],
    [
      `beside ${options.streams} streams`,
      milliseconds(percentile(beside, 0.5)),
      milliseconds(percentile(beside, 0.99)),
      ratio(percentile(beside, 0.99), percentile(alone, 0.99)),
      megabytes(most),
    ],
  ]),
);
await stopMeasured(service);
await provider.stop(true);
process.exit();
