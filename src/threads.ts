// Starts the threads and processes of the server. This file is beside the entry points because a compiled binary resolves
// worker files from the folder of the entry point only.
import { open as openFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PatternProblem } from "./costs/name-search.ts";
import type { DecodeWorkerStart } from "./ingest/ingest-messages.ts";
import { onPatternProblem } from "./ingest/pattern-problems.ts";
import { type Failure, fail } from "./kernel/failure.ts";
import { type Channel, createLink, gathered, type LimitedCalls, type Link, workerChannel } from "./kernel/link.ts";
import { onRejection } from "./kernel/rejections.ts";
import type { SqliteLocation, StorageLocation } from "./storage/location.ts";
import { partialCopy } from "./storage/sqlite/partial-copy.ts";
import { endReader, type ReaderStart } from "./storage/sqlite/readers.ts";
import type { BlockSource } from "./summaries/blocks/block-source.store.ts";

/** Hidden first argument of the command that turns a process into a reader. */
export const READER_PROCESS = "reader-process";
/** The same of one that copies a database file. */
export const COPY_PROCESS = "copy-process";

export interface IngestWorker {
  readonly link: Link;
  /** Resolves with the reason when the worker has ended, and the link is broken then: nothing is stored any more. */
  readonly died: Promise<string>;
  stop(): void;
}

/** Called for unhandled rejections in a thread: the thread goes on. */
type OnRejection = (what: string) => void;

export function startIngestWorker(
  tell: OnRejection,
  notifyPattern: (problem: PatternProblem) => void = () => {},
): IngestWorker {
  const worker = new Worker(new URL("./ingest-worker.ts", import.meta.url));
  const link = createLink(workerChannel(worker));
  onRejection(workerChannel(worker), tell);
  onPatternProblem(workerChannel(worker), notifyPattern);
  const died = endOf(worker).then((reason) => {
    link.break(ingestDied());
    return reason;
  });
  return { link, died, stop: () => worker.terminate() };
}

/** Starts the decode worker at the first call and connects it to the ingest worker; later calls get the same one, or the one
 *  that replaced it after it died; `onDeath` is then called with the reason. */
export function decodeWorker(
  ingest: IngestWorker,
  settings: Omit<DecodeWorkerStart, "ingestPort">,
  onDeath: (reason: string) => void,
  tell: OnRejection,
): () => Promise<Link> {
  const make = () => new Worker(new URL("./decode-worker.ts", import.meta.url));
  const failureOf = (reason: string) => {
    onDeath(reason);
    return fail("ingest.decoder_died", "unavailable", "The decode worker ended", { retryAfterSeconds: 1 });
  };
  return besideIngestWorker(ingest, make, settings, failureOf, tell);
}

/** The same for the worker that reads bodies in bulk. */
export function bodyWorker(
  ingest: IngestWorker,
  onDeath: (reason: string) => void,
  tell: OnRejection,
): () => Promise<Link> {
  const make = () => new Worker(new URL("./body-worker.ts", import.meta.url));
  const failureOf = (reason: string) => {
    onDeath(reason);
    return fail("bulk.reader_died", "unavailable", "The body worker ended", { retryAfterSeconds: 1 });
  };
  return besideIngestWorker(ingest, make, {}, failureOf, tell);
}

/** A worker that hands spans to the ingest worker through a port of their own. */
function besideIngestWorker(
  ingest: IngestWorker,
  make: () => Worker,
  settings: object,
  failureOf: (reason: string) => Failure,
  tell: OnRejection,
): () => Promise<Link> {
  let current: Promise<Link> | null = null;
  const begin = async () => {
    const worker = make();
    const link = createLink(gathered(workerChannel(worker)));
    onRejection(workerChannel(worker), tell);
    void endOf(worker).then((reason) => {
      current = null;
      link.break(failureOf(reason));
    });
    // What it has handed on is never answered then.
    void ingest.died.then(() => link.break(ingestDied()));
    const { port1, port2 } = new MessageChannel();
    await ingest.link.call("connect", { port: port1 }, [port1]);
    await link.call("start", { ...settings, ingestPort: port2 }, [port2]);
    return link;
  };
  return () => {
    current ??= begin();
    return current;
  };
}

