// The ingest worker, a composition root: it stores spans, so that the main thread stays free to answer. On
// SQLite it owns the only write connection and serves the writes of others.
import { systemClock } from "../kernel/clock.ts";
import { fail } from "../kernel/failure.ts";
import { createGarbageCount, freeBytes } from "../kernel/free-bytes.ts";
import { gathered, type Handlers, parentChannel, portChannel, serveLink } from "../kernel/link.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { reportRejections } from "../kernel/rejections.ts";
import type { IngestStore } from "../storage/ingest-store.ts";
import type { StorageLocation } from "../storage/location.ts";
import { openPool } from "../storage/postgres/connection.ts";
import { isPassing } from "../storage/postgres/failure.ts";
import { createPostgresIngestStore } from "../storage/postgres/ingest-store.ts";
import {
  INGEST_LOCK_MILLISECONDS,
  INGEST_TRANSACTION_MILLISECONDS,
  SILENCE_MILLISECONDS,
} from "../storage/postgres/session-limits.ts";
import { openSqlite } from "../storage/sqlite/connection.ts";
import { watchOpenFiles } from "../storage/sqlite/file-watch.ts";
import { createSqliteIngestStore } from "../storage/sqlite/ingest-store.ts";
import { rememberOpenFiles } from "../storage/sqlite/open-files.ts";
import { createReserve } from "../storage/sqlite/reserve.ts";
import { createSqliteWriter } from "../storage/sqlite/writer.ts";
import { arrivedSpans } from "./crossing-spans.ts";
import { createCurrentPrices } from "./current-prices.ts";
import type {
  Commit,
  IngestCommits,
  IngestCounts,
  IngestWorkerStart,
  SpansMessage,
  SpansOutcome,
} from "./ingest-messages.ts";
import { createIntake, type Intake } from "./intake.ts";
import { reportPatternProblem } from "./pattern-problems.ts";

/** Connections of the ingest pool on PostgreSQL, one a queue. */
const POSTGRES_QUEUES = 4;

interface OpenStore {
  readonly store: IngestStore;
  readonly queues: number;
  /** The writes of other threads, on SQLite. */
  readonly writerHandlers: Handlers;
  /** True for the failure of a database that may be back soon; a file of SQLite is not away. */
  readonly isPassing: (reason: unknown) => boolean;
}

function openStore(location: StorageLocation, onDeadlock: () => void): OpenStore {
  if (location.kind === "sqlite") {
    const connection = openSqlite(location, "writer");
    // With its first read it opens the log.
    connection.execute("select 1 from sqlite_master limit 1");
    const files = rememberOpenFiles(location.path);
    const reserve = location.temporary ? null : createReserve(location.path);
    // No start waits for it.
    setImmediate(() => reserve?.ensure());
    const writer = createSqliteWriter(connection, { files, reserve });
    const watch = watchOpenFiles(writer, files);
    const store = createSqliteIngestStore(writer, systemClock);
    const close = () => {
      watch.stop();
      if (files.isOverwritten()) connection.letGo();
      else if (!files.isOurs("-wal")) connection.keepLog();
      connection.close();
    };
    return {
      store: { run: store.run, close: async () => writer.hold(close) },
      queues: 1,
      writerHandlers: { ...writer.handlers, fileEvent: watch.next },
      isPassing: () => false,
    };
  }
  const pool = openPool(location, {
    name: "ingest",
    connections: POSTGRES_QUEUES,
    statementTimeout: null,
    silenceLimit: SILENCE_MILLISECONDS,
    lockLimit: INGEST_LOCK_MILLISECONDS,
    transactionLimit: INGEST_TRANSACTION_MILLISECONDS,
  });
  return {
    store: createPostgresIngestStore(pool, { clock: systemClock, onDeadlock }),
    queues: POSTGRES_QUEUES,
    writerHandlers: {},
    isPassing,
  };
}

interface RunningWorker {
  readonly intake: Intake;
  readonly store: IngestStore;
  readonly writerHandlers: Handlers;
}

let running: RunningWorker | null = null;
/** Seconds; the database of a busy server takes 10 to 500 ms. */
const COMMIT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
let rollupsPending = false;
/** Requests that wait for their commit and may leave a trace. A commit of others alone is not kept: the traces of this service, when it
 *  is sent its own, would be about themselves. */
let tracedWaiting = 0;
/** Commits that were not fetched yet; those above the limit are dropped and counted. */
const MOST_COMMITS = 1000;
let commits: Commit[] = [];
let passedOver = 0;
/** Bytes of texts that were stored before what they left is collected. */
const MOST_GARBAGE_BYTES = 16 * 1024 * 1024;
const countGarbage = createGarbageCount(MOST_GARBAGE_BYTES, () => Bun.gc(true));
const counted = { storedSpans: 0, duplicateSpans: 0, rejectedSpans: 0, batches: 0, deadlocks: 0 };

