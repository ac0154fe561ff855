// What it costs to be watched: how long a scrape takes, and what the figures and the traces of the service itself take from ingestion.
// Usage: tests/bench/README.md
import { freePort } from "../support/ports.ts";
import { type RunningService, startService } from "../support/server.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { cpuSeconds } from "./process-tree.ts";
import { startSenders } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { ensureStored } from "./stored.ts";

const options = readArguments({
  stored: { default: 100_000, meaning: "small spans in the database" },
  senders: { default: 16, meaning: "requests of 100 small spans under way at once" },
  seconds: { default: 6, meaning: "length of each run" },
  pairs: { default: 3, meaning: "runs of each way, one after the other in turn" },
  ...storedOptions,
});

/** Milliseconds between two scrapes while spans arrive; Prometheus asks every 15 to 60 seconds. */
const SCRAPE_EVERY = 1000;
const WARM_UP_MS = 1500;
const QUIET_SCRAPES = 200;

interface Run {
  /** Acknowledged a second. */
  readonly rate: number;
  readonly cpuMicroseconds: number;
  readonly quiet: readonly number[];
  readonly busy: readonly number[];
}

const stored = await ensureStored({ ...options, size: "small", spans: options.stored });
const collector = await startService({ databaseUrl: "sqlite:///:memory:" });
const ways = {
  "not watched": {},
  figures: { SERVICE_ENABLE_PROMETHEUS: "true" },
  "figures and traces": {
    SERVICE_ENABLE_PROMETHEUS: "true",
    SERVICE_SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT: collector.url,
  },
} as const;
type Way = keyof typeof ways;
const runs: Record<Way, Run[]> = { "not watched": [], figures: [], "figures and traces": [] };
for (let pair = 0; pair < options.pairs; pair++) {
  for (const way of Object.keys(ways) as Way[]) {
    progress(`${way}, ${pair + 1} of ${options.pairs}`);
    runs[way].push(await runOnce(way));
  }
}
await stopMeasured(collector);
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} spans stored, ${options.senders} senders of 100 small spans, medians of ${options.pairs} runs of ${options.seconds} s\n`,
);
const plain = runs["not watched"];
const rateOf = (of: readonly Run[]) => median(of.map(({ rate }) => rate));
const cpuOf = (of: readonly Run[]) => median(of.map(({ cpuMicroseconds }) => cpuMicroseconds));
console.log(
  table([
    ["", "spans/s", "to not watched", "CPU a span", "scrape p50", "p99", "beside ingestion p50", "highest"],
    ...Object.entries(runs).map(([way, of]) => {
      const quiet = of.flatMap((run) => run.quiet);
      const busy = of.flatMap((run) => run.busy);
      return [
        way,
        short(rateOf(of)),
        ratio(rateOf(of), rateOf(plain)),
        `${cpuOf(of).toFixed(1)} µs`,
        milliseconds(percentile(quiet, 0.5)),
        milliseconds(percentile(quiet, 0.99)),
        milliseconds(percentile(busy, 0.5)),
        milliseconds(percentile(busy, 1)),
      ];
    }),
  ]),
);
process.exit();

async function runOnce(way: Way): Promise<Run> {
  const copy = await stored.copy();
  const port = await freePort();
  const service = await startMeasured(copy.url, options.binary, {
    ...ways[way],
    SERVICE_PROMETHEUS_PORT: String(port),
  });
  const scrapes = way === "not watched" ? null : () => scrape(port);
  const quiet = scrapes === null ? [] : await timesOf(QUIET_SCRAPES, scrapes);
  const { rate, cpuMicroseconds, busy } = await ingest(service, scrapes);
  await stopMeasured(service);
  await copy.remove();
  return { rate, cpuMicroseconds, quiet, busy };
}

async function ingest(service: RunningService, scrapes: (() => Promise<void>) | null) {
  const sending = startSenders({ service, senders: options.senders, spansPerRequest: 100, rate: 0 });
  await Bun.sleep(WARM_UP_MS);
  sending.reset();
  const before = await cpuSeconds(service.pid);
  const began = performance.now();
  const busy: number[] = [];
  while (performance.now() - began < options.seconds * 1000) {
    if (scrapes !== null) busy.push(...(await timesOf(1, scrapes)));
    await Bun.sleep(SCRAPE_EVERY);
  }
  const seconds = (performance.now() - began) / 1000;
  const { acknowledgedSpans } = sending.counts();
  const cpu = (await cpuSeconds(service.pid)) - before;
  await sending.stop();
  return { rate: acknowledgedSpans / seconds, cpuMicroseconds: (cpu / acknowledgedSpans) * 1e6, busy };
}

async function timesOf(times: number, work: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return took;
}

async function scrape(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!(await answer.text()).includes("spanlight_database_up 1")) throw new Error("The database returned no figures");
}
