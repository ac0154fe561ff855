// The one order in which the parts of a process start, and the reverse in which they stop, each within a time limit.
import { type Failure, fail, messageOf } from "./failure.ts";
import type { Logger } from "./logger.ts";

export interface LifecyclePart {
  readonly name: string;
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
  /** Milliseconds; default: those of the lifecycle. */
  readonly startLimit?: number;
  readonly stopLimit?: number;
}

/** A part of a service over a database. */
export interface ServicePart extends LifecyclePart {
  /** True where it changes what is stored: it does not run with `--read-only`. */
  readonly changes: boolean;
}

interface LifecycleOptions {
  readonly log: Logger;
  /** Milliseconds for each part to start and to stop. */
  readonly startLimit?: number;
  readonly stopLimit?: number;
}

export interface Lifecycle {
  /** Parts start in the order in which they were added; none may be added once starting has begun. */
  add(part: LifecyclePart): void;
  /** Starts every part. When one fails, those that were started are stopped and the failure is thrown. */
  start(): Promise<void>;
  /** Stops what was started, last first; during a start it waits for the part that is starting. A part that fails or takes
   *  too long is logged and left behind. Resolves with the names of such parts; calling it again gives the same answer. */
  stop(): Promise<readonly string[]>;
}

const DEFAULT_LIMIT = 30_000;

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { log } = options;
  const parts: LifecyclePart[] = [];
  const started: LifecyclePart[] = [];
  let starting: Promise<void> | null = null;
  let stopping: Promise<readonly string[]> | null = null;

  async function startAll(): Promise<void> {
    for (const part of parts) {
      if (stopping !== null) throw fail("lifecycle.stopped", "unavailable", `Stopped before ${part.name} was started`);
      const began = performance.now();
      try {
        await within(part.startLimit ?? options.startLimit ?? DEFAULT_LIMIT, `${part.name} to start`, () =>
          part.start?.(),
        );
      } catch (error) {
        // Not logged here: the failure is thrown, and the caller reports it.
        log.debug(`${part.name} did not start: ${messageOf(error)}`);
        // A stop that was requested meanwhile waits for this start and then stops the rest.
        if (stopping === null) {
          stopping = stopStarted();
          await stopping;
        }
        throw error;
      }
      started.push(part);
      log.debug(`${part.name} started`, { milliseconds: Math.round(performance.now() - began) });
    }
  }

  async function stopStarted(): Promise<readonly string[]> {
    const left: string[] = [];
    for (let part = started.pop(); part !== undefined; part = started.pop()) {
      const current = part;
      const began = performance.now();
      try {
        await within(part.stopLimit ?? options.stopLimit ?? DEFAULT_LIMIT, `${part.name} to stop`, () =>
          current.stop(),
        );
        log.debug(`${part.name} stopped`, { milliseconds: Math.round(performance.now() - began) });
      } catch (error) {
        left.push(part.name);
        log.error(`${part.name} did not stop: ${messageOf(error)}`);
      }
    }
    return left;
  }

  async function stopAfterStart(): Promise<readonly string[]> {
    // Only its end matters here; the failure of a start is for its caller.
    await starting?.catch(() => {});
    return stopStarted();
  }

  return {
    add(part) {
      if (starting !== null) throw fail("lifecycle.started", "internal", `${part.name} was added after the start`);
      parts.push(part);
    },
    start() {
      starting ??= startAll();
      return starting;
    },
    stop() {
      stopping ??= stopAfterStart();
      return stopping;
    },
  };
}

/** What `work` resolves with, or a failure once the limit (milliseconds) has passed; the work itself is not stopped. */
async function within<Result>(limit: number, what: string, work: () => Promise<Result> | Result): Promise<Result> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const late = (): Failure => fail("lifecycle.late", "unavailable", `Waited ${limit} ms for ${what}`);
  const timer = setTimeout(() => reject(late()), limit);
  try {
    return await Promise.race([work(), expired]);
  } finally {
    clearTimeout(timer);
  }
}