/** What this thread knows about ingestion; `docs/metrics.md` lists the names. */
const metrics = createMetrics();
const commitSeconds = metrics.histogram(
  "spanlight_ingest_commit_seconds",
  "Time from the beginning of a batch of spans to its commit, or to its failure",
  COMMIT_BOUNDS,
);
/** Seconds since 1970, 0 before the first. */
let lastCommit = 0;
metrics.measuredGauge(
  "spanlight_ingest_last_commit_timestamp_seconds",
  "When the last batch of spans ended, 0 before the first",
  () => lastCommit,
);
metrics.measuredCounter("spanlight_ingest_spans_stored_total", "Spans stored", () => counted.storedSpans);
metrics.measuredCounter(
  "spanlight_ingest_spans_duplicate_total",
  "Spans that were stored before and came again",
  () => counted.duplicateSpans,
);
metrics.measuredCounter(
  "spanlight_ingest_spans_rejected_total",
  "Spans that the database refused",
  () => counted.rejectedSpans,
);
metrics.measuredCounter(
  "spanlight_ingest_deadlocks_total",
  "Transactions that the database ended to break a deadlock, and that ran again",
  () => counted.deadlocks,
);
metrics.measuredGauge(
  "spanlight_ingest_waiting_spans",
  "Decoded spans that wait for their commit",
  () => running?.intake.pendingSpans ?? 0,
);

function requireRunning(): RunningWorker {
  if (running === null)
    throw fail("ingest.not_started", "unavailable", "The ingest worker is not running", { retryAfterSeconds: 5 });
  return running;
}

function start(settings: IngestWorkerStart): void {
  const { store, queues, writerHandlers, isPassing } = openStore(settings.location, () => counted.deadlocks++);
  const intake = createIntake({
    store,
    prices: createCurrentPrices(settings.models, (problem) => reportPatternProblem(parentChannel(), problem)),
    queues,
    maxQueuedSpans: settings.maxQueuedSpans,
    isPassing,
    onBatch(outcome) {
      counted.batches++;
      counted.storedSpans += outcome.stored;
      counted.duplicateSpans += outcome.duplicates;
      if (outcome.pendingTraces.length > 0) rollupsPending = true;
    },
    onCommit(commit) {
      commitSeconds.observe(commit.milliseconds / 1000);
      const endedUs = systemClock.now();
      lastCommit = endedUs / 1_000_000;
      if (settings.tracesCommits && tracedWaiting > 0) keepCommit({ ...commit, endedUs });
    },
  });
  running = { intake, store, writerHandlers };
}

function keepCommit(commit: Commit): void {
  if (commits.length < MOST_COMMITS) commits.push(commit);
  else passedOver++;
}

function takeCommits(): IngestCommits {
  const taken = { commits, passedOver };
  commits = [];
  passedOver = 0;
  return taken;
}

/** Whether a trace became pending since the last answer; the main thread settles it. */
function takeRollupsPending(): boolean {
  const pending = rollupsPending;
  rollupsPending = false;
  return pending;
}

async function storeSpans(message: SpansMessage): Promise<SpansOutcome> {
  const { intake } = requireRunning();
  const { continues, texts } = message;
  if (continues !== true) intake.requireCapacity();
  const spans = arrivedSpans(message);
  const textBytes = texts.byteLength;
  freeBytes(texts);
  if (message.isUntraced !== true) tracedWaiting++;
  const { rejections } = await intake.submit(spans).finally(() => {
    if (message.isUntraced !== true) tracedWaiting--;
  });
  // As in the decode worker, without waiting for the collector. After a failure some of them may still be on their way.
  for (const { largeValues } of spans)
    for (const { text } of largeValues) if (typeof text !== "string") freeBytes(text);
  if (continues === true) Bun.gc(true);
  else countGarbage(textBytes);
  counted.rejectedSpans += rejections.length;
  return { rejections, rollupsPending: takeRollupsPending() };
}

async function stop(): Promise<void> {
  const { intake, store } = requireRunning();
  await intake.close();
  running = null;
  await store.close();
}

const writerMethod = (method: string) => (payload: never) => {
  const handler = requireRunning().writerHandlers[method];
  if (handler === undefined) throw fail("ingest.no_writer", "internal", `This worker owns no writer for ${method}`);
  return handler(payload);
};

reportRejections(parentChannel());
serveLink(parentChannel(), {
  start,
  spans: storeSpans,
  /** Spans of the decode worker come straight from it. */
  connect: ({ port }: { port: MessagePort }) => serveLink(gathered(portChannel(port)), { spans: storeSpans }),
  metrics: () => metrics.text(),
  takeCommits,
  counts: (): IngestCounts => ({
    ...counted,
    pendingSpans: running?.intake.pendingSpans ?? 0,
    stalledMilliseconds: running?.intake.stalledMilliseconds ?? 0,
  }),
  stop,
  execute: writerMethod("execute"),
  begin: writerMethod("begin"),
  executeIn: writerMethod("executeIn"),
  commit: writerMethod("commit"),
  rollback: writerMethod("rollback"),
  readiness: writerMethod("readiness"),
  fileEvent: writerMethod("fileEvent"),
});