function ingestDied(): Failure {
  return fail("ingest.worker_died", "unavailable", "The ingest worker ended", { retryAfterSeconds: 5 });
}

/** Without work for this long the thread that summarises blocks ends. */
const BLOCK_WORKER_IDLE_MILLISECONDS = 30_000;

export interface BlockWorker {
  readonly source: BlockSource;
  /** Resolves when the thread has closed its database and ended. */
  stop(): Promise<void>;
}

/** Summarises blocks in a thread that begins with the first call, and with the next one after it has ended. */
export function blockWorker(location: StorageLocation, tell: OnRejection): BlockWorker {
  let current: { readonly link: Link; stop(): Promise<void> } | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;

  function begin() {
    const worker = new Worker(new URL("./block-worker.ts", import.meta.url));
    const channel = workerChannel(worker);
    onRejection(channel, tell);
    const link = createLink(channel);
    const ended = endOf(worker);
    const reader = { close: () => close(channel), stop: () => worker.terminate(), ended: ended.then(() => {}) };
    const begun = { link, stop: () => endReader(reader) };
    void ended.then((reason) => {
      if (current === begun) current = null;
      link.break(fail("blocks.worker_ended", "unavailable", `The block worker ended: ${reason}`));
    });
    // What keeps it from opening shows in the next call.
    link.call("open", location).catch(() => {});
    return begun;
  }

  async function stop(): Promise<void> {
    const stopped = current?.stop();
    current = null;
    await stopped;
  }

  async function call<Result>(method: string, block: number): Promise<Result> {
    current ??= begin();
    if (idle !== null) clearTimeout(idle);
    idle = null;
    try {
      return await current.link.call<Result>(method, { block });
    } finally {
      idle ??= setTimeout(() => void stop(), BLOCK_WORKER_IDLE_MILLISECONDS);
      idle.unref?.();
    }
  }

  return {
    source: {
      count: (_context, block) => call("count", block),
      summarise: (_context, block) => call("summarise", block),
    },
    stop() {
      if (idle !== null) clearTimeout(idle);
      return stop();
    },
  };
}

/** Without work for this long the thread that evaluates ends. */
const EVALUATION_WORKER_IDLE_MILLISECONDS = 30_000;

/** Evaluates in a thread, one call after the other. It begins with the first call, and with the next one after it has ended. */
export function evaluationWorker(tell: OnRejection): LimitedCalls {
  let current: { readonly link: Link; end(): Promise<void> } | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function begin() {
    // Without a part in keeping the program alive: a command that is done ends beside it.
    const worker = new Worker(new URL("./evaluation-worker.ts", import.meta.url), { ref: false });
    const channel = workerChannel(worker);
    onRejection(channel, tell);
    const link = createLink(channel);
    const ended = endOf(worker);
    const begun = {
      link,
      async end() {
        worker.terminate();
        await ended;
      },
    };
    void ended.then((reason) => {
      if (current === begun) current = null;
      link.break(fail("evaluations.worker_ended", "unavailable", `The evaluation worker ended: ${reason}`));
    });
    return begun;
  }

  async function end(): Promise<void> {
    const ended = current?.end();
    current = null;
    await ended;
  }

  async function callWithin<Result>(method: string, payload: unknown, seconds: number): Promise<Result> {
    current ??= begin();
    const { link } = current;
    // Until it has begun, the time is not that of the call.
    await link.call("begin", null);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      void end();
      late.reject(
        fail("evaluations.time_limit", "timed_out", `It took longer than the time limit of ${seconds} seconds`),
      );
    }, seconds * 1000);
    try {
      return await Promise.race([link.call<Result>(method, payload), late.promise]);
    } finally {
      clearTimeout(timer);
      idle = setTimeout(() => void end(), EVALUATION_WORKER_IDLE_MILLISECONDS);
      idle.unref?.();
    }
  }

  return {
    call(method, payload, seconds) {
      const result = last.then(() => {
        if (idle !== null) clearTimeout(idle);
        return callWithin<never>(method, payload, seconds);
      });
      last = result.catch(() => {});
      return result;
    },
    stop() {
      if (idle !== null) clearTimeout(idle);
      return end();
    },
  };
}

