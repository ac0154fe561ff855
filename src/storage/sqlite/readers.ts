// Who reads the SQLite file: worker threads for reads known to be short, child processes for those that may have to be
// stopped. A running SQLite query cannot be stopped from outside its thread, but a process can be ended.
import { Failure, fail } from "../../kernel/failure.ts";
import { type Channel, createLink, type Handlers, LINK_CLOSED, type Link } from "../../kernel/link.ts";
import { createWaitingLine } from "../../kernel/waiting-line.ts";
import type { StatementResult, StatementRunner } from "../kysely-driver.ts";
import {
  clientGone,
  MOST_WAITING,
  type ReadLimits,
  tooManyWaiting,
  waitedTooLong,
  watchLimits,
} from "../stopped-read.ts";
import type { SqliteConnection, StatementMessage } from "./connection.ts";

/** Reader processes at work at once; further slow reads wait for one. */
const MOST_PROCESSES = 2;
/** A reader process without work is ended after this time. */
const IDLE_MILLISECONDS = 60_000;

/** A reader that was asked to close has this long; one in the middle of a query does not hear it. */
const CLOSE_MILLISECONDS = 1000;

interface StartedReader {
  readonly channel: Channel;
  /** Tells it to close its file and to end. */
  close(): void;
  /** Ends it as it is. */
  stop(): void;
  readonly ended: Promise<void>;
}

/** Starts the other end: a worker thread or a child process that serves `readerHandlers`. */
export type ReaderStart = () => StartedReader;

/** Resolves when the reader has ended: after closing its file, unless it takes too long. */
export async function endReader(reader: Pick<StartedReader, "close" | "stop" | "ended">): Promise<void> {
  const late = setTimeout(reader.stop, CLOSE_MILLISECONDS);
  try {
    reader.close();
  } catch {
    // The pipe is closed: it has ended.
  }
  await reader.ended;
  clearTimeout(late);
}

/** Methods of a reader for serveLink. Every statement begins its own snapshot and ends it before it answers. */
export function readerHandlers(connection: SqliteConnection): Handlers {
  return {
    execute: ({ sql, parameters }: StatementMessage): StatementResult => connection.execute(sql, parameters),
  };
}

export interface ShortReaders extends StatementRunner {
  /** Fails what waits and resolves when the threads have closed the file. */
  close(): Promise<void>;
}

/** Worker threads that take turns by least waiting calls; another one is started when all are at work, up to `count`. What
 *  waits for one that ends fails. */
export function createShortReaders(start: ReaderStart, count: number): ShortReaders {
  const readers: { readonly link: Link; readonly started: StartedReader }[] = [];
  let closed = false;

  function startReader() {
    const started = start();
    const reader = { link: createLink(started.channel), started };
    readers.push(reader);
    void started.ended.then(() => {
      if (closed) return;
      readers.splice(readers.indexOf(reader), 1);
      reader.link.break(readerEnded());
    });
    return reader;
  }

  function choose() {
    const [first, ...others] = readers;
    if (first === undefined) return startReader();
    let chosen = first;
    for (const reader of others) if (reader.link.waiting < chosen.link.waiting) chosen = reader;
    return chosen.link.waiting > 0 && readers.length < count ? startReader() : chosen;
  }

  return {
    run(sql, parameters) {
      if (closed) return Promise.reject(closing());
      return choose().link.call("execute", { sql, parameters } satisfies StatementMessage);
    },
    async close() {
      closed = true;
      for (const { link } of readers) link.break(closing());
      await Promise.all(readers.map(({ started }) => endReader(started)));
    },
  };
}

interface SlowReader extends StartedReader {
  readonly link: Link;
  idle: ReturnType<typeof setTimeout> | null;
}

