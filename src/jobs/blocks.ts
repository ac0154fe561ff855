// Keeps block summaries up with the spans, behind ingestion: looks every few seconds, which only reads, and takes turns with
// ingestion while spans arrive. Whatever is not summarised yet is read from the tables, so that being late is slow, never wrong.
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { BlocksService } from "../modules/spans/blocks/blocks.service.ts";
import type { CallContext } from "../storage/storage.ts";

const INTERVAL_MILLISECONDS = 3000;
/** After each block the job rests this many times as long as the block took: while spans arrive it has a fifth of a core, for
 *  what is left to do afterwards two thirds of one. */
const REST = { whileSpansArrive: 4, otherwise: 0.5 };
/** Then the lease is given back and taken anew. */
const ROUND_MILLISECONDS = 20_000;

export interface BlocksJob {
  start(): void;
  /** Resolves when the block that is being written is done. */
  stop(): Promise<void>;
}

export function createBlocksJob(blocks: BlocksService, context: () => CallContext, log: Logger): BlocksJob {
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;
  let wake: (() => void) | null = null;

  /** Ends early when the job is stopped. */
  function rest(milliseconds: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => {
      wake = resolve;
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
        if (written > 0) log.debug("blocks of spans were summarised", { blocks: written });
      } catch (error) {
        if (!stopped) log.warning("blocks of spans could not be summarised", { reason: messageOf(error) });
      }
      if (written === 0) await rest(INTERVAL_MILLISECONDS);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      wake?.();
      await running;
    },
  };
}
