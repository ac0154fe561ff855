// How many spans a second the real service acknowledges, what that costs, and how near it is to the bare inserts of the same
// rows. Usage: tests/bench/README.md
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, megabytes, milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { bytesWritten, cpuSeconds, memoryOf, threadSeconds, watchMemory } from "./process-tree.ts";
import { measureRaw } from "./raw.ts";
import { existingPages, startReading, trivialPages } from "./reading.ts";
import { type Counts, startSenders, type Transport } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import type { SpanSize } from "./spans.ts";
import { type Driver, ensureStored, PROJECT, type StoredDatabase } from "./stored.ts";

const WARM_UP_MS = 3000;

const options = readArguments({
  driver: { default: "sqlite", choices: ["sqlite", "postgres", "both"], meaning: "database" },
  transport: { default: "http", choices: ["http", "grpc", "both"], meaning: "OTLP over HTTP with protobuf, or gRPC" },
  spans: { default: "small", choices: ["small", "llm"], meaning: "25 attributes in 1.3 KB, or in 13 KB of text" },
  senders: { default: 64, meaning: "requests under way at once" },
  "spans-per-request": { default: 0, meaning: "0: 100 small or 20 LLM spans" },
  rate: { default: 0, meaning: "spans a second in all; 0 for as many as are acknowledged" },
  seconds: { default: 20, meaning: "length of the measurement, after a warm-up" },
  stored: { default: 3_000_000, meaning: "small spans in the SQLite file before" },
  "stored-postgres": { default: 500_000, meaning: "small spans in PostgreSQL before; filled again in every run" },
  ...sharedOptions,
});

interface Outcome {
  readonly name: string;
  readonly transport: Transport;
  readonly counts: Counts;
  readonly seconds: number;
  readonly cpuMicrosecondsPerSpan: number;
  /** Microseconds a span of the threads that took most, in the order of their start. */
  readonly threads: readonly { readonly name: string; readonly microseconds: number }[];
  readonly bytesPerSpan: number;
  readonly peakRss: number;
  readonly pss: number;
  readonly reads: { readonly p50: number; readonly p99: number };
  readonly rawSpansPerSecond: number;
}

const size = options.spans as SpanSize;
const spansPerRequest = options["spans-per-request"] || (size === "llm" ? 20 : 100);
const eachOr = <Name extends string>(chosen: string, all: readonly Name[]) =>
  chosen === "both" ? all : all.filter((name) => name === chosen);

const outcomes: Outcome[] = [];
for (const driver of eachOr<Driver>(options.driver, ["sqlite", "postgres"])) {
  const stored = await ensureStored({
    driver,
    size: "small",
    spans: storedSpans(driver),
    directory: options.directory,
    fresh: options.fresh,
  });
  try {
    for (const transport of eachOr<Transport>(options.transport, ["http", "grpc"])) {
      outcomes.push(await measure(driver, transport, stored));
    }
  } finally {
    await stored.dispose();
  }
}
await report();
process.exit();

function storedSpans(driver: Driver): number {
  return driver === "sqlite" ? options.stored : options["stored-postgres"];
}