/** A thread for short reads. */
export function readerThread(location: SqliteLocation): ReaderStart {
  return () => {
    const worker = new Worker(new URL("./reader-worker.ts", import.meta.url));
    const channel = workerChannel(worker);
    open(channel, location);
    const ended = endOf(worker).then(() => {});
    return { channel, close: () => close(channel), stop: () => worker.terminate(), ended };
  };
}

/** Resolves with the reason when a worker has ended: an error that nothing caught, an exit, a termination. */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.addEventListener("error", (event) => resolve(withoutSource(event.message)));
    worker.addEventListener("close", () => resolve("it ended by itself"));
  });
}

/** The runtime shows the lines of source around an error; the log is for its message and place. */
function withoutSource(message: string): string {
  const lines = message.split("\n").filter((line) => !/^\s*(?:\d+ \||\^|$)/.test(line));
  return lines.map((line) => line.trim()).join(" ");
}

/** A process for reads that may have to be ended. */
export function readerProcess(location: SqliteLocation): ReaderStart {
  return () => {
    const handlers: ((message: unknown) => void)[] = [];
    const child = Bun.spawn([...thisProgram(), READER_PROCESS], {
      stdio: ["ignore", "inherit", "inherit"],
      env: endedWithThis(),
      serialization: "advanced",
      ipc: (message) => {
        for (const handler of handlers) handler(message);
      },
    });
    const channel: Channel = {
      post: (message) => void child.send(message),
      receive: (handler) => void handlers.push(handler),
    };
    open(channel, location);
    const ended = child.exited.then(() => {});
    return { channel, close: () => close(channel), stop: () => child.kill("SIGKILL"), ended };
  };
}

/** How long a copy is written before what was written is brought to the disk, and how many times as long as that took it rests. */
const COPY_PACE = { writeMilliseconds: 10, rest: 4 };

/** Copies the file in a process of its own: a copy of minutes blocks no request, and the signal ends it. Fails with kind
 *  `unavailable` and the reason. */
export function backupProcess({ path }: SqliteLocation): (target: string, signal: AbortSignal) => Promise<void> {
  return async (target, signal) => {
    const command = [...thisProgram(), COPY_PROCESS, path, target];
    const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "pipe"], env: endedWithThis(), signal });
    const [complaint, status] = await Promise.all([
      new Response(child.stderr).text(),
      child.exited,
      pace(child, partialCopy(target, child.pid)),
    ]);
    if (status === 0) return;
    throw fail("backup.failed", "unavailable", complaint.trim() || `The copy ended with status ${status}`);
  };
}

/** Has the copy written in pieces, each on the disk before the next: else the disk takes all of it at once when it is whole, and every
 *  commit waits for that. */
async function pace(child: Bun.Subprocess, partial: string): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.killed;
  try {
    for (;;) {
      await Promise.race([child.exited, Bun.sleep(COPY_PACE.writeMilliseconds)]);
      if (isOver()) return;
      child.kill("SIGSTOP");
      await Bun.sleep(COPY_PACE.rest * (await bringToDisk(partial)));
      child.kill("SIGCONT");
    }
  } finally {
    // A process that is stopped does not end.
    child.kill("SIGCONT");
  }
}

/** Milliseconds that it took; a file that is not there yet, or no more, takes none. */
async function bringToDisk(path: string): Promise<number> {
  const began = performance.now();
  const file = await openFile(path, "r").catch(() => null);
  if (file === null) return 0;
  await file.datasync().finally(() => file.close());
  return performance.now() - began;
}

function thisProgram(): string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL("./main.ts", import.meta.url))];
}

/** The environment of a process that the system ends with this one, even when this one is killed: while it works it reads no message. */
function endedWithThis() {
  return { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: "1" };
}

/** The first call of every reader; a file that cannot be opened shows in its next call. */
function open(channel: Channel, location: SqliteLocation): void {
  channel.post({ call: 0, method: "open", payload: location });
}

/** The last one: the reader closes its file and ends. */
function close(channel: Channel): void {
  channel.post({ call: 0, method: "close", payload: null });
}
