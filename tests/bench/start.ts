// How long the service takes from the start of its process to the first good answer of /readyz, and what memory it holds when
// nothing happens. Usage: tests/bench/README.md
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { createHttpClient } from "../support/http.ts";
import { type OtlpSpan, otlpAttributes } from "../support/otlp-encode.ts";
import { freePort } from "../support/ports.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { endProgress, machine, median, megabytes, milliseconds, progress, short, table } from "./figures.ts";
import { type Memory, memoryOf } from "./process-tree.ts";
import { programName } from "./service.ts";
import { attributesOf, treeOfSpans } from "./spans.ts";
import { type DatabaseCopy, ensureStored } from "./stored.ts";

const LIMIT_MS = 60_000;
/** Exports before a crash, and spans of each: their log is read by the next start. */
const CRASH_EXPORTS = 10;
const CRASH_SPANS = 500;

const options = readArguments({
  stored: { default: 1_000_000, meaning: "small spans in the database" },
  runs: { default: 7, meaning: "starts; the table tells the median and the slowest" },
  crash: { default: false, meaning: "each start follows a kill -9 while spans arrive" },
  idle: { default: 5, meaning: "seconds after the start at which memory is read" },
  ...storedOptions,
});

const stored = await ensureStored({ ...options, size: "small", spans: options.stored });
const copy = await stored.copy();
if (options.crash) await startOnce(copy);
const starts: number[] = [];
const memory: Memory[] = [];
for (let run = 1; run <= options.runs; run++) {
  progress(`start ${run} of ${options.runs}`);
  // The first start migrates nothing but seeds the default project; it counts like the others.
  const { readyMs, idle } = await startOnce(copy);
  starts.push(readyMs);
  memory.push(idle);
}
await copy.remove();
await stored.dispose();
endProgress("done");

console.log(`\n${await machine()}`);
console.log(`service ${programName(options.binary)}, ${options.driver}, ${short(options.stored)} small spans stored\n`);
console.log(
  table([
    [`${options.runs} starts${options.crash ? ", each after a kill -9" : ""}`, "median", "highest"],
    ["process start to first /readyz 200", milliseconds(median(starts)), milliseconds(Math.max(...starts))],
    ["resident memory at rest (RSS)", ...memoryRow(({ rss }) => rss)],
    ["resident memory at rest (PSS)", ...memoryRow(({ pss }) => pss)],
  ]),
);
process.exit();

function memoryRow(part: (memory: Memory) => number): string[] {
  const bytes = memory.map(part);
  return [megabytes(median(bytes)), megabytes(Math.max(...bytes))];
}

async function startOnce(database: DatabaseCopy): Promise<{ readonly readyMs: number; readonly idle: Memory }> {
  const root = resolve(import.meta.dir, "../..");
  const command = options.binary === "" ? [process.execPath, join(root, "src/main.ts")] : [resolve(options.binary)];
  const home = await mkdtemp(join(tmpdir(), "spanlight-home-"));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    SERVICE_HOST: "127.0.0.1",
    SERVICE_PORT: String(port),
    SERVICE_GRPC_PORT: String(await freePort()),
    SERVICE_WORKING_DIR: home,
    SERVICE_SQL_DATABASE_URL: database.url,
  };
  const began = performance.now();
  const child = Bun.spawn([...command, "serve"], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
      if (performance.now() - began > LIMIT_MS) throw new Error(`The service was not ready in ${LIMIT_MS} ms`);
      await Bun.sleep(1);
    }
    const readyMs = performance.now() - began;
    await Bun.sleep(options.idle * 1000);
    const idle = await memoryOf(child.pid);
    if (options.crash) await sendUntilKilled(port, () => child.kill("SIGKILL"));
    return { readyMs, idle };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
    await rm(home, { recursive: true, force: true });
  }
}

/** Kills it while the last export is under way. */
async function sendUntilKilled(port: number, kill: () => void): Promise<void> {
  const send = exportTo(createHttpClient(`http://127.0.0.1:${port}`));
  const tree = treeOfSpans();
  for (let exported = 0; exported <= CRASH_EXPORTS; exported++) {
    const spans = Array.from({ length: CRASH_SPANS }, (_, at): OtlpSpan => {
      const like = tree[at % tree.length]!;
      const nanoseconds = BigInt(Date.now()) * 1_000_000n;
      return {
        traceId: crypto.randomUUID().replaceAll("-", ""),
        spanId: crypto.randomUUID().replaceAll("-", "").slice(0, 16),
        name: like.name,
        startTimeUnixNano: String(nanoseconds),
        endTimeUnixNano: String(nanoseconds + 1_000_000n),
        attributes: otlpAttributes(attributesOf(like, "small", null)),
      };
    });
    const sent = sendSpans(send, "crash", spans);
    if (exported < CRASH_EXPORTS) await sent;
    else {
      sent.catch(() => {});
      await Bun.sleep(5);
      kill();
    }
  }
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}