async function measure(driver: Driver, transport: Transport, stored: StoredDatabase): Promise<Outcome> {
  const name = `${driver === "sqlite" ? "SQLite" : "PostgreSQL"}, ${transport === "http" ? "HTTP" : "gRPC"}`;
  progress(`${name}: copying the database`);
  const copy = await stored.copy();
  const service = await startMeasured(copy.url, options.binary);
  const sending = startSenders({ ...options, service, transport, size, spansPerRequest, project: PROJECT });
  progress(`${name}: warming up`);
  await Bun.sleep(WARM_UP_MS);
  const reading = startReading(service.url, await existingPages(service.url, trivialPages));
  const memory = watchMemory(service.pid);
  const cpuBefore = await cpuSeconds(service.pid);
  const threadsBefore = await threadSeconds(service.pid);
  const writtenBefore = await bytesWritten(service.pid);
  const began = performance.now();
  sending.reset();
  progress(`${name}: measuring for ${options.seconds} s`);
  await Bun.sleep(options.seconds * 1000);
  const counts = sending.counts();
  const seconds = (performance.now() - began) / 1000;
  const cpu = (await cpuSeconds(service.pid)) - cpuBefore;
  const threads = [...(await threadSeconds(service.pid))].map(([name, after]) => ({
    name: name.replace(/ \d+$/, ""),
    microseconds: ((after - (threadsBefore.get(name) ?? 0)) * 1e6) / counts.acknowledgedSpans,
  }));
  const bytesPerSpan = ((await bytesWritten(service.pid)) - writtenBefore) / counts.acknowledgedSpans;
  const { pss } = await memoryOf(service.pid);
  const peakRss = memory.peakRss();
  const reads = await reading.stop();
  await sending.stop();
  await stopMeasured(service);

  // At a given rate the limit says nothing.
  let rawSpansPerSecond = Number.NaN;
  if (options.rate === 0) {
    progress(`${name}: the same rows by bare inserts`);
    const other = await stored.copy();
    rawSpansPerSecond = (await measureRaw(copy.url, other.url, size)).spansPerSecond;
    await other.remove();
  }
  await copy.remove();
  endProgress(`${name}: done, ${counts.refused} answers "come back later"`);
  return {
    name,
    transport,
    counts,
    seconds,
    cpuMicrosecondsPerSpan: (cpu * 1e6) / counts.acknowledgedSpans,
    threads: threads.filter(({ microseconds }) => microseconds >= 1),
    bytesPerSpan,
    peakRss,
    pss,
    reads,
    rawSpansPerSecond,
  };
}

async function report(): Promise<void> {
  const rate = ({ counts, seconds }: Outcome) => counts.acknowledgedSpans / seconds;
  const row = (name: string, cell: (outcome: Outcome) => string) => [name, ...outcomes.map(cell)];
  const rows = [
    row(`${size} spans`, ({ name }) => name),
    row("acknowledged spans/s", (outcome) => short(rate(outcome))),
    row("bare inserts of the same rows/s", ({ rawSpansPerSecond }) => short(rawSpansPerSecond)),
    row("**ratio**", (outcome) => `**${ratio(rate(outcome), outcome.rawSpansPerSecond)}**`),
    row("acknowledgement p50", ({ counts }) => milliseconds(percentile(counts.latencies, 0.5))),
    row("acknowledgement p99", ({ counts }) => milliseconds(percentile(counts.latencies, 0.99))),
    row("GET p50 meanwhile", ({ reads }) => milliseconds(reads.p50)),
    row("GET p99 meanwhile", ({ reads }) => milliseconds(reads.p99)),
    row("CPU of the service a span", ({ cpuMicrosecondsPerSpan }) => `${Math.round(cpuMicrosecondsPerSpan)} µs`),
    row("of it threads, as they started", ({ threads }) =>
      threads.map(({ name, microseconds }) => `${name} ${Math.round(microseconds)}`).join(" · "),
    ),
    row("written to the disk a span", ({ bytesPerSpan }) => `${Math.round(bytesPerSpan)} B`),
    row("resident memory, peak (RSS)", ({ peakRss }) => megabytes(peakRss)),
    row("resident memory, at the end (PSS)", ({ pss }) => megabytes(pss)),
  ];
  if (options.transport === "both") {
    rows.push(
      row("gRPC to HTTP", (outcome) => {
        const http = outcomes[outcomes.indexOf(outcome) - 1];
        return outcome.transport === "grpc" && http !== undefined ? ratio(rate(outcome), rate(http)) : "";
      }),
    );
  }
  console.log(`\n${await machine()}`);
  const pace = options.rate === 0 ? "no pause" : `${short(options.rate)} spans/s`;
  const before = eachOr<Driver>(options.driver, ["sqlite", "postgres"]).map((driver) => short(storedSpans(driver)));
  console.log(
    `service ${programName(options.binary)}; ${options.senders} senders, ${spansPerRequest} spans a request, ${pace}, ${options.seconds} s; small spans stored before: ${before.join(" and ")}\n`,
  );
  console.log(table(rows));
}
