// What it costs those who send spans that the statistics of a large SQLite file are renewed, how long each step takes, and how soon the
// service stops meanwhile. Usage: tests/bench/README.md
import { Database } from "bun:sqlite";
import { rename } from "node:fs/promises";
import { resolve } from "node:path";
import type { SqliteLocation } from "../../src/storage/location.ts";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { listStatisticsDue } from "../../src/storage/sqlite/statistics.ts";
import type { RunningService } from "../support/server.ts";
import { locationOf } from "../support/storage.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, milliseconds, percentile, progress, ratio, short, table } from "./figures.ts";
import { growCopies, SPANS_A_COPY } from "./grown.ts";
import { type Sending, startSenders } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { type DatabaseCopy, ensureStored, PROJECT } from "./stored.ts";

const SPANS_PER_REQUEST = 50;
/** The writer is not idle between two such requests, so nothing is renewed yet. */
const WARM_UP_GAP_MS = 20;
/** Few, so that the log need not be written back when the writer is idle for the first time. */
const SPANS_PER_WARM_UP_REQUEST = 2;
const WARM_UP_MS = 2000;
const WARM_UP_ATTEMPTS = 5;
/** The writer is idle just before each of these, so a step is taken when a request comes. */
const IDLE_GAP_MS = 212;
/** Statistics are taken when the file has this share of its rows: SQLite renews them from ten times as many rows on. */
const OLD_SHARE = 1 / 12;
/** Milliseconds between two looks at the statistics. */
const LOOK_MS = 5;
const LIMIT_MS = 60_000;
/** Statistics that do not change for this long are all renewed. */
const SETTLED_MS = 1000;

const options = readArguments({
  stored: { default: 5_000_000, meaning: "small spans in the file" },
  rounds: { default: 20, meaning: "starts with old statistics that are renewed to the end" },
  stops: { default: 5, meaning: "starts that are stopped as soon as one statistic is renewed" },
  seconds: { default: 60, meaning: "how long spans arrive before, and after all renewals together" },
  file: { default: "", meaning: "path of the large file, made if there is none and kept; else it is made and removed" },
  ...sharedOptions,
});

const copies = Math.ceil(options.stored / SPANS_A_COPY);
const large = await ensureLarge();
const location = locationOf(large.url) as SqliteLocation;

type Statistics = readonly { readonly tbl: string; readonly idx: string | null; readonly stat: string }[];
const ofStatistics = "select tbl, idx, stat from sqlite_stat1 order by tbl, idx";
const old = onFile((database) => {
  // A file that is kept was renewed by an earlier run.
  database.run("create table if not exists bench_old_statistics as select tbl, idx, stat from sqlite_stat1");
  return database.query("select tbl, idx, stat from bench_old_statistics").all() as unknown as Statistics;
});
makeOld();

const [listing = 0, ...steps] = timeSteps();
const before: number[] = [];
const meanwhile: number[] = [];
const after: number[] = [];
const renewals: number[] = [];
progress("before");
await measureQuiet();
for (let round = 1; round <= options.rounds; round++) {
  progress(`renewal ${round} of ${options.rounds}`);
  await renewOnce();
}
const stops: number[] = [];
/** Statistics that each stop left old. */
const leftOld: number[] = [];
for (let stop = 1; stop <= options.stops; stop++) {
  progress(`stop ${stop} of ${options.stops}`);
  await stopOnce();
}
await large.remove();
endProgress("done");

const row = (name: string, latencies: readonly number[]) => [
  name,
  String(latencies.length),
  milliseconds(percentile(latencies, 0.5)),
  milliseconds(percentile(latencies, 0.99)),
  milliseconds(Math.max(...latencies)),
  ratio(percentile(latencies, 0.99), percentile(before, 0.99)),
];
console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, sqlite, ${short(copies * SPANS_A_COPY)} small spans stored, statistics of a twelfth of them\n`,
);
console.log(
  table([
    ["acknowledgement", "requests", "p50", "p99", "highest", "p99, of before"],
    row("before", before),
    row("while statistics are renewed", meanwhile),
    row("after", after),
  ]),
);
console.log(
  `\n${renewals.length} renewals, each from the first changed statistic to the last: ${renewals.map(milliseconds).join(", ")}`,
);
console.log(
  `steps, alone: ${milliseconds(listing)} to find ${steps.length} due, which take ${milliseconds(Math.max(...steps))} at most, ${milliseconds(steps.reduce((sum, step) => sum + step, 0))} together`,
);
console.log(
  `stopped in the middle: ${stops.map(milliseconds).join(", ")} (statistics left old: ${leftOld.join(", ")})`,
);
process.exit();

async function ensureLarge(): Promise<DatabaseCopy> {
  const kept = { url: `sqlite:///${resolve(options.file)}`, remove: async () => {} };
  if (options.file !== "" && (await Bun.file(options.file).exists())) return kept;
  const stored = await ensureStored({ ...options, driver: "sqlite", size: "small", spans: SPANS_A_COPY + 4000 });
  const copy = await stored.copy();
  const { path } = locationOf(copy.url) as SqliteLocation;
  growCopies(path, copies, Math.floor(copies * OLD_SHARE));
  if (options.file === "") return copy;
  await rename(path, options.file);
  return kept;
}

