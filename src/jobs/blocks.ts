// Keeps block summaries up with the spans, behind ingestion: looks every few seconds after spans have come and once in a while
// otherwise, which only reads, and takes turns with ingestion while spans arrive. What is not summarised yet is read from the
// tables, so that being late is slow, never wrong.

import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallContext } from "../storage/storage.ts";
import type { BlocksService } from "../summaries/blocks/blocks.service.ts";

/** Milliseconds between two looks, and for how long `afterSpans` holds: so long spans may have to wait for transactions of others
 *  to end. */
const INTERVALS = { afterSpans: 3000, otherwise: 60_000, awake: 30_000 };
/** After each block the job rests this many times as long as the block took: while spans arrive it has a fifth of a core, for
 *  what is left to do afterwards two thirds of one. */
const REST = { whileSpansArrive: 4, otherwise: 0.5 };
/** Then the lease is released and taken again. */
const ROUND_MILLISECONDS = 20_000;

export interface BlocksJob {
  start(): void;
  /** Spans were stored by this server. What others store, delete or move is noticed a minute later. */
  wake(): void;
  /** Resolves when the block that is being written is done. */
  stop(): Promise<void>;
}

export function createBlocksJob(
  blocks: BlocksService,
  context: () => CallContext,
  log: Logger,
  intervals = INTERVALS,
): BlocksJob {
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  let endRest: (() => void) | null = null;
  let lastWoken = Number.NEGATIVE_INFINITY;
  /** The rest between two looks that found nothing, while nobody wakes the job. */
  let sleeping = false;
  /** Why the last round failed: the same reason is logged once. */
  let failedBecause: string | null = null;

  /** Ends early when the job is stopped. */
  function rest(milliseconds: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => {
      endRest = resolve;
      timer = setTimeout(resolve, milliseconds);
      timer.unref?.();
    });
  }

  async function round(): Promise<number> {
    const end = performance.now() + ROUND_MILLISECONDS;
    return blocks.catchUp(context(), async ({ milliseconds, spansArrive }) => {
      await rest(milliseconds * (spansArrive ? REST.whileSpansArrive : REST.otherwise));
      return !stopped && performance.now() < end;
    });
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let written = 0;
      try {
        written = await round();
        failedBecause = null;
        if (written > 0) log.debug("blocks of spans were summarised", { blocks: written });
      } catch (error) {
        const reason = messageOf(error);
        if (!stopped && reason !== failedBecause) log.warning("blocks of spans could not be summarised", { reason });
        failedBecause = reason;
      }
      if (written > 0) continue;
      sleeping = performance.now() - lastWoken > intervals.awake;
      await rest(sleeping ? intervals.otherwise : intervals.afterSpans);
      sleeping = false;
    }
  }

  return {
    start() {
      lastWoken = performance.now();
      running ??= run();
    },
    wake() {
      lastWoken = performance.now();
      if (!sleeping) return;
      if (timer !== null) clearTimeout(timer);
      endRest?.();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      endRest?.();
      await running;
    },
  };
}