export interface SlowReaders {
  /** Runs one statement in a process of its own; the process is ended at the deadline (milliseconds of
   *  `performance.now()`) or when the signal aborts, and the call then fails with kind `unavailable`; so does one beyond
   *  MOST_WAITING, at once. */
  run(sql: string, parameters: readonly unknown[], limits: ReadLimits): Promise<StatementResult>;
  readonly processes: number;
  /** Fails what runs or waits, at once, and resolves when the processes have ended. */
  close(): Promise<void>;
}

export function createSlowReaders(start: ReaderStart, idleMilliseconds = IDLE_MILLISECONDS): SlowReaders {
  const idle: SlowReader[] = [];
  const waiting = createWaitingLine<SlowReader>();
  const all = new Set<SlowReader>();
  let closed = false;

  function startReader(): SlowReader {
    const started = start();
    const reader: SlowReader = { ...started, link: createLink(started.channel), idle: null };
    all.add(reader);
    void started.ended.then(() => {
      all.delete(reader);
      retire(reader);
      reader.link.break(readerEnded());
      if (!closed && waiting.length > 0) waiting.serve(startReader());
    });
    return reader;
  }

  /** Takes a reader out of the idle ones, so that no query meets a process that is about to end. */
  function retire(reader: SlowReader): void {
    if (reader.idle !== null) clearTimeout(reader.idle);
    reader.idle = null;
    const position = idle.indexOf(reader);
    if (position >= 0) idle.splice(position, 1);
  }

  async function take(limits: ReadLimits): Promise<SlowReader> {
    if (closed) throw closing();
    const free = idle.at(-1);
    if (free !== undefined) {
      retire(free);
      return free;
    }
    if (all.size < MOST_PROCESSES) return startReader();
    if (waiting.length >= MOST_WAITING) throw tooManyWaiting();
    return waiting.wait((leave) => watchLimits(limits, leave, waitedTooLong));
  }

  function giveBack(reader: SlowReader): void {
    if (closed || !all.has(reader) || waiting.serve(reader)) return;
    idle.push(reader);
    reader.idle = setTimeout(() => {
      retire(reader);
      void endReader(reader);
    }, idleMilliseconds);
    reader.idle.unref?.();
  }

  async function attempt(statement: StatementMessage, limits: ReadLimits): Promise<StatementResult> {
    const reader = await take(limits);
    let usable = true;
    const limit = watchLimits(limits, (reason) => {
      usable = false;
      reader.stop();
      reader.link.break(reason);
    });
    try {
      return await reader.link.call<StatementResult>("execute", statement);
    } catch (error) {
      if (isReaderGone(error)) usable = false;
      throw error;
    } finally {
      limit.end();
      if (usable) giveBack(reader);
    }
  }

  return {
    async run(sql, parameters, limits) {
      if (limits.signal?.aborted) throw clientGone();
      try {
        return await attempt({ sql, parameters }, limits);
      } catch (error) {
        // The process had ended before it got the query; one that ended while it ran the query may have ended because of it.
        if (closed || !(error instanceof Failure && error.code === LINK_CLOSED)) throw error;
        return attempt({ sql, parameters }, limits);
      }
    },
    get processes() {
      return all.size;
    },
    async close() {
      closed = true;
      waiting.refuseAll(closing());
      const ending = [...all].map((reader) => {
        retire(reader);
        // In the middle of a query it would not hear that it is to close.
        const isIdle = reader.link.waiting === 0;
        reader.link.break(closing());
        if (isIdle) return endReader(reader);
        reader.stop();
        return reader.ended;
      });
      await Promise.all(ending);
    },
  };
}

function closing(): Failure {
  return fail("storage.closing", "unavailable", "The server is shutting down", { retryAfterSeconds: 5 });
}

const READER_ENDED = "storage.reader_ended";

/** The reader ended while it ran the query, or had ended before. */
function isReaderGone(error: unknown): boolean {
  return error instanceof Failure && (error.code === READER_ENDED || error.code === LINK_CLOSED);
}

function readerEnded(): Failure {
  return fail(READER_ENDED, "unavailable", "The reader that ran the query ended", { retryAfterSeconds: 1 });
}
