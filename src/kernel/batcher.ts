// Group commit: while one commit runs, submissions gather; when it ends, the next begins with as many as fit, at once or when
// `gather` says so. A lone submission waits for nothing.

import { Failure, fail } from "./failure.ts";
import type { Waiting } from "./group-commit-delay.ts";

/** Resolves with one result a member, in order; a rejection is that of every member. */
type Commit<Item, Result> = (batch: readonly Item[]) => Promise<readonly Result[]>;

export interface BatcherOptions<Item, Result> {
  /** The largest sums of weights in one commit; a submission that is larger by itself goes alone. */
  readonly maximumItems: number;
  readonly maximumBytes: number;
  readonly commit: Commit<Item, Result>;
  /** Awaited before each batch is taken: gives submissions that arrived while this thread was busy, or are about to arrive, their
   *  chance to gather. `waiting` counts those that are here. */
  readonly gather?: (waiting: () => Waiting) => Promise<void>;
}

export interface Batcher<Item, Result> {
  /** Resolves when the item is committed. Rejects when its commit does, together with all that wait when that fails with kind
   *  `unavailable`, and after `close`. */
  submit(item: Item, weightItems: number, weightBytes: number): Promise<Result>;
  /** Weights of everything that is not settled yet, the running commit included. */
  readonly pendingItems: number;
  readonly pendingBytes: number;
  /** Resolves when nothing is pending. */
  idle(): Promise<void>;
  /** Refuses new submissions and resolves when the last one is settled. */
  close(): Promise<void>;
}

interface Submission<Item, Result> {
  readonly item: Item;
  readonly weightItems: number;
  readonly weightBytes: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const waiting: Submission<Item, Result>[] = [];
  let idleWaiters: (() => void)[] = [];
  let running = false;
  let closed = false;
  let pendingItems = 0;
  let pendingBytes = 0;

  function settle(submission: Submission<Item, Result>, outcome: PromiseSettledResult<Result>): void {
    pendingItems -= submission.weightItems;
    pendingBytes -= submission.weightBytes;
    if (outcome.status === "fulfilled") submission.resolve(outcome.value);
    else submission.reject(outcome.reason);
  }

  function countWaiting(): Waiting {
    return { submissions: waiting.length, items: waiting.reduce((sum, { weightItems }) => sum + weightItems, 0) };
  }

  function takeBatch(): Submission<Item, Result>[] {
    let items = 0;
    let bytes = 0;
    // In order of arrival: nothing overtakes a large submission.
    const tooMany = waiting.findIndex((submission, position) => {
      items += submission.weightItems;
      bytes += submission.weightBytes;
      return position > 0 && (items > options.maximumItems || bytes > options.maximumBytes);
    });
    return waiting.splice(0, tooMany < 0 ? waiting.length : tooMany);
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      if (options.gather !== undefined) await options.gather(countWaiting);
      const batch = takeBatch();
      try {
        const results = await options.commit(batch.map(({ item }) => item));
        batch.forEach((submission, position) => {
          settle(submission, { status: "fulfilled", value: results[position] as Result });
        });
      } catch (reason) {
        const failed = isAway(reason) ? [...batch, ...waiting.splice(0)] : batch;
        for (const submission of failed) settle(submission, { status: "rejected", reason });
      }
    }
    running = false;
    const resolved = idleWaiters;
    idleWaiters = [];
    for (const resolve of resolved) resolve();
  }

  const idle = () => (running ? new Promise<void>((resolve) => idleWaiters.push(resolve)) : Promise.resolve());
  return {
    submit(item, weightItems, weightBytes) {
      if (closed)
        return Promise.reject(fail("batcher.closed", "unavailable", "Shutting down: nothing more is accepted"));
      return new Promise((resolve, reject) => {
        pendingItems += weightItems;
        pendingBytes += weightBytes;
        waiting.push({ item, weightItems, weightBytes, resolve, reject });
        if (!running) void run();
      });
    },
    get pendingItems() {
      return pendingItems;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    idle,
    close() {
      closed = true;
      return idle();
    },
  };
}

/** For `gather`: where several wait already, more are about to come, and one commit for all of them takes less of the processor than
 *  one for each. */
export function gatherWhileBusy(milliseconds: number): (waiting: () => Waiting) => Promise<void> {
  return async (waiting) => {
    if (waiting().submissions > 1) await Bun.sleep(milliseconds);
  };
}

interface HalvesOutcome<Result> {
  /** One a member, in order. */
  readonly outcomes: PromiseSettledResult<Result>[];
  /** Set when what commits is away: all members that were not committed before have this outcome. */
  readonly away: PromiseRejectedResult | null;
}

/** A transient failure: the same may succeed later. */
function isAway(reason: unknown): boolean {
  return reason instanceof Failure && reason.kind === "unavailable";
}

/** Commits a batch, all of it or nothing; one that fails is tried again in halves, so that only its culprits are rejected. A failure of kind
 *  `unavailable` is transient and ends the attempt. Never rejects. */
export async function commitInHalves<Item, Result>(
  batch: readonly Item[],
  commit: Commit<Item, Result>,
): Promise<HalvesOutcome<Result>> {
  const outcomes: PromiseSettledResult<Result>[] = [];
  // The parts still to be tried, leftmost last; outcomes are found from left to right.
  const parts = batch.length === 0 ? [] : [batch];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    try {
      const results = await commit(part);
      for (let position = 0; position < part.length; position++) {
        outcomes.push({ status: "fulfilled", value: results[position] as Result });
      }
    } catch (reason) {
      const rejected = { status: "rejected", reason } as const;
      if (isAway(reason)) {
        while (outcomes.length < batch.length) outcomes.push(rejected);
        return { outcomes, away: rejected };
      }
      if (part.length === 1) outcomes.push(rejected);
      else parts.push(part.slice(part.length >> 1), part.slice(0, part.length >> 1));
    }
  }
  return { outcomes, away: null };
}
