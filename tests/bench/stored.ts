// Databases with many spans in them. Filled by the ingest path of the service inside this process, without its transport and
// without waiting for the disk; every measurement then gets a copy. SQLite files are kept for the next run.
import { Database } from "bun:sqlite";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { createIntake } from "../../src/ingest/intake.ts";
import { decodeExport } from "../../src/otlp/decode/export.ts";
import type { StorageLocation } from "../../src/storage/location.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { startPostgres } from "../support/postgres.ts";
import { builtInModels } from "../support/prices.ts";
import { locationOf, openIngestStore } from "../support/storage.ts";
import { endProgress, progress, short } from "./figures.ts";
import { createPayloads } from "./payloads.ts";
import { attributesOf, type SpanSize, treeOfSpans } from "./spans.ts";

export type Driver = "sqlite" | "postgres";

/** Every stored span and every sent one goes here. */
export const PROJECT = "bench";
/** A trace of 2,000 spans that every filled database has. */
export const LARGE_TRACE = "f".repeat(32);
const LARGE_TRACE_SPANS = 2000;
/** Stored traces begin evenly over this time, up to now. */
const STORED_MS = 30 * 24 * 3_600_000;
const SPANS_PER_BODY = 500;
/** Bodies under way at once: enough for four queues. */
const BODIES_AT_ONCE = 8;

export interface StoredOptions {
  readonly driver: Driver;
  readonly size: SpanSize;
  readonly spans: number;
  readonly directory: string;
  readonly fresh: boolean;
}

export interface DatabaseCopy {
  /** In the form of SERVICE_SQL_DATABASE_URL. */
  readonly url: string;
  remove(): Promise<void>;
}

export interface StoredDatabase {
  copy(): Promise<DatabaseCopy>;
  dispose(): Promise<void>;
}

export async function ensureStored(options: StoredOptions): Promise<StoredDatabase> {
  return options.driver === "sqlite" ? storedInFile(options) : storedInCluster(options);
}

async function benchDirectory(given: string): Promise<string> {
  const directory = given === "" ? join(tmpdir(), "spanlight-bench") : given;
  await mkdir(directory, { recursive: true });
  await removeLeftCopies(directory);
  return directory;
}

async function storedInFile({ size, spans, directory, fresh }: StoredOptions): Promise<StoredDatabase> {
  const folder = await benchDirectory(directory);
  const schema = Bun.hash(JSON.stringify(migrations.sqlite)).toString(36);
  const path = join(folder, `stored-${size}-${spans}-${schema}.db`);
  if (fresh || !(await exists(path))) {
    const unfinished = `${path}.unfinished`;
    await removeFile(unfinished);
    await fill({ kind: "sqlite", path: unfinished, temporary: false, synchronous: "OFF" }, size, spans);
    await rename(unfinished, path);
  }
  let copies = 0;
  return {
    async copy() {
      const own = join(folder, `copy-${process.pid}-${++copies}.db`);
      await removeFile(own);
      await Bun.$`cp --reflink=auto ${path} ${own}`;
      // Otherwise the first seconds of a measurement would share the disk with the copy.
      await Bun.$`sync ${own}`;
      return { url: `sqlite:///${own}`, remove: () => removeFile(own) };
    },
    dispose: async () => {},
  };
}

async function storedInCluster({ size, spans }: StoredOptions): Promise<StoredDatabase> {
  const cluster = await startPostgres({ durable: true });
  const administer = async (statement: string) => {
    const client = postgres(cluster.url, { max: 1, onnotice: () => {} });
    await client.unsafe(statement).finally(() => client.end());
  };
  const urlOf = (name: string) => Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
  await administer("create database stored");
  await fill(locationOf(urlOf("stored")), size, spans);
  let copies = 0;
  return {
    async copy() {
      const name = `copy_${++copies}`;
      await administer(`create database ${name} template stored`);
      await administer("checkpoint");
      return { url: urlOf(name), remove: () => administer(`drop database ${name} with (force)`) };
    },
    dispose: () => cluster.dispose(),
  };
}

async function fill(location: StorageLocation, size: SpanSize, spans: number): Promise<void> {
  await migrateStorage(location);
  const { ingest } = openIngestStore(location);
  const intake = createIntake({
    store: ingest,
    queues: location.kind === "sqlite" ? 1 : 4,
    prices: createCurrentPrices(builtInModels),
    maxQueuedSpans: 1e6,
    onBatch: () => {},
  });
  const store = async (body: Uint8Array) => {
    const request = { body, format: "protobuf", encoding: null, projectOverride: null } as const;
    await intake.submit(decodeExport({ ...request, defaultProject: PROJECT, limitBytes: 1e9 }).spans);
  };
  const began = performance.now();
  const firstMs = Date.now() - STORED_MS;
  let traces = 0;
  const payloads = createPayloads({
    size,
    project: PROJECT,
    spansPerRequest: SPANS_PER_BODY,
    traceStart: () => BigInt(Math.round(firstMs + (STORED_MS * traces++ * 20) / Math.max(spans, 20))) * 1_000_000n,
  });
  await store(largeTrace(firstMs, size));
  for (let stored = LARGE_TRACE_SPANS; stored < spans; ) {
    const bodies = Math.min(BODIES_AT_ONCE, Math.ceil((spans - stored) / SPANS_PER_BODY));
    await Promise.all(Array.from({ length: bodies }, () => store(payloads.next())));
    stored += bodies * SPANS_PER_BODY;
    if (location.kind === "sqlite" && stored % 100_000 < BODIES_AT_ONCE * SPANS_PER_BODY) checkpoint(location.path);
    progress(`storing ${location.kind} ${size} spans: ${short(stored)} of ${short(spans)}`);
  }
  await intake.close();
  await ingest.close();
  if (location.kind === "sqlite") checkpoint(location.path);
  const seconds = (performance.now() - began) / 1000;
  endProgress(`stored ${short(spans)} ${size} spans (${location.kind}) in ${seconds.toFixed(0)} s`);
}

function checkpoint(path: string): void {
  const database = new Database(path);
  database.run("pragma synchronous = off");
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}

/** One body with the large trace: a root with 19 branches, each with levels of ten. */
function largeTrace(startMs: number, size: SpanSize): Uint8Array {
  const tree = treeOfSpans();
  const id = (number: number) => (number + 1).toString(16).padStart(16, "f");
  const nanoseconds = (offsetMs: number) => String(BigInt(Math.round(startMs + offsetMs)) * 1_000_000n);
  const spans = Array.from({ length: LARGE_TRACE_SPANS }, (_, number) => {
    const like = tree[number % tree.length]!;
    return {
      traceId: LARGE_TRACE,
      spanId: id(number),
      ...(number === 0 ? {} : { parentSpanId: id(Math.floor((number - 1) / 10)) }),
      name: like.name,
      startTimeUnixNano: nanoseconds(number),
      endTimeUnixNano: nanoseconds(number + LARGE_TRACE_SPANS),
      attributes: otlpAttributes(attributesOf(like, size, null)),
    };
  });
  return encodeOtlp(otlpExport(spans.reverse(), otlpAttributes({ "openinference.project.name": PROJECT })));
}

/** A measurement that was cut short leaves its copies behind, of several gigabytes each. */
async function removeLeftCopies(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const owner = /^copy-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !(await exists(`/proc/${owner}`))) await rm(join(directory, name), { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function removeFile(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix, { force: true });
}
