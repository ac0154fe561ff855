// How long the pages of a large database take, how soon a span is seen after its acknowledgement, and whether
// acknowledgements wait for a slow query. Usage: tests/bench/README.md
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import type { RunningService } from "../support/server.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { milliseconds, percentile, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { existingPages, pages, readPage } from "./reading.ts";
import { startSenders } from "./senders.ts";
import { PROJECT } from "./stored.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "spans of 2 to 8 KB in the database" },
  reads: { default: 200, meaning: "reads of each page, at most" },
  "seconds-a-page": { default: 5, meaning: "time for each page, at most" },
  rate: { default: 10_000, meaning: "small spans a second that arrive in the second part" },
  seconds: { default: 10, meaning: "length of each half of the second part" },
  ...storedOptions,
});

/** A condition that no stored span meets and no index answers. */
const SLOW_PATH = `/v1/projects/${PROJECT}/spans?limit=100&attribute=app.customer.tier:platinum`;

const { service, finish } = await startOnStored({ ...options, size: "page", spans: options.stored });
const pageRows = await measurePages(service);
const writeRows = await measureWhileWriting(service);
await finish();

await printHead(
  options,
  `${short(options.stored)} spans of 2 to 8 KB stored; ${short(options.rate)} spans/s arrive in the second table`,
);
console.log(`${table([["page", "p50", "p99", "reads"], ...pageRows])}\n`);
console.log(table([["while spans arrive", "p50", "p99", "count"], ...writeRows]));
process.exit();

async function measurePages({ url }: RunningService): Promise<string[][]> {
  const rows: string[][] = [];
  for (const page of await existingPages(url, pages)) {
    progress(page.name);
    const latencies: number[] = [];
    const end = performance.now() + options["seconds-a-page"] * 1000;
    while (latencies.length < options.reads && performance.now() < end) {
      latencies.push(await readPage(url, page.path));
    }
    rows.push(latencyRow(page.name, latencies));
  }
  return rows;
}

function latencyRow(name: string, latencies: readonly number[]): string[] {
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return [name, milliseconds(p50), milliseconds(p99), String(latencies.length)];
}

async function measureWhileWriting(running: RunningService): Promise<string[][]> {
  const sending = startSenders({ service: running, senders: 16, spansPerRequest: 50, rate: options.rate });
  await Bun.sleep(2000);

  progress("acknowledge, then read");
  sending.reset();
  const pairs = await sendAndRead(running.url);
  const undisturbed = sending.counts().latencies;

  progress("a slow query at the same time");
  const slow: number[] = [];
  const [exists] = await existingPages(running.url, [{ name: "the slow query", path: SLOW_PATH }]);
  sending.reset();
  const end = performance.now() + options.seconds * 1000;
  while (exists !== undefined && performance.now() < end) slow.push(await readPage(running.url, SLOW_PATH));
  const disturbed = exists === undefined ? [] : sending.counts().latencies;
  await sending.stop();
  return [
    latencyRow("acknowledgement", undisturbed),
    latencyRow("acknowledgement during slow queries", disturbed),
    latencyRow("the slow query", slow),
    latencyRow("send one trace, then read it (pair)", pairs.latencies),
    ["spans missed by that read", "", "", String(pairs.missed)],
  ];
}

/** Sends a trace of five spans and asks for it at once, over and over. */
async function sendAndRead(url: string): Promise<{ readonly latencies: number[]; readonly missed: number }> {
  const latencies: number[] = [];
  let missed = 0;
  const end = performance.now() + options.seconds * 1000;
  while (performance.now() < end) {
    const traceId = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
    const now = BigInt(Date.now()) * 1_000_000n;
    const spans = Array.from({ length: 5 }, (_, number) => ({
      traceId,
      spanId: (number + 1).toString(16).padStart(16, "0"),
      name: "pair",
      startTimeUnixNano: String(now),
      endTimeUnixNano: String(now + 1_000_000n),
    }));
    const began = performance.now();
    const sent = await fetch(`${url}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body: encodeOtlp(otlpExport(spans, otlpAttributes({ "openinference.project.name": PROJECT }))),
    });
    await sent.arrayBuffer();
    if (sent.status !== 200) continue;
    const read = await fetch(`${url}/v1/projects/${PROJECT}/spans?trace_id=${traceId}`);
    if (read.status === 404) {
      // Without that page only the acknowledgements of this time are measured.
      await Bun.sleep(end - performance.now());
      break;
    }
    const { data } = (await read.json()) as { readonly data: readonly unknown[] };
    latencies.push(performance.now() - began);
    missed += spans.length - data.length;
    await Bun.sleep(20);
  }
  return { latencies, missed };
}