function onFile<Result>(work: (database: Database) => Result): Result {
  const database = new Database(location.path);
  try {
    database.run("pragma busy_timeout = 5000");
    return work(database);
  } finally {
    database.close();
  }
}

/** The service must not run: it would keep the statistics it has read. */
function makeOld(): void {
  onFile((database) =>
    database.transaction(() => {
      database.run("delete from sqlite_stat1");
      const insert = database.query("insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)");
      for (const { tbl, idx, stat } of old) insert.run(tbl, idx, stat);
    })(),
  );
}

/** Milliseconds of each step in this process, the first of which finds out what is due. */
function timeSteps(): number[] {
  const connection = openSqlite(location, "writer");
  const milliseconds: number[] = [];
  const timed = <Result>(step: () => Result): Result => {
    const began = performance.now();
    const result = step();
    milliseconds.push(performance.now() - began);
    return result;
  };
  for (const script of timed(() => listStatisticsDue(connection))) timed(() => connection.script(script));
  connection.close();
  return milliseconds;
}

/** Statistics that are up to date. */
async function measureQuiet(): Promise<void> {
  const service = await startWarm();
  const sending = send(service, IDLE_GAP_MS);
  await Bun.sleep(options.seconds * 1000);
  await sending.stop();
  await stopMeasured(service);
  before.push(...sending.counts().latencies);
}

async function renewOnce(): Promise<void> {
  const service = await startWithOldStatistics();
  const watch = watchStatistics();
  const sending = send(service, IDLE_GAP_MS);
  await watch.until((changed) => changed > 0);
  const began = performance.now();
  let changedAt = began;
  let requests = 0;
  for (let seen = 0; performance.now() - changedAt < SETTLED_MS; await Bun.sleep(LOOK_MS)) {
    const changed = watch.changed();
    if (changed === seen) continue;
    seen = changed;
    changedAt = performance.now();
    // The one under way belongs to them.
    requests = sending.counts().latencies.length + 1;
  }
  watch.close();
  renewals.push(changedAt - began);
  meanwhile.push(...sending.counts().latencies.slice(0, requests));
  sending.reset();
  await Bun.sleep((options.seconds * 1000) / options.rounds);
  await sending.stop();
  await stopMeasured(service);
  after.push(...sending.counts().latencies);
}

async function startWarm(): Promise<RunningService> {
  const service = await startMeasured(large.url, options.binary);
  const sending = send(service, WARM_UP_GAP_MS, SPANS_PER_WARM_UP_REQUEST);
  await Bun.sleep(WARM_UP_MS);
  await sending.stop();
  return service;
}

/** Where the machine is too busy for a warm-up without a pause, the statistics are renewed in it: then it is tried again. */
async function startWithOldStatistics(): Promise<RunningService> {
  for (let attempt = 1; attempt <= WARM_UP_ATTEMPTS; attempt++) {
    makeOld();
    const service = await startWarm();
    const watch = watchStatistics();
    const changed = watch.changed();
    watch.close();
    if (changed === 0) return service;
    await stopMeasured(service);
  }
  throw new Error(`Statistics were renewed during each of ${WARM_UP_ATTEMPTS} warm-ups`);
}

async function stopOnce(): Promise<void> {
  const service = await startWithOldStatistics();
  const watch = watchStatistics();
  const sending = send(service, IDLE_GAP_MS);
  await watch.until((changed) => changed > 0);
  const stopping = sending.stop();
  const began = performance.now();
  await stopMeasured(service);
  stops.push(performance.now() - began);
  leftOld.push(watch.unchanged());
  watch.close();
  await stopping;
}

function send(service: RunningService, gapMs: number, spansPerRequest = SPANS_PER_REQUEST): Sending {
  const rate = (spansPerRequest * 1000) / gapMs;
  const small = { transport: "http", size: "small", senders: 1, spansPerRequest } as const;
  return startSenders({ service, ...small, project: PROJECT, rate });
}

/** How many statistics are no longer what they were. */
function watchStatistics() {
  const database = new Database(location.path, { readonly: true });
  const query = database.query(ofStatistics);
  const before = new Set(old.map((row) => JSON.stringify(row)));
  const changed = () => query.all().filter((row) => !before.has(JSON.stringify(row))).length;
  const unchanged = () => query.all().length - changed();
  return {
    changed,
    unchanged,
    async until(met: (changed: number) => boolean): Promise<void> {
      const limit = performance.now() + LIMIT_MS;
      while (!met(changed())) {
        if (performance.now() > limit) throw new Error(`No statistic was renewed in ${LIMIT_MS} ms`);
        await Bun.sleep(LOOK_MS);
      }
    },
    close: () => database.close(),
  };
}
